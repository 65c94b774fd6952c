import { nextMeasurements } from '#agronomy/next-measurement.ts'
import { prepareRanking, type RankingInput } from '#agronomy/prepare-ranking.ts'
import { createRandom, nextNormal } from '#agronomy/random.ts'
import { rankKeepers, testWeights } from '#agronomy/rank.ts'
import { quantile } from './latency.ts'

/**
 * CPU time, in milliseconds, of ranking a large hunt: 200 candidates with 40 scored traits, two clones each in three runs with a
 * check. CPU time varies less with other load on the machine than wall-clock time.
 */
export function rankingFigures(): { what: string; medianMs: number; slowestMs: number }[] {
  const random = createRandom(1)
  const traits = Array.from({ length: 40 }, (_, t) => ({ id: `trait ${t}`, curve: { direction: 'max', low: -2, high: 2 } as const }))
  const genotypes = Array.from({ length: 200 }, (_, g) => ({
    id: `genotype ${g}`,
    number: g + 1,
    plantIds: [0, 1, 2].map((plant) => `plant ${g}-${plant}`),
  }))
  const records = [
    ...genotypes.map(({ id, plantIds }) => ({ id, plantIds: plantIds.slice(0, 2) })),
    { id: 'check', plantIds: ['a', 'b', 'c', 'd', 'e', 'f'] },
  ].flatMap(({ id, plantIds }, g) =>
    traits.flatMap((trait) => {
      const genotype = nextNormal(random)
      return plantIds.map((plantId, p) => ({
        genotypeId: id,
        traitId: trait.id,
        plantId,
        runId: `run ${(g + p) % 3}`,
        value: genotype + nextNormal(random),
      }))
    }),
  )
  const input: RankingInput = { genotypes: [...genotypes, { id: 'check', number: 201, isCheck: true }], traits, records }
  const ofSteps: RankingInput = {
    ...input,
    traits: traits.map((trait) => ({ ...trait, curve: { direction: 'max', low: 1, high: 5 }, isOrdinal: true })),
    records: records.map((record) => ({ ...record, value: Math.min(Math.max(Math.round(3 + record.value), 1), 5) })),
  }
  const prepared = prepareRanking(input)
  let turn = 0
  const weights = () => Object.fromEntries(traits.map(({ id }, t) => [id, 1 + ((t + turn++) % 5)]))
  return [
    measured('prepareRanking', () => prepareRanking(input)),
    measured('prepareRanking, steps of a scale', () => prepareRanking(ofSteps), 5),
    measured('rankKeepers', () => rankKeepers(prepared, weights())),
    measured('testWeights', () => testWeights(prepared, weights())),
    measured('nextMeasurements', () => nextMeasurements(prepared, weights())),
    measured('everything that depends on a weight', () => {
      const moved = weights()
      rankKeepers(prepared, moved)
      testWeights(prepared, moved)
      nextMeasurements(prepared, moved)
    }),
  ]
}

function measured(what: string, work: () => unknown, times = 30) {
  const taken = Array.from({ length: times }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return { what, medianMs: quantile(taken, 0.5), slowestMs: Math.max(...taken) }
}
