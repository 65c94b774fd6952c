import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviationOf, meanOf, pairAgreement, pooledDeviation } from './read-panels.ts'

const numbers = fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 8 })

describe('a mean or deviation', () => {
  it('matches the textbook formulas', () => {
    expect(meanOf([2, 4, 4, 4, 5, 5, 7, 9])).toBe(5)
    expect(deviationOf([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
  })

  it('is null for too few values', () => {
    expect([meanOf([]), deviationOf([]), deviationOf([3])]).toEqual([null, null, null])
  })
})

describe('the pooled deviation within jars', () => {
  it('weights jars by their degrees of freedom', () => {
    // Variances 2 (n = 2) and 1 (n = 3): (1·2 + 2·1) / 3.
    expect(pooledDeviation([[1, 3], [4, 5, 6], [9]])).toBeCloseTo(Math.sqrt(4 / 3), 12)
    expect(pooledDeviation([[1], [5], []])).toBeNull()
  })

  it('equals that of a single jar and ignores differences between jars', () => {
    fc.assert(
      fc.property(fc.array(numbers, { maxLength: 5 }), fc.integer({ min: 1, max: 1000 }), (jars, by) => {
        const moved = jars.map((values, i) => values.map((value) => value + i * by))
        const [before, after] = [pooledDeviation(jars), pooledDeviation(moved)]
        if (before === null) expect(after).toBeNull()
        else expect(after).toBeCloseTo(before, 8)
      }),
    )
    fc.assert(
      fc.property(numbers, (values) => {
        const own = deviationOf(values)
        if (own === null) expect(pooledDeviation([values])).toBeNull()
        else expect(pooledDeviation([values])).toBeCloseTo(own, 10)
      }),
    )
  })
})

describe('pairwise agreement', () => {
  it('is the mean share of named descriptors that both testers named', () => {
    // The pair in which both named 1 agrees fully; the two pairs of 1 and 2 don't agree at all.
    expect(pairAgreement([[[1], [1], [2]]])).toBeCloseTo(1 / 3, 12)
    // {1,2} and {2,3} share one of three; two testers who name nothing agree fully.
    expect(
      pairAgreement([
        [
          [1, 2],
          [2, 3],
        ],
        [[], []],
      ]),
    ).toBeCloseTo((1 / 3 + 1) / 2, 12)
    expect(pairAgreement([[[1]], []])).toBeNull()
  })

  it('lies between 0 and 1, and doesn’t depend on the order of testers', () => {
    const choices = fc.array(fc.uniqueArray(fc.nat(4), { maxLength: 4 }), { maxLength: 5 })
    fc.assert(
      fc.property(choices, (answers) => {
        const found = pairAgreement([answers])
        if (found === null) return
        expect(found).toBeGreaterThanOrEqual(0)
        expect(found).toBeLessThanOrEqual(1)
        expect(pairAgreement([answers.toReversed()])).toBeCloseTo(found, 12)
      }),
    )
  })
})
