import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exponential, naturalLog, normalCdf, normalDensity, normalQuantile } from './statistics.ts'

// Values from qnorm and pnorm of R 4.3.
test.each([
  [0.5, 0],
  [0.75, 0.6744897501960817],
  [0.9, 1.2815515655446004],
  [0.975, 1.959963984540054],
  [0.001, -3.090232306167813],
  [1e-6, -4.753424308822899],
  [1e-12, -7.034483825301131],
])('computes the quantile at %d as %d', (probability, quantile) => {
  expect(normalQuantile(probability)).toBeCloseTo(quantile, 12)
})

test.each([
  [0, 0.5],
  [1, 0.8413447460685429],
  [-1.96, 0.024997895148220435],
  [-8, 6.22096057427178e-16],
])('computes the share of a normal distribution below %d as %d', (x, share) => {
  expect(normalCdf(x) / share).toBeCloseTo(1, 7)
})

test('returns infinite quantiles for 0 and 1, and NaN for invalid input', () => {
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY)
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY)
  expect(normalQuantile(1.1)).toBeNaN()
  expect(normalQuantile(Number.NaN)).toBeNaN()
  expect(normalCdf(Number.NaN)).toBeNaN()
  expect(normalCdf(50)).toBe(1)
  expect(normalDensity(0)).toBeCloseTo(0.3989422804014327, 15)
})

test('inverts the quantile function with the distribution function', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (probability) => {
      expect(normalCdf(normalQuantile(probability))).toBeCloseTo(probability, 12)
    }),
  )
})

test('matches Math.log and Math.exp to twelve digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-200, max: 1e200, noNaN: true }), fc.double({ min: -600, max: 600, noNaN: true }), (x, power) => {
      expect(naturalLog(x) / Math.log(x)).toBeCloseTo(1, 12)
      expect(exponential(power) / Math.exp(power)).toBeCloseTo(1, 12)
    }),
  )
  expect(naturalLog(1)).toBeCloseTo(0, 15)
  expect([naturalLog(0), exponential(0), exponential(-800)]).toEqual([Number.NEGATIVE_INFINITY, 1, 0])
})
