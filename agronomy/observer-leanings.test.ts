import { describe, expect, test } from 'vitest'
import { fitTrait, type TraitValue } from './mixed-model.ts'
import { leaningsOf } from './observer-leanings.ts'
import { type PreparedRanking, prepareRanking } from './prepare-ranking.ts'
import { createRandom, nextNormal } from './random.ts'

const ids = Array.from({ length: 24 }, (_, i) => `${i}`)

/** Scores of the plants by each observer, with the observer's lean and random errors. */
function scored(leans: Record<string, number>, seed: number, scores = (_observer: string, _plant: number): boolean => true): TraitValue[] {
  const random = createRandom(seed)
  return ids.flatMap((genotypeId, i) => {
    const plant = nextNormal(random)
    return Object.entries(leans).flatMap(([observerId, lean]) => {
      const value = plant + lean + 0.5 * nextNormal(random)
      return scores(observerId, i) ? [{ genotypeId, plantId: genotypeId, runId: null, observerId, value }] : []
    })
  })
}

const leanings = (values: readonly TraitValue[]) =>
  leaningsOf(fitTrait({ values, genotypeIds: ids, checkIds: new Set(), stated: null, scaleWidth: 6 }), values)

describe('the difference between observers', () => {
  test('is estimated from plants that all observers scored, and listed with the highest scorer first', () => {
    const [wren, marlow] = leanings(scored({ marlow: -1, wren: 1 }, 1))
    expect([wren?.observerId, marlow?.observerId]).toEqual(['wren', 'marlow'])
    expect(Math.abs((wren?.mean ?? 0) - 1)).toBeLessThan(0.2)
    expect(Math.abs((marlow?.mean ?? 0) + 1)).toBeLessThan(0.2)
    expect(wren).toMatchObject({ values: 24, phenotypes: 24 })
    expect(wren?.low).toBeGreaterThan(0.5)
    expect((wren?.high ?? 0) - (wren?.low ?? 0)).toBeLessThan(0.6)
  })

  test('is less certain when each observer scored different plants', () => {
    const together = leanings(scored({ wren: 1, marlow: -1 }, 1))
    const apart = leanings(scored({ wren: 1, marlow: -1 }, 1, (observer, plant) => (observer === 'wren') === plant < 12))
    const width = (of: typeof apart) => (of[0]?.high ?? 0) - (of[0]?.low ?? 0)
    expect(width(apart)).toBeGreaterThan(1.5 * width(together))
  })

  test('is omitted for a lone observer, an unknown observer, and one who scored a single phenotype', () => {
    expect(leanings(scored({ wren: 1 }, 1))).toEqual([])
    expect(leanings(scored({ wren: 1, guest: 0 }, 1, (observer, plant) => observer === 'wren' || plant === 0))).toEqual([])
    const withUnknown = scored({ wren: 1, other: -1 }, 1).map((each) =>
      each.observerId === 'other' ? { ...each, observerId: null } : each,
    )
    expect(leanings(withUnknown).map(({ observerId }) => observerId)).toEqual(['wren'])
  })

  test.each([0.2, 0.6, 1.2])('lies within the interval about 4 times in 5, for differences of %s', (deviation) => {
    let inside = 0
    let all = 0
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(1000 + seed)
      const leans = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, deviation * nextNormal(random)]))
      const mean = Object.values(leans).reduce((sum, lean) => sum + lean, 0) / 4
      // Each observer scores half of the plants, and each plant is scored by two observers.
      const found = leanings(scored(leans, seed, (observer, plant) => (plant + observer.charCodeAt(0)) % 4 < 2))
      for (const { observerId, low, high } of found) {
        const truth = (leans[observerId] ?? 0) - mean
        all++
        if (low <= truth && truth <= high) inside++
      }
    }
    expect(all).toBe(240)
    expect(inside / all).toBeGreaterThan(0.72)
    expect(inside / all).toBeLessThan(0.87)
  })
})

test('states the difference in steps if the trait has steps', () => {
  const values = scored({ wren: 0.8, marlow: -0.8 }, 2).map(({ value, ...rest }) => ({
    ...rest,
    traitId: 'nose',
    value: Math.min(5, Math.max(1, Math.round(3 + value))),
  }))
  const prepared: PreparedRanking = prepareRanking({
    genotypes: ids.map((id) => ({ id })),
    traits: [{ id: 'nose', curve: { direction: 'max', low: 1, high: 5 }, isOrdinal: true }],
    records: values,
    draws: 64,
  })
  const [wren, marlow] = prepared.traits[0]?.leanings ?? []
  const meanBy = (observer: string) => {
    const own = values.filter(({ observerId }) => observerId === observer)
    return own.reduce((sum, { value }) => sum + value, 0) / own.length
  }
  const half = (meanBy('wren') - meanBy('marlow')) / 2
  expect(half).toBeGreaterThan(0.5)
  expect(Math.abs((wren?.mean ?? 0) - half)).toBeLessThan(0.25)
  expect(Math.abs((marlow?.mean ?? 0) + half)).toBeLessThan(0.25)
})
