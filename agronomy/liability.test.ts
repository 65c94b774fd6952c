import { describe, expect, test } from 'vitest'
import { liabilityOf } from './liability.ts'
import { createRandom, nextNormal } from './random.ts'

const repeated = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([step, count]) => new Array<number>(count).fill(Number(step)))

describe('a scale of steps', () => {
  test('counts each step as the mean liability in it', () => {
    const { scoreOf } = liabilityOf(repeated({ 0: 50, 1: 50 }))!
    // The mean of half a normal distribution: the square root of 2/π.
    expect(scoreOf(1)).toBeCloseTo(Math.sqrt(2 / Math.PI), 9)
    expect(scoreOf(0)).toBeCloseTo(-Math.sqrt(2 / Math.PI), 9)
  })

  test('has scores that average 0 and grow with the step', () => {
    const counts = { 1: 5, 2: 22, 3: 31, 4: 9, 5: 3 }
    const { scoreOf } = liabilityOf(repeated(counts))!
    const scores = Object.keys(counts).map((step) => scoreOf(Number(step)))
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(Object.values(counts).reduce((sum, count, i) => sum + count * scores[i]!, 0)).toBeCloseTo(0, 9)
  })

  test('gives the mean step of a phenotype, as in simulated plants', () => {
    const random = createRandom(1)
    const thresholds = [-1, 0, 0.8]
    const stepOf = (liability: number) => thresholds.filter((threshold) => liability > threshold).length
    const shareOfPheno = 0.5
    const { scoreOf, meanStepBy } = liabilityOf(Array.from({ length: 20_000 }, () => stepOf(nextNormal(random))))!
    const own = 0.9
    const steps = Array.from({ length: 20_000 }, () => stepOf(own + Math.sqrt(1 - shareOfPheno) * nextNormal(random)))
    const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
    const variance = mean(Array.from({ length: 20_000 }, () => scoreOf(stepOf(nextNormal(random))) ** 2))
    const found = meanStepBy(shareOfPheno * variance)(own * variance)
    expect(Math.abs(found - mean(steps))).toBeLessThan(0.03)
  })

  test('stays between the first and the last step', () => {
    const meanStep = liabilityOf(repeated({ 1: 30, 2: 30, 5: 30 }))!.meanStepBy(0.4)
    expect(meanStep(-50)).toBeCloseTo(1, 6)
    expect(meanStep(50)).toBeCloseTo(5, 6)
    expect(meanStep(0.3)).toBeGreaterThan(meanStep(0.2))
  })
})

test.each([
  ['too few values', repeated({ 1: 20, 2: 19 })],
  ['all values in one step', repeated({ 1: 60 })],
  ['hardly any value outside of one step', repeated({ 1: 60, 2: 2 })],
  ['more steps than a scale has', Array.from({ length: 60 }, (_, i) => i % 12)],
])('counts steps as numbers with %s', (_name, values) => {
  expect(liabilityOf(values)).toBeNull()
})
