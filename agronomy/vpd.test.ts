import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saturationPressure, vaporPressureDeficit } from './vpd.ts'

/** From the tables of the CRC Handbook, over water. */
test.each([
  [0, 0.6113],
  [10, 1.2281],
  [20, 2.3388],
  [25, 3.169],
  [30, 4.2455],
  [40, 7.3814],
])('computes the saturation pressure at %d °C as %d kPa', (celsius, pressure) => {
  expect(Math.abs(saturationPressure(celsius) / pressure - 1)).toBeLessThan(0.004)
})

test('assumes a leaf 2 °C cooler than the air if it was not measured', () => {
  expect(vaporPressureDeficit(25, 60)).toBe(vaporPressureDeficit(25, 60, 23))
  expect(vaporPressureDeficit(25, 60, null)).toBeCloseTo(0.906, 2)
  expect(vaporPressureDeficit(25, 60, 25)).toBeCloseTo(0.4 * 3.169, 2)
  expect(vaporPressureDeficit(20, 100)).toBeLessThan(0)
})

test('returns null for readings no sensor can produce', () => {
  for (const [air, humidity, leaf] of [
    [25, 101, 23],
    [25, -1, 23],
    [Number.NaN, 50, 23],
    [25, Number.NaN, 23],
    [25, 50, Number.NaN],
    [85, 50, 23],
    [25, 50, -127],
  ] as const)
    expect(vaporPressureDeficit(air, humidity, leaf)).toBeNull()
})

test('rises with drier air and a warmer leaf, and falls with warmer air at the same humidity and leaf temperature', () => {
  const celsius = fc.double({ min: 0, max: 45, noNaN: true })
  const percent = fc.double({ min: 1, max: 100, noNaN: true })
  const step = fc.double({ min: 0.01, max: 5, noNaN: true })
  fc.assert(
    fc.property(celsius, percent, celsius, step, (air, humidity, leaf, more) => {
      const deficit = vaporPressureDeficit(air, humidity, leaf)!
      expect(vaporPressureDeficit(air, Math.max(0, humidity - more), leaf)).toBeGreaterThan(deficit)
      expect(vaporPressureDeficit(air, humidity, leaf + more)).toBeGreaterThan(deficit)
      expect(vaporPressureDeficit(air + more, humidity, leaf)).toBeLessThan(deficit)
    }),
  )
})
