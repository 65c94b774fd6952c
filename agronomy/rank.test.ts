import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctForCorrelations, weigh } from './combine-scores.ts'
import { type PreparedRanking, prepareRanking, type RankingInput, type RankingRecord } from './prepare-ranking.ts'
import { type Ranking, rankKeepers, testWeights } from './rank.ts'

const rank = (input: RankingInput, weights: Record<string, number> = { yield: 1, aroma: 1 }) => rankKeepers(prepareRanking(input), weights)
const of = (ranking: Ranking, id: string) => ranking.standings.find((standing) => standing.id === id)!
const record = (
  genotypeId: string,
  traitId: string,
  value: number,
  plantId = `${genotypeId}-1`,
  runId: string | null = null,
): RankingRecord => ({
  genotypeId,
  traitId,
  plantId,
  runId,
  value,
})
const traits: RankingInput['traits'] = [
  { id: 'yield', curve: { direction: 'max', low: 0, high: 100 } },
  { id: 'aroma', curve: { direction: 'max', low: 0, high: 10 } },
]
const named = (...ids: string[]) => ids.map((id) => ({ id }))

/** Hunts of up to ten genotypes with missing values, several plants and repeated measurements, in up to three runs. */
const hunts: fc.Arbitrary<RankingInput> = fc
  .tuple(
    fc.integer({ min: 1, max: 10 }),
    fc.array(fc.tuple(fc.nat(9), fc.nat(1), fc.nat(2), fc.integer({ min: 0, max: 100 })), { minLength: 1, maxLength: 60 }),
  )
  .map(([count, entries]) => ({
    genotypes: Array.from({ length: count }, (_, i) => ({ id: `g${i}` })),
    traits,
    draws: 64,
    records: entries.map(([genotype, trait, plant, value]) =>
      record(
        `g${genotype % count}`,
        trait ? 'aroma' : 'yield',
        trait ? value / 10 : value,
        `g${genotype % count}-${plant}`,
        `run ${(plant + value) % 3}`,
      ),
    ),
  }))

describe('the ranking', () => {
  test('ignores the order of candidates and records', () => {
    const shuffled = hunts.chain((hunt) =>
      fc.record({
        hunt: fc.constant(hunt),
        genotypes: fc.shuffledSubarray([...hunt.genotypes], { minLength: hunt.genotypes.length }),
        records: fc.shuffledSubarray([...hunt.records], { minLength: hunt.records.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ hunt, genotypes, records }) => {
        expect(rank({ ...hunt, genotypes, records })).toEqual(rank(hunt))
      }),
    )
  })

  test('gives chances of first place that total 1, and chances of a top-three place that are never lower and total at most 3', () => {
    fc.assert(
      fc.property(hunts, (hunt) => {
        const { standings } = rank(hunt)
        const sum = (of: (standing: (typeof standings)[number]) => number) => standings.reduce((total, each) => total + of(each), 0)
        expect(sum(({ pBest }) => pBest)).toBeCloseTo(1, 9)
        expect(sum(({ pTop3 }) => pTop3)).toBeCloseTo(Math.min(3, hunt.genotypes.length), 9)
        for (const { pBest, pTop3 } of standings) expect(pBest).toBeLessThanOrEqual(pTop3 + 1e-12)
      }),
    )
  })

  test('ranks by score, a sum of contributions, and puts the 80% interval inside the 95% interval', () => {
    fc.assert(
      fc.property(hunts, (hunt) => {
        const { standings } = rank(hunt)
        expect(standings.map((each) => each.rank)).toEqual(
          standings.map(({ score }) => 1 + standings.filter((other) => other.score > score).length),
        )
        for (const [i, { score, contributions, interval80, interval95 }] of standings.entries()) {
          expect(score).toBeLessThanOrEqual(standings[i - 1]?.score ?? 100)
          expect(contributions.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 6)
          const ends = [0, interval95[0], interval80[0], interval80[1], interval95[1], 100]
          for (const [at, end] of ends.entries()) expect(end).toBeGreaterThanOrEqual((ends[at - 1] ?? 0) - 1e-9)
        }
      }),
    )
  })

  test('depends only on the proportions of the weights', () => {
    fc.assert(
      fc.property(hunts, fc.integer({ min: -60, max: 60 }), (hunt, power) => {
        const factor = 2 ** power
        expect(rank(hunt, { yield: 3 * factor, aroma: factor })).toEqual(rank(hunt, { yield: 3, aroma: 1 }))
      }),
    )
  })

  test('keeps the same order and chances when a constant is added to every value and all stay within the bounds', () => {
    const ids = Array.from({ length: 10 }, (_, i) => `${i}`)
    const huntWith = (constant: number): RankingInput => ({
      genotypes: named(...ids),
      traits: [{ id: 'yield', curve: { direction: 'max', low: -1000, high: 1000 } }],
      records: ids.flatMap((id, i) =>
        [0, 1].map((plant) => record(id, 'yield', 5 * i + 9 * ((i + plant) % 2) + constant, `${id}-${plant}`)),
      ),
    })
    const before = rank(huntWith(0), { yield: 1 })
    const after = rank(huntWith(40), { yield: 1 })
    for (const { id, score, pBest, rank: place } of before.standings) {
      expect(of(after, id).score - score).toBeCloseTo(2, 6)
      expect(of(after, id).pBest).toBeCloseTo(pBest, 6)
      expect(of(after, id).rank).toBe(place)
    }
  })

  test('counts a missing value as the mean, with about the largest uncertainty of all', () => {
    fc.assert(
      fc.property(hunts, (hunt) => {
        const straight = traits.map((trait) => ({ ...trait, curve: { direction: 'max' as const, low: -400, high: 500 } }))
        const measured = { ...hunt, draws: 1024, traits: straight, genotypes: [...hunt.genotypes, { id: 'new' }] }
        const { standings, unmeasuredTraits } = rank(measured)
        const blank = standings.find(({ id }) => id === 'new')!
        const prepared = prepareRanking(measured)
        const means = prepared.traits.filter(({ isMeasured }) => isMeasured).map(({ mean }) => mean)
        expect(blank.score).toBeCloseTo((100 * means.reduce((sum, mean) => sum + mean, 0)) / means.length, 6)
        expect(blank.missingTraits).toHaveLength(2 - unmeasuredTraits.length)
        const at = prepared.candidates.findIndex(({ id }) => id === 'new') * 2
        for (let cell = 0; cell < prepared.deviation.length; cell++)
          expect(prepared.deviation[at + (cell % 2)]! * 1.1 + 1e-6).toBeGreaterThanOrEqual(prepared.deviation[cell]!)
      }),
    )
  })
})

test('draws the same values for the other candidates when one without records is added', () => {
  const input = {
    genotypes: named('1', '2', '3'),
    traits,
    records: [record('1', 'yield', 60), record('2', 'yield', 50), record('3', 'yield', 40)],
  }
  const before = prepareRanking(input)
  const after = prepareRanking({ ...input, genotypes: [...input.genotypes, { id: '0' }] })
  const drawsOf = (prepared: typeof before, at: number) =>
    prepared.traits[0]!.worths.filter((_, i) => i % prepared.candidates.length === at)
  expect(drawsOf(after, 1)).toEqual(drawsOf(before, 0))
})

test('does not count a second measurement of a plant as a replicate', () => {
  const again = rank(
    { genotypes: named('1', '2'), traits, records: [record('1', 'yield', 70), record('1', 'yield', 90), record('2', 'yield', 40)] },
    { yield: 1 },
  )
  expect(of(again, '1')).toMatchObject({ plants: 1, records: 2, contributions: [{ plants: 1 }] })
  const replicated = rank(
    { genotypes: named('1', '2'), traits, records: [record('1', 'yield', 70), record('1', 'yield', 90, '1-2'), record('2', 'yield', 40)] },
    { yield: 1 },
  )
  expect(of(replicated, '1').contributions[0]!.reliability).toBeGreaterThan(1.1 * of(again, '1').contributions[0]!.reliability)
  expect(of(replicated, '1').plants).toBe(2)
})

test('corrects for a poor run, with more certainty the more check plants it has', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `${i}`)
  const input = (checkPlants: number): RankingInput => ({
    genotypes: [...named(...ids), { id: 'check', isCheck: true }],
    traits: traits.slice(0, 1),
    records: ['good', 'poor'].flatMap((run, r) => [
      ...ids.slice(6 * r, 6 * r + 6).map((id, i) => record(id, 'yield', 40 + 5 * i - 20 * r, `${id}-1`, run)),
      ...Array.from({ length: checkPlants }, (_, i) => record('check', 'yield', 60 - 20 * r, `check ${run} ${i}`, run)),
    ]),
  })
  const sparse = rank(input(1), { yield: 1 })
  const dense = rank(input(8), { yield: 1 })
  for (let i = 0; i < 6; i++) expect(Math.abs(of(dense, `${i}`).score - of(dense, `${i + 6}`).score)).toBeLessThan(1.5)
  expect(dense.standings.map(({ id }) => id)).not.toContain('check')
  const width = (ranking: Ranking) => of(ranking, '3').interval80[1] - of(ranking, '3').interval80[0]
  expect(width(sparse)).toBeGreaterThan(1.02 * width(dense))
  expect(dense.notComparable).toEqual([])
  const unchecked = rank(input(0), { yield: 1 })
  expect(unchecked.notComparable).toEqual([{ traitId: 'yield', runIds: ['poor'] }])
  // Without check plants, the room's effect is estimated from the means of the plants that grew in it.
  expect(of(unchecked, '0').score - of(unchecked, '6').score).toBeLessThan(10)
})

test('counts culled plants in the hunt’s mean but does not rank them', () => {
  const records = [record('1', 'yield', 90), record('2', 'yield', 80), record('3', 'yield', 10)]
  const all = rank({ genotypes: named('1', '2', '3'), traits, records }, { yield: 1 })
  const some = rank({ genotypes: [...named('1', '2'), { id: '3', isCandidate: false }], traits, records }, { yield: 1 })
  expect(some.standings.map(({ id }) => id)).toEqual(['1', '2'])
  expect(of(some, '1').score).toBe(of(all, '1').score)
})

describe('the verdict', () => {
  const field = (best: number): RankingInput => ({
    genotypes: named(...Array.from({ length: 10 }, (_, i) => `${i}`)),
    traits: traits.map((trait) => ({ ...trait, heritability: 0.8 })),
    records: Array.from({ length: 40 }, (_, i) =>
      record(`${i % 10}`, 'yield', (i % 10 === 0 ? best : 40 + (i % 10)) + (i < 20 ? 3 : -3), `${i % 10}-${i}`),
    ),
  })

  test('is clear when the leader is well ahead', () => {
    const { verdict, standings } = rank(field(90))
    expect(verdict).toEqual({ kind: 'clear', leaderId: '0', withinReach: [] })
    expect(standings[0]).toMatchObject({ id: '0', pBeatsLeader: null })
    expect(standings[0]!.pBest).toBeGreaterThan(0.99)
    expect(standings[1]!.pBeatsLeader).toBeLessThan(0.01)
  })

  test('is too close to call when several could win, and names the likeliest first', () => {
    const { verdict, standings } = rank(field(50))
    expect(verdict).toMatchObject({ kind: 'too-close', leaderId: '0' })
    const reach = (verdict as { withinReach: string[] }).withinReach
    expect(reach.slice(0, 2)).toEqual(['9', '8'])
    const held = [verdict, ...reach].reduce<number>(
      (sum, each) => sum + standings.find(({ id }) => id === (typeof each === 'string' ? each : '0'))!.pBest,
      0,
    )
    expect(held).toBeGreaterThanOrEqual(0.9)
    expect(held - standings.find(({ id }) => id === reach.at(-1))!.pBest).toBeLessThan(0.9)
  })

  test('splits the chances equally among identical candidates', () => {
    const { standings, verdict } = rank({
      genotypes: named('b', 'a', 'c', 'd'),
      traits,
      records: ['a', 'b', 'c', 'd'].flatMap((id) => [1, 2, 3].map((plant) => record(id, 'yield', 50, `${id}${plant}`))),
    })
    expect(standings.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    for (const { pBest, pTop3 } of standings) {
      expect(Math.abs(pBest - 0.25)).toBeLessThan(0.03)
      expect(Math.abs(pTop3 - 0.75)).toBeLessThan(0.03)
    }
    expect(verdict.kind).toBe('too-close')
  })

  test('reports an exact tie if all scores are equal', () => {
    const ids = Array.from({ length: 8 }, (_, i) => `${i}`)
    const { standings } = rank({ genotypes: named(...ids), traits, records: ids.map((id) => record(id, 'yield', 50)) })
    for (const { pBest, pTop3, interval95, pBeatsLeader } of standings) {
      expect([pBest, pTop3, ...interval95]).toEqual([0.125, 0.375, 50, 50].map((value) => expect.closeTo(value, 9)))
      expect([null, 0.5]).toContain(pBeatsLeader)
    }
  })

  test('splits first place between two identical leaders', () => {
    const records = [90, 90, 50, 40, 20, 10].flatMap((value, i) =>
      Array.from({ length: 8 }, (_, plant) => record(`${i}`, 'yield', value + (plant % 2), `${i}-${plant}`, `run ${plant % 4}`)),
    )
    const { standings } = rank({ genotypes: named('0', '1', '2', '3', '4', '5'), traits, records })
    expect(standings.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5'])
    for (const { pBest } of standings.slice(0, 2)) expect(Math.abs(pBest - 0.5)).toBeLessThan(0.05)
    for (const { pBest } of standings.slice(2)) expect(pBest).toBeLessThan(0.01)
  })

  test('explains why there is nothing to rank', () => {
    const records = [record('1', 'yield', 5)]
    expect(rank({ genotypes: [], traits, records: [] }).verdict).toEqual({ kind: 'no-candidates' })
    expect(rank({ genotypes: named('1'), traits, records }, { yield: 0, aroma: 0 })).toMatchObject({
      verdict: { kind: 'no-weights' },
      standings: [],
    })
    expect(rank({ genotypes: named('1'), traits, records }, {}).verdict).toEqual({ kind: 'no-weights' })
    expect(rank({ genotypes: named('1'), traits, records }, { aroma: 1 })).toMatchObject({
      verdict: { kind: 'no-records' },
      unmeasuredTraits: ['aroma'],
    })
    expect(rank({ genotypes: named('1'), traits, records }).standings).toMatchObject([{ rank: 1, pBest: 1, pTop3: 1, missingTraits: [] }])
  })
})

test('leaves out a trait with a weight of 0', () => {
  const input = {
    genotypes: named('1', '2'),
    traits,
    records: [record('1', 'yield', 80), record('2', 'yield', 20), record('2', 'aroma', 9)],
  }
  const { standings } = rank(input, { yield: 2, aroma: 0 })
  expect(standings.map(({ id, missingTraits }) => [id, missingTraits])).toEqual([
    ['1', []],
    ['2', []],
  ])
  expect(standings[0]!.contributions.map(({ traitId, share }) => [traitId, share])).toEqual([['yield', 1]])
})

test('names the trait or genotype when it rejects invalid input', () => {
  const input = { genotypes: named('1'), traits, records: [] }
  expect(() => rank(input, { yield: -1 })).toThrow('The weight of yield is -1')
  expect(() => rank(input, { yield: Number.NaN })).toThrow('The weight of yield')
  expect(() => rank({ ...input, genotypes: named('1', '1') })).toThrow('genotype 1 is listed twice')
  expect(() => rank({ ...input, records: [record('2', 'yield', 1)] })).toThrow('genotype 2')
  expect(() => rank({ ...input, records: [record('1', 'color', 1)] })).toThrow('trait color')
})

test('treats non-numbers as missing', () => {
  const records = [record('1', 'yield', Number.NaN), record('1', 'yield', Number.POSITIVE_INFINITY), record('2', 'yield', 50)]
  expect(rank({ genotypes: named('1', '2'), traits, records }, { yield: 1 })).toEqual(
    rank({ genotypes: named('1', '2'), traits, records: records.slice(2) }, { yield: 1 }),
  )
})

/** Each genotype has one plant, so predictions keep the table's order: all values of a trait are shrunk equally. */
function hunt(table: Record<string, Record<string, number>>): PreparedRanking {
  const traits = Object.keys(Object.values(table)[0]!)
  return prepareRanking({
    genotypes: Object.keys(table).map((id) => ({ id })),
    traits: traits.map((id) => ({ id, curve: { direction: 'max', low: -50, high: 50 } })),
    draws: 256,
    records: Object.entries(table).flatMap(([genotypeId, values]) =>
      Object.entries(values).map(([traitId, value]) => ({ genotypeId, traitId, plantId: `${genotypeId}-1`, runId: null, value })),
    ),
  })
}

test('changes a narrow winner when the deciding weight changes', () => {
  const prepared = hunt({ a: { yield: 0.8, aroma: 0.4 }, b: { yield: 0.4, aroma: 0.78 } })
  const { winnerId, changes, overtakers } = testWeights(prepared, { yield: 1, aroma: 1 })!
  expect(winnerId).toBe('a')
  expect(changes).toEqual([
    { traitId: 'yield', factor: 0.8, winnerId: 'b', changesWinner: true },
    { traitId: 'yield', factor: 1.2, winnerId: 'a', changesWinner: false },
    { traitId: 'aroma', factor: 0.8, winnerId: 'a', changesWinner: false },
    { traitId: 'aroma', factor: 1.2, winnerId: 'b', changesWinner: true },
  ])
  // The weights are aroma × 1.2 and yield × 0.8.
  const leads = Array.from(prepared.predicted.subarray(0, 2), (value, t) => value - prepared.predicted[2 + t]!)
  const slope = correctForCorrelations(prepared, weigh(prepared, { yield: 1, aroma: 1 })).slope[0]!
  expect(overtakers).toEqual([{ id: 'b', points: expect.closeTo((-100 * slope * (0.8 * leads[0]! + 1.2 * leads[1]!)) / 2, 9) }])
})

test('keeps the winner under all tested weights if no candidate is better in any trait', () => {
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

test('finds no winner without weights or candidates, and nothing that could overtake a single candidate', () => {
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
