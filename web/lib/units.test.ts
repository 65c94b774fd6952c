import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Measure, shown, stored, storedUnits, typedNumber, type Units, unitsOf } from './units.ts'

const us: Units = { ...storedUnits, length: 'in', temperature: 'F', mass: 'oz' }

test('round-trips input in inches or °F', () => {
  fc.assert(
    fc.property(fc.integer({ min: -300, max: 3000 }), fc.constantFrom<Measure>('length', 'temperature', 'plain'), (tenths, measure) => {
      expect(shown(stored(tenths / 10, measure, us), measure, us)).toBe(tenths / 10)
      expect(shown(stored(tenths / 10, measure, storedUnits), measure, storedUnits)).toBe(tenths / 10)
    }),
  )
})

test('converts by definition', () => {
  expect(stored(10, 'length', us)).toBe(25.4)
  expect(stored(77, 'temperature', us)).toBe(25)
  expect(shown(41.3, 'length', us)).toBe(16.3)
})

test('reads figures with a point or a comma and nothing else', () => {
  expect(['41', ' 41,5 ', '.5', '-3.25', ''].map(typedNumber)).toEqual([41, 41.5, 0.5, -3.25, null])
  for (const text of ['tall', '1.2.3', '1,2,3', '4 1']) expect(typedNumber(text), text).toBeNaN()
})

test('falls back to the region’s default units', () => {
  expect(unitsOf(undefined, 'US')).toEqual({ temperature: 'F', length: 'cm', mass: 'g', distance: 'mi' })
  expect(unitsOf(undefined, 'GB')).toEqual({ temperature: 'C', length: 'cm', mass: 'g', distance: 'mi' })
  expect(unitsOf(undefined, 'DE')).toEqual(storedUnits)
  const chosen = { region: null, temperature: 'C', length: 'in', mass: 'oz', distance: 'km' } as const
  expect(unitsOf(chosen, 'US')).toMatchObject({ temperature: 'C', length: 'in', mass: 'oz', distance: 'km' })
})
