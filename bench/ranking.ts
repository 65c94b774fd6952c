/**
 * How long the ranking of a large hunt takes: 200 candidates with 40 traits, two clones each in three runs with a check.
 * Time of the processor, which does not grow when others use the machine. Run: node scripts/run.mjs bench/ranking.ts
 */
import { nextMeasurements } from '../agronomy/next-measurement.ts'
import { prepareRanking, type RankingInput } from '../agronomy/prepare-ranking.ts'
import { createRandom, nextNormal } from '../agronomy/random.ts'
import { rankKeepers } from '../agronomy/rank.ts'
import { testWeights } from '../agronomy/sensitivity.ts'

const random = createRandom(1)
const traits = Array.from({ length: 40 }, (_, t) => ({ id: `trait ${t}`, curve: { direction: 'max', low: -2, high: 2 } as const }))
const runs = [0, 1, 2].map((run) => ({ id: `run ${run}`, checkGenotypeId: 'check' }))
const genotypes = Array.from({ length: 200 }, (_, g) => ({
  id: `genotype ${g}`,
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
const input: RankingInput = { genotypes, traits, runs, records }
const prepared = prepareRanking(input)
let turn = 0
const weights = () => Object.fromEntries(traits.map(({ id }, t) => [id, 1 + ((t + turn++) % 5)]))

console.log(`${genotypes.length} candidates, ${traits.length} traits, ${records.length} records; milliseconds`)
measure('prepareRanking', () => prepareRanking(input))
measure('rankKeepers', () => rankKeepers(prepared, weights()))
measure('testWeights', () => testWeights(prepared, weights()))
measure('nextMeasurements', () => nextMeasurements(prepared, weights()))

function measure(name: string, work: () => unknown): void {
  const times = Array.from({ length: 30 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }).sort((a, b) => a - b)
  console.log(`${name.padEnd(18)} median ${times[15]?.toFixed(1)}, slowest ${times[29]?.toFixed(1)}`)
}
