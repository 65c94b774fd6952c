import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateVariance, predictTrait, usualHeritability } from './predict.ts'
import { createRandom, nextNormal } from './random.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const variances = fc.record({
  genetic: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
  residual: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
})
const groupsOf = fc
  .array(fc.array(unit, { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .filter((groups) => groups.some((group) => group.length > 0))

/** h² = 0.5: a single plant has reliability 0.5, four have 0.8. */
test('shrinks a mean toward the hunt’s, most of all for a single plant', () => {
  const { mean, predictions } = predictTrait([[0.9], [0.9, 0.9, 0.9, 0.9], [0.1], [0.1, 0.1, 0.1, 0.1], []], {
    genetic: 0.02,
    residual: 0.02,
  })
  expect(mean).toBeCloseTo(0.5, 12)
  expect(predictions.map(({ value }) => value)).toEqual([0.7, 0.82, 0.3, 0.18, 0.5].map((value) => expect.closeTo(value, 12)))
  expect(predictions.map(({ reliability }) => reliability)).toEqual([0.5, 0.8, 0.5, 0.8, 0].map((value) => expect.closeTo(value, 12)))
  expect(predictions.map(({ errorVariance }) => errorVariance)).toEqual(
    [0.01, 0.004, 0.01, 0.004, 0.02].map((value) => expect.closeTo(value, 12)),
  )
  expect(predictions[4]).toMatchObject({ ownMean: null, plants: 0 })
})

test('predicts the hunt’s mean at zero heritability and the genotype’s own mean at full heritability', () => {
  expect(predictTrait([[0.2], [0.6]], { genetic: 0, residual: 0.1 }).predictions.map(({ value }) => value)).toEqual([0.4, 0.4])
  expect(predictTrait([[0.2], [0.6]], { genetic: 0.1, residual: 0 }).predictions.map(({ value }) => value)).toEqual([0.2, 0.6])
  expect(predictTrait([[0.5], [0.5, 0.5], []], { genetic: 0, residual: 0 })).toMatchObject({ mean: 0.5, meanVariance: 0 })
})

test('predicts between the genotype’s mean and the hunt’s, with an error of at most Vg', () => {
  fc.assert(
    fc.property(groupsOf, variances, (groups, variance) => {
      const { mean, predictions } = predictTrait(groups, variance)
      for (const { value, ownMean, errorVariance, plants } of predictions) {
        expect(value).toBeGreaterThanOrEqual(Math.min(mean, ownMean ?? mean) - 1e-12)
        expect(value).toBeLessThanOrEqual(Math.max(mean, ownMean ?? mean) + 1e-12)
        if (plants === 0) expect(errorVariance).toBe(variance.genetic)
        else expect(errorVariance).toBeLessThan(variance.genetic)
      }
    }),
  )
})

test('raises the improved genotype’s prediction the most', () => {
  fc.assert(
    fc.property(groupsOf, variances, unit, (groups, variance, better) => {
      const at = groups.findIndex((group) => group.length > 0)
      const before = predictTrait(groups, variance)
      const changed = groups.map((group, i) => (i === at ? [Math.max(group[0]!, better), ...group.slice(1)] : group))
      const after = predictTrait(changed, variance)
      expect(after.predictions[at]!.value).toBeGreaterThanOrEqual(before.predictions[at]!.value - 1e-12)
      const gains = after.predictions.map((prediction, i) => prediction.value - before.predictions[i]!.value)
      for (const gain of gains) expect(gains[at]).toBeGreaterThanOrEqual(gain - 1e-12)
    }),
  )
})

test('predicts with more certainty after another plant', () => {
  fc.assert(
    fc.property(groupsOf, variances, unit, (groups, variance, value) => {
      const before = predictTrait(groups, variance).predictions[0]!
      const after = predictTrait([[...groups[0]!, value], ...groups.slice(1)], variance).predictions[0]!
      expect(after.errorVariance).toBeLessThan(before.errorVariance)
      expect(after.reliability).toBeGreaterThan(before.reliability)
    }),
  )
})

const share = fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000)
const measuredGroups = fc.array(fc.array(share, { maxLength: 4 }), { minLength: 0, maxLength: 20 })

/** Computed by hand: means .2 .4 .6 .8 .5 .5, MS between 0.08, MS within 0.005, n0 = 2: Vg = 0.0375, Ve = 0.005. */
test('estimates from two plants each', () => {
  const pairs = [0.2, 0.4, 0.6, 0.8, 0.5, 0.5].map((mean) => [mean - 0.05, mean + 0.05])
  const variance = estimateVariance(pairs, 0.5)
  expect(variance).toMatchObject({ source: 'estimated', genotypes: 6, replicatedGenotypes: 6, spareReplicates: 6 })
  expect(variance.estimate).toBeCloseTo(0.0375 / 0.0425, 12)
  // 6 spare replicates, against the stated heritability's weight of 10.
  expect(variance.heritability).toBeCloseTo(((6 * 0.0375) / 0.0425 + 10 * 0.5) / 16, 12)
  expect(variance.genetic + variance.residual).toBeCloseTo(0.0425, 12)
})

/** Computed by hand: N = 8, k = 4, n0 = (8 − 20/8)/3 = 11/6; means .25 .5 .75 .9. */
test('estimates from unequal numbers of plants', () => {
  const groups = [[0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8], [0.9]]
  const { estimate, source } = estimateVariance([...groups, []])
  expect(source).toBe('stated')
  expect(estimate).toBeNull()
  const six = [...groups, [0.1, 0.2], [0.5, 0.5]]
  const total = 12
  const grand = six.flat().reduce((sum, value) => sum + value, 0) / total
  const mean = (group: number[]) => group.reduce((sum, value) => sum + value, 0) / group.length
  const between = six.reduce((sum, group) => sum + group.length * (mean(group) - grand) ** 2, 0) / 5
  const within = six.flatMap((group) => group.map((value) => (value - mean(group)) ** 2)).reduce((sum, value) => sum + value, 0) / 6
  const n0 = (total - (4 + 9 + 4 + 1 + 4 + 4) / total) / 5
  const genetic = (between - within) / n0
  expect(estimateVariance(six).estimate).toBeCloseTo(genetic / (genetic + within), 12)
})

test('blends a zero estimate with the stated heritability', () => {
  const variance = estimateVariance(Array.from({ length: 12 }, () => [0.2, 0.8]))
  expect(variance.estimate).toBe(0)
  expect(variance.heritability).toBeCloseTo((10 * usualHeritability) / 22, 12)
})

test('uses the stated heritability, or 0.3, without enough replicates', () => {
  const single = Array.from({ length: 30 }, (_, i) => [i / 30])
  expect(estimateVariance(single)).toMatchObject({ heritability: 0.3, source: 'stated', estimate: null, replicatedGenotypes: 0 })
  expect(estimateVariance(single, 0.6)).toMatchObject({ heritability: 0.6, source: 'stated' })
  const twoReplicated = [[0, 0.1, 0.2, 0.1], [0.5, 0.6, 0.5, 0.4], ...single]
  expect(estimateVariance(twoReplicated).source).toBe('stated')
  expect(estimateVariance([...twoReplicated, [0.3, 0.4]]).source).toBe('estimated')
})

test('assumes a wide spread for few genotypes', () => {
  expect(estimateVariance([], 0.5)).toMatchObject({ genetic: 1 / 24, residual: 1 / 24, genotypes: 0 })
  expect(estimateVariance([[0.5]], 0.5).genetic).toBeCloseTo(1 / 24, 12)
  expect(estimateVariance([[0.5], [0.5], [0.5]], 0.5).genetic).toBeGreaterThan(0)
  expect(estimateVariance(Array.from({ length: 6 }, () => [0.5])).genetic).toBe(0)
})

test('is unbiased over many hunts', () => {
  const random = createRandom(5)
  let sum = 0
  for (let hunt = 0; hunt < 300; hunt++) {
    const groups = Array.from({ length: 40 }, (_, g) => {
      const genotype = nextNormal(random) * Math.sqrt(0.4)
      return Array.from({ length: 1 + (g % 3) }, () => genotype + nextNormal(random) * Math.sqrt(0.6))
    })
    sum += estimateVariance(groups).estimate!
  }
  expect(Math.abs(sum / 300 - 0.4)).toBeLessThan(0.025)
})

test('ignores the order of genotypes and plants and an added constant', () => {
  fc.assert(
    fc.property(measuredGroups, share, (groups, constant) => {
      const variance = estimateVariance(groups)
      expect(estimateVariance([...groups].reverse().map((group) => [...group].reverse()))).toEqual(variance)
      const moved = estimateVariance(groups.map((group) => group.map((value) => value + constant)))
      expect(moved.genetic).toBeCloseTo(variance.genetic, 9)
      expect(moved.residual).toBeCloseTo(variance.residual, 9)
    }),
  )
})

test('keeps variances non-negative and heritability between 0 and 1', () => {
  fc.assert(
    fc.property(measuredGroups, fc.option(share), (groups, stated) => {
      const variance = estimateVariance(groups, stated)
      expect(variance.genetic).toBeGreaterThanOrEqual(0)
      expect(variance.residual).toBeGreaterThanOrEqual(0)
      expect(variance.heritability).toBeGreaterThanOrEqual(0)
      expect(variance.heritability).toBeLessThanOrEqual(1)
    }),
  )
})
