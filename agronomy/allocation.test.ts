import { expect, test } from 'vitest'
import { allocatePlants, expectedLargest } from './allocation.ts'
import { createRandom, nextNormal } from './random.ts'

/** H. L. Harter, “Expected values of normal order statistics”, Biometrika 48 (1961). */
test.each([
  [1, 0],
  [2, 0.56419],
  [5, 1.16296],
  [10, 1.53875],
  [30, 2.04276],
  [100, 2.50759],
])('computes the expected largest of %d draws', (count, expected) => {
  expect(expectedLargest(count)).toBeCloseTo(expected, 4)
})

test('proposes many candidates for a heritable trait, and fewer with more clones otherwise', () => {
  const bestAt = (heritability: number) => allocatePlants(60, heritability)[0]!
  expect(bestAt(0.9)).toMatchObject({ candidates: 60, plantsEach: 1 })
  expect(bestAt(0.5)).toMatchObject({ candidates: 30, plantsEach: 2 })
  expect(bestAt(0.1).plantsEach).toBeGreaterThan(bestAt(0.3).plantsEach)
})

test('predicts the gain seen in simulated hunts', () => {
  const random = createRandom(8)
  const { candidates, plantsEach, expectedGain } = allocatePlants(60, 0.3).find((each) => each.plantsEach === 3)!
  let sum = 0
  for (let hunt = 0; hunt < 2000; hunt++) {
    let best = Number.NEGATIVE_INFINITY
    let truth = 0
    for (let i = 0; i < candidates; i++) {
      const genotype = nextNormal(random)
      const mean = genotype * Math.sqrt(0.3) + nextNormal(random) * Math.sqrt(0.7 / plantsEach)
      if (mean > best) {
        best = mean
        truth = genotype
      }
    }
    sum += truth
  }
  expect(Math.abs(sum / 2000 - expectedGain)).toBeLessThan(0.05)
})

test('needs at least two candidates and never exceeds the available plants', () => {
  for (const { candidates, plantsEach } of allocatePlants(7, 0.3)) {
    expect(candidates).toBeGreaterThanOrEqual(2)
    expect(candidates * plantsEach).toBeLessThanOrEqual(7)
  }
  expect(allocatePlants(7, 0).map(({ expectedGain }) => expectedGain)).toEqual([0, 0, 0])
  expect(() => allocatePlants(1, 0.3)).toThrow(RangeError)
  expect(() => allocatePlants(10.5, 0.3)).toThrow(RangeError)
  expect(() => allocatePlants(10, 1.5)).toThrow(RangeError)
})
