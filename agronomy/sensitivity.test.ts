import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PreparedRanking, prepareRanking } from './prepare-ranking.ts'
import { rankKeepers } from './rank.ts'
import { testWeights } from './sensitivity.ts'

/** Twelve plants of each, so that the predictions are close to the table. */
function hunt(table: Record<string, Record<string, number>>): PreparedRanking {
  const traits = Object.keys(Object.values(table)[0]!)
  return prepareRanking({
    genotypes: Object.keys(table).map((id) => ({ id })),
    traits: traits.map((id) => ({ id, curve: { direction: 'max', low: 0, high: 1 }, heritability: 1 })),
    draws: 16,
    records: Object.entries(table).flatMap(([genotypeId, values]) =>
      Object.entries(values).map(([traitId, value]) => ({ genotypeId, traitId, plantId: `${genotypeId}-1`, runId: null, value })),
    ),
  })
}

test('changes a narrow winner along with the deciding weight', () => {
  const prepared = hunt({ a: { yield: 0.8, aroma: 0.4 }, b: { yield: 0.4, aroma: 0.78 } })
  const { winnerId, changes, overtakers } = testWeights(prepared, { yield: 1, aroma: 1 })!
  expect(winnerId).toBe('a')
  expect(changes).toEqual([
    { traitId: 'aroma', factor: 0.8, winnerId: 'a', changesWinner: false },
    { traitId: 'aroma', factor: 1.2, winnerId: 'b', changesWinner: true },
    { traitId: 'yield', factor: 0.8, winnerId: 'b', changesWinner: true },
    { traitId: 'yield', factor: 1.2, winnerId: 'a', changesWinner: false },
  ])
  // Aroma by 1.2 and yield by 0.8: (1.2·0.38 − 0.8·0.4)/2.
  expect(overtakers).toEqual([{ id: 'b', points: expect.closeTo(6.8, 9) }])
})

test('keeps a winner that leads in every trait under any weights', () => {
  const prepared = hunt({ a: { yield: 0.8, aroma: 0.8 }, b: { yield: 0.79, aroma: 0.2 }, c: { yield: 0.1, aroma: 0.8 } })
  const { changes, overtakers } = testWeights(prepared, { yield: 1, aroma: 5 })!
  expect(changes.some(({ changesWinner }) => changesWinner)).toBe(false)
  expect(overtakers).toEqual([])
})

test('finds an overtaker that only a combination of weights produces', () => {
  const prepared = hunt({ a: { yield: 0.8, aroma: 0.4 }, b: { yield: 0.5, aroma: 0.6 } })
  const { changes, overtakers } = testWeights(prepared, { yield: 1, aroma: 1.1 })!
  expect(changes.some(({ changesWinner }) => changesWinner)).toBe(false)
  expect(overtakers).toEqual([{ id: 'b', points: expect.any(Number) }])
})

test('has no winner without weights, records, or candidates', () => {
  const prepared = hunt({ a: { yield: 0.8 } })
  expect(testWeights(prepared, {})).toBeNull()
  expect(testWeights(prepareRanking({ genotypes: [], traits: [], records: [] }), {})).toBeNull()
  expect(testWeights(prepared, { yield: 1 })).toMatchObject({ winnerId: 'a', overtakers: [] })
})

test('agrees with the ranking on changed winners and on every overtaker within the bounds', () => {
  const unit = fc.integer({ min: 0, max: 20 }).map((value) => value / 20)
  const table = fc.array(fc.record({ yield: unit, aroma: unit, speed: unit }), { minLength: 1, maxLength: 6 })
  const weight = fc.integer({ min: 1, max: 9 })
  const factor = fc.double({ min: 0.8, max: 1.2, noNaN: true })
  fc.assert(
    fc.property(table, fc.tuple(weight, weight, weight), fc.tuple(factor, factor, factor), (rows, weights, factors) => {
      const prepared = hunt(Object.fromEntries(rows.map((row, i) => [`g${i}`, row])))
      const named = { yield: weights[0], aroma: weights[1], speed: weights[2] }
      const { winnerId, changes, overtakers } = testWeights(prepared, named)!
      expect(rankKeepers(prepared, named).standings[0]!.id).toBe(winnerId)
      const scoresWith = (changed: Record<string, number>) =>
        new Map(rankKeepers(prepared, changed).standings.map(({ id, score }) => [id, score]))
      for (const change of changes) {
        const scores = scoresWith({ ...named, [change.traitId]: named[change.traitId as keyof typeof named] * change.factor })
        expect(scores.get(change.winnerId)).toBeCloseTo(Math.max(...scores.values()), 9)
      }
      const moved = scoresWith({ yield: weights[0] * factors[0], aroma: weights[1] * factors[1], speed: weights[2] * factors[2] })
      for (const [id, score] of moved) {
        const lead = score - moved.get(winnerId)!
        if (lead > 1e-6) expect(overtakers.map((each) => each.id)).toContain(id)
      }
    }),
  )
})
