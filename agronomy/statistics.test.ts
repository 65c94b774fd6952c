import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, nextNormal } from './random.ts'
import { correlate, normalCdf, normalDensity, normalQuantile } from './statistics.ts'

// R 4.3: qnorm, pnorm.
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
])('computes the share below %d as %d', (x, share) => {
  expect(normalCdf(x) / share).toBeCloseTo(1, 7)
})

test('handles the ends of the scale', () => {
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY)
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY)
  expect(normalQuantile(1.1)).toBeNaN()
  expect(normalQuantile(Number.NaN)).toBeNaN()
  expect(normalCdf(Number.NaN)).toBeNaN()
  expect(normalCdf(50)).toBe(1)
  expect(normalDensity(0)).toBeCloseTo(0.3989422804014327, 15)
})

test('inverts the quantile with the share', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (probability) => {
      expect(normalCdf(normalQuantile(probability))).toBeCloseTo(probability, 12)
    }),
  )
})

function traits(count: number, genotypes: number, correlation: number): number[][] {
  const random = createRandom(3)
  const common = Array.from({ length: genotypes }, () => nextNormal(random))
  return Array.from({ length: count }, () =>
    common.map((value) => Math.sqrt(correlation) * value + Math.sqrt(1 - correlation) * nextNormal(random)),
  )
}

const offDiagonal = (matrix: Float64Array, size: number) => [...matrix].filter((_, i) => i % size !== Math.floor(i / size))

test('finds no correlation between unrelated traits', () => {
  for (const value of offDiagonal(correlate(traits(20, 40, 0)), 20)) expect(Math.abs(value)).toBeLessThan(0.1)
})

test('finds the true correlation on average, even with few genotypes', () => {
  const found = offDiagonal(correlate(traits(10, 30, 0.6)), 10)
  expect(Math.abs(found.reduce((sum, value) => sum + value, 0) / found.length - 0.6)).toBeLessThan(0.1)
})

test('detects one correlated pair among many unrelated traits', () => {
  const [a, ...rest] = traits(6, 100, 0) as [number[], ...number[][]]
  const matrix = correlate([a, a.map((value) => -value), ...rest])
  expect(matrix[1]).toBeLessThan(-0.75)
})

test('gives a constant trait no correlation', () => {
  expect([
    ...correlate([
      [0.1, 0.1, 0.1],
      [1, 2, 3],
    ]),
  ]).toEqual([1, 0, 0, 1])
  expect([
    ...correlate([
      [null, null],
      [1, 2],
    ]),
  ]).toEqual([1, 0, 0, 1])
})

test('never yields a negative variance, even with missing values', () => {
  const value = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
  const table = fc
    .integer({ min: 1, max: 8 })
    .chain((size) => fc.array(fc.array(value, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 6 }))
  fc.assert(
    fc.property(table, fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }), (values, errors) => {
      const matrix = correlate(values)
      const size = values.length
      let variance = 0
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) variance += errors[i]! * errors[j]! * matrix[i * size + j]!
      expect(variance).toBeGreaterThanOrEqual(-1e-9)
    }),
  )
})
