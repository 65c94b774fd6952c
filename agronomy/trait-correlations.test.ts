import { expect, test } from 'vitest'
import { createRandom, nextNormal } from './random.ts'
import { correlateTraits } from './trait-correlations.ts'

/** Two traits of 60 phenotypes with these correlations. Genes and environment each cause half of a trait's variance. */
function table(clones: number, genetic: number, residual: number, seed = 1) {
  const random = createRandom(seed)
  const pair = (correlation: number) => {
    const first = nextNormal(random)
    return [first, correlation * first + Math.sqrt(1 - correlation ** 2) * nextNormal(random)] as const
  }
  const genotypes: number[] = []
  const values: [number[], number[]] = [[], []]
  for (let g = 0; g < 60; g++) {
    const own = pair(genetic)
    for (let p = 0; p < clones; p++) {
      const pot = pair(residual)
      genotypes.push(g)
      for (const t of [0, 1] as const) values[t].push(Math.SQRT1_2 * (own[t] + pot[t]))
    }
  }
  return { genotypes, values: values.map((each) => Float64Array.from(each)), genetic: [0.5, 0.5], residual: [0.5, 0.5] }
}

test('distinguishes opposed genetic and environmental correlations', () => {
  const { genetic, residual } = correlateTraits(table(3, -0.6, 0.6))
  expect(genetic[1]).toBeLessThan(-0.3)
  expect(residual[1]).toBeGreaterThan(0.4)
  expect([genetic[0], genetic[3], genetic[2]]).toEqual([1, 1, genetic[1]])
})

test('finds no correlation between unrelated traits', () => {
  const found = [1, 2, 3, 4].map((seed) => correlateTraits(table(2, 0, 0, seed)))
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  expect(Math.abs(mean(found.map(({ genetic }) => genetic[1]!)))).toBeLessThan(0.15)
  expect(Math.abs(mean(found.map(({ residual }) => residual[1]!)))).toBeLessThan(0.15)
})

test('attributes a correlation to both genes and environment if there are no clones', () => {
  const { genetic, residual } = correlateTraits(table(1, 0.7, 0.7))
  expect(genetic[1]).toBeGreaterThan(0.4)
  expect(residual[1]).toBeGreaterThan(0.4)
})

test('reports no correlation for traits rarely measured on the same plant', () => {
  const { values, ...rest } = table(1, 0.9, 0.9)
  const apart = [values[0]!, values[1]!.map((value, i) => (i > 2 ? Number.NaN : value))]
  expect([...correlateTraits({ ...rest, values: apart }).genetic]).toEqual([1, 0, 0, 1])
})
