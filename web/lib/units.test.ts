import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { setRegion } from './format.ts'
import {
  distanceText,
  formatRadius,
  type Measure,
  radiusText,
  shown,
  stored,
  storedUnits,
  toCelsius,
  toCentimeters,
  toFahrenheit,
  toGrams,
  toInches,
  toOunces,
  typedNumber,
  type Units,
  unitsOf,
} from './units.ts'

afterEach(() => setRegion(null))

const us: Units = { ...storedUnits, length: 'in', temperature: 'F', mass: 'oz' }

test('round-trips input in inches or °F', () => {
  fc.assert(
    fc.property(fc.integer({ min: -300, max: 3000 }), fc.constantFrom<Measure>('length', 'temperature', 'plain'), (tenths, measure) => {
      expect(shown(stored(tenths / 10, measure, us), measure, us)).toBe(tenths / 10)
      expect(shown(stored(tenths / 10, measure, storedUnits), measure, storedUnits)).toBe(tenths / 10)
    }),
  )
})

test('converts lengths and temperatures exactly', () => {
  expect(stored(10, 'length', us)).toBe(25.4)
  expect(stored(77, 'temperature', us)).toBe(25)
  expect(shown(41.3, 'length', us)).toBe(16.3)
})

test('reads numbers with a point or a comma, and nothing else', () => {
  expect(['41', ' 41,5 ', '.5', '-3.25', ''].map(typedNumber)).toEqual([41, 41.5, 0.5, -3.25, null])
  for (const text of ['tall', '1.2.3', '1,2,3', '4 1']) expect(typedNumber(text), text).toBeNaN()
})

test('reads “1,200” according to the region’s decimal sign', () => {
  setRegion('US')
  expect(['1,200', '-1,200.5', '12,345,678', '0,125', '1,20'].map(typedNumber)).toEqual([1200, -1200.5, 12_345_678, 0.125, 1.2])
  setRegion('DE')
  expect(['1,200', '41,5'].map(typedNumber)).toEqual([1.2, 41.5])
})

test('falls back to the region’s default units', () => {
  expect(unitsOf(undefined, 'US')).toEqual({ temperature: 'F', length: 'cm', mass: 'g', distance: 'mi' })
  expect(unitsOf(undefined, 'GB')).toEqual({ temperature: 'C', length: 'cm', mass: 'g', distance: 'mi' })
  expect(unitsOf(undefined, 'DE')).toEqual(storedUnits)
  const chosen = { region: null, temperature: 'C', length: 'in', mass: 'oz', distance: 'km' } as const
  expect(unitsOf(chosen, 'US')).toMatchObject({ temperature: 'C', length: 'in', mass: 'oz', distance: 'km' })
})

const pin = { latitude: 39, longitude: -105 }

test.each([
  [null, 'premise', null],
  [0, 'premise', 'under 0.1 mi'],
  [0.4, 'premise', '0.4 mi'],
  [9.96, 'premise', '10.0 mi'],
  [10.4, 'premise', '10 mi'],
  [1234.4, 'premise', '1,234 mi'],
  // Farms are pinned to the center of their city, so tenths would be false precision.
  [3, 'city', 'about 3 mi'],
  [4.6, 'city', 'about 5 mi'],
  [4.6, 'zip', 'about 5 mi'],
] as const)('formats %s miles to a pin of precision %s as %s', (distanceMiles, precision, text) => {
  expect(distanceText({ distanceMiles, pin: { ...pin, precision } }, 'mi')).toBe(text)
})

test('rounds kilometers like miles, and converted radii to two digits', () => {
  const premise = { ...pin, precision: 'premise' } as const
  expect(distanceText({ distanceMiles: 1, pin: premise }, 'km')).toBe('1.6 km')
  expect(distanceText({ distanceMiles: 0.05, pin: premise }, 'km')).toBe('under 0.1 km')
  expect(distanceText({ distanceMiles: 100, pin: { ...pin, precision: 'city' } }, 'km')).toBe('about 161 km')
  expect([5, 10, 25, 50, 100, 250, 500].map((miles) => radiusText(miles, 'km'))).toEqual(
    ['8', '16', '40', '80', '160', '400', '800'].map((km) => `${km} km`),
  )
  expect([formatRadius(1, 'mi'), formatRadius(25, 'mi'), radiusText(25, 'mi')]).toEqual(['1 mile', '25 miles', '25 mi'])
})

test('converts known pairs of values', () => {
  expect([-40, 0, 25, 100].map(toFahrenheit)).toEqual([-40, 32, 77, 212])
  expect([-40, 32, 77, 212].map(toCelsius)).toEqual([-40, 0, 25, 100])
  expect([toInches(254), toCentimeters(12)]).toEqual([100, 30.48])
  expect([toOunces(28.349523125), toGrams(16)]).toEqual([1, 453.59237])
})

test('converts back without loss', () => {
  fc.assert(
    fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (value) => {
      expect(toCelsius(toFahrenheit(value))).toBeCloseTo(value, 9)
      expect(toCentimeters(toInches(value))).toBeCloseTo(value, 9)
      expect(toGrams(toOunces(value))).toBeCloseTo(value, 9)
    }),
  )
})
