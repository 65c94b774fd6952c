import fc from 'fast-check'
import { expect, test } from 'vitest'
import { predictTrait } from './predict.ts'

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
