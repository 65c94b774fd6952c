import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chanceWith, seedsFor } from './sample-size.ts'

test.each([
  [1 / 16, 47],
  [0.05, 59],
  [0.01, 299],
  [1, 1],
])('computes how many seeds are needed for a share of %d', (share, seeds) => {
  expect(seedsFor(share)).toBe(seeds)
  expect(seedsFor(share, 0.95, 'regular')).toBe(2 * seeds)
})

test('does not round up a whole number', () => {
  expect(seedsFor(0.5, 0.75)).toBe(2)
  for (let seeds = 1; seeds < 10; seeds++) expect(seedsFor(0.01, 1 - 0.99 ** seeds)).toBe(seeds)
})

test('computes the chance of success from the number of seeds', () => {
  expect(chanceWith(47, 1 / 16)).toBeCloseTo(0.95184, 4)
  expect(chanceWith(94, 1 / 16, 'regular')).toBeCloseTo(0.9494, 4)
  expect([chanceWith(0, 0.5), chanceWith(5, 0), chanceWith(1, 1), chanceWith(0, 1)]).toEqual([0, 0, 1, 0])
})

test('returns the smallest sufficient number of seeds', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: 0.01, max: 0.999, noNaN: true }),
      (share, confidence) => {
        const seeds = seedsFor(share, confidence)
        expect(chanceWith(seeds, share)).toBeGreaterThanOrEqual(confidence - 1e-7)
        if (seeds > 1) expect(chanceWith(seeds - 1, share)).toBeLessThan(confidence)
      },
    ),
  )
})

test('rejects impossible input', () => {
  for (const share of [0, -1, 1.1, Number.NaN]) expect(() => seedsFor(share)).toThrow(RangeError)
  for (const confidence of [0, 1, Number.NaN]) expect(() => seedsFor(0.5, confidence)).toThrow(RangeError)
  expect(() => chanceWith(-1, 0.5)).toThrow(RangeError)
  expect(() => chanceWith(1, 2)).toThrow(RangeError)
})
