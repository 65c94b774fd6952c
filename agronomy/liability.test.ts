import { describe, expect, test } from 'vitest'
import { liabilityOf, posteriorsBy } from './liability.ts'
import { createRandom, nextNormal } from './random.ts'
import { normalQuantile } from './statistics.ts'

const repeated = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([step, count]) => new Array<number>(count).fill(Number(step)))

const variances = { genotype: 0.4, interaction: 0.15, plant: 0, residual: 0.45 }

describe('the estimate from a phenotype’s steps', () => {
  const thresholds = [-1, 0.3]
  const cell = (step: number, plant: number, run = 0, shift = 0) => ({ step, plant, run, shift, noise: 0 })

  test('matches simulated phenotypes with the same steps', () => {
    const random = createRandom(7)
    const stepOf = (liability: number) => thresholds.filter((threshold) => liability > threshold).length
    const own: number[] = []
    for (let n = 0; n < 200_000; n++) {
      const genotype = Math.sqrt(0.4) * nextNormal(random)
      const rooms = [0, 0.2].map((shift) => shift + genotype + Math.sqrt(0.15) * nextNormal(random))
      const plant = (room: number) => rooms[room]! + Math.sqrt(0.45) * nextNormal(random)
      if (stepOf(plant(0)) === 2 && stepOf(plant(0)) === 2 && stepOf(plant(1)) === 1) own.push(genotype)
    }
    own.sort((a, b) => a - b)
    const posterior = posteriorsBy({ thresholds }, variances)([cell(2, 0), cell(2, 1), cell(1, 2, 1, 0.2)])
    expect(own.length).toBeGreaterThan(10_000)
    expect(posterior.mean).toBeCloseTo(own.reduce((sum, each) => sum + each, 0) / own.length, 1)
    for (const share of [0.05, 0.5, 0.95]) {
      const quantile = own[Math.floor(share * own.length)]!
      expect(Math.abs(posterior.at(normalQuantile(share)) - quantile)).toBeLessThan(0.04)
    }
  })

  test('is less certain at the end of the scale', () => {
    const ofSteps = posteriorsBy({ thresholds }, variances)
    expect(ofSteps([cell(2, 0), cell(2, 1)]).variance).toBeGreaterThan(1.05 * ofSteps([cell(1, 0), cell(1, 1)]).variance)
  })

  test('equals the prior if there are no values, and moves less for two values of one plant than for two plants', () => {
    const ofSteps = posteriorsBy({ thresholds }, { genotype: 0.3, interaction: 0.1, plant: 0.4, residual: 0.2 })
    expect(ofSteps([]).mean).toBeCloseTo(0, 9)
    expect(ofSteps([]).variance).toBeCloseTo(0.3, 2)
    expect(ofSteps([cell(2, 0), cell(2, 0)]).mean).toBeLessThan(ofSteps([cell(2, 0), cell(2, 1)]).mean - 0.02)
  })
})

describe('a scale of steps', () => {
  test('scores each step as the mean liability within it', () => {
    const { scoreOf } = liabilityOf(repeated({ 0: 50, 1: 50 }))!
    // The mean of half a normal distribution: the square root of 2/π.
    expect(scoreOf(1)).toBeCloseTo(Math.sqrt(2 / Math.PI), 9)
    expect(scoreOf(0)).toBeCloseTo(-Math.sqrt(2 / Math.PI), 9)
  })

  test('has scores that average 0 and increase with the step', () => {
    const counts = { 1: 5, 2: 22, 3: 31, 4: 9, 5: 3 }
    const { scoreOf } = liabilityOf(repeated(counts))!
    const scores = Object.keys(counts).map((step) => scoreOf(Number(step)))
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(Object.values(counts).reduce((sum, count, i) => sum + count * scores[i]!, 0)).toBeCloseTo(0, 9)
  })

  test('predicts the mean step of simulated plants', () => {
    const random = createRandom(1)
    const thresholds = [-1, 0, 0.8]
    const stepOf = (liability: number) => thresholds.filter((threshold) => liability > threshold).length
    const shareOfPheno = 0.5
    const { meanStepBy } = liabilityOf(Array.from({ length: 20_000 }, () => stepOf(nextNormal(random))))!
    const own = 0.9
    const steps = Array.from({ length: 20_000 }, () => stepOf(own + Math.sqrt(1 - shareOfPheno) * nextNormal(random)))
    const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
    const found = meanStepBy(shareOfPheno)(own)
    expect(Math.abs(found - mean(steps))).toBeLessThan(0.03)
  })

  test('never predicts a mean step outside the range from the first to the last step', () => {
    const meanStep = liabilityOf(repeated({ 1: 30, 2: 30, 5: 30 }))!.meanStepBy(0.4)
    expect(meanStep(-50)).toBeCloseTo(1, 6)
    expect(meanStep(50)).toBeCloseTo(5, 6)
    expect(meanStep(0.3)).toBeGreaterThan(meanStep(0.2))
  })
})

test.each([
  ['too few values', repeated({ 1: 20, 2: 19 })],
  ['values in only one step', repeated({ 1: 60 })],
  ['hardly any values outside one step', repeated({ 1: 60, 2: 2 })],
  ['more steps than a scale can have', Array.from({ length: 60 }, (_, i) => i % 12)],
])('estimates no liability if there are %s', (_name, values) => {
  expect(liabilityOf(values)).toBeNull()
})
