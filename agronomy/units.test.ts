import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as units from './units.ts'

test('converts known pairs', () => {
  expect([-40, 0, 25, 100].map(units.toFahrenheit)).toEqual([-40, 32, 77, 212])
  expect([-40, 32, 77, 212].map(units.toCelsius)).toEqual([-40, 0, 25, 100])
  expect([units.toFahrenheitDifference(-2), units.toCelsiusDifference(-3.6)]).toEqual([-3.6, -2])
  expect([units.toInches(254), units.toCentimeters(12)]).toEqual([100, 30.48])
  expect([units.toOunces(28.349523125), units.toGrams(16)]).toEqual([1, 453.59237])
})

test('converts back without loss', () => {
  fc.assert(
    fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (value) => {
      expect(units.toCelsius(units.toFahrenheit(value))).toBeCloseTo(value, 9)
      expect(units.toCelsiusDifference(units.toFahrenheitDifference(value))).toBeCloseTo(value, 9)
      expect(units.toCentimeters(units.toInches(value))).toBeCloseTo(value, 9)
      expect(units.toGrams(units.toOunces(value))).toBeCloseTo(value, 9)
    }),
  )
})
