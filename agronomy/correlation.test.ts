import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correlate } from './correlation.ts'
import { createRandom, nextNormal } from './random.ts'

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
