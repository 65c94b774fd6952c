import { curveProblem, type DesirabilityCurve } from './desirability.ts'
import type { RankingInput } from './prepare-ranking.ts'

/** The data of a hunt available on both server and client. */
export type HuntToRank = {
  genotypes: readonly { id: string; standing: string | null; plants: readonly { id: string; isAlive: boolean }[] }[]
  traits: readonly {
    id: string
    direction: 'none' | 'max' | 'min' | 'target'
    low: number | null
    high: number | null
    target: number | null
    weight: number
    heritability: number | null
    isArchived: boolean
  }[]
  runs: readonly { id: string; checkGenotypeId: string | null }[]
  records: readonly { traitId: string; plantId: string; runId?: string | null | undefined; number?: number | null | undefined }[]
}

/** Maximum number of candidates; the draws for more wouldn't fit in a browser's memory. */
export const maxCandidates = 500

export type RankableHunt = {
  input: RankingInput
  /** From the traits' settings; traits without a direction have none. */
  weights: Record<string, number>
  /** Candidates left out because they have no measurements, if there are more than the maximum. */
  unmeasuredLeftOut: number
  /** Measured candidates left out because there are more than the maximum; those with the most records stay. */
  measuredLeftOut: number
}

/**
 * Converts a hunt to ranking input. Culled genotypes count toward the hunt's mean and spread but aren't candidates. Values of traits that
 * aren't scored or have invalid bounds are left out.
 */
export function rankableHunt(hunt: HuntToRank): RankableHunt {
  const traits = hunt.traits.flatMap((trait) => {
    const curve = trait.isArchived ? null : curveOf(trait)
    return curve ? [{ id: trait.id, curve, heritability: trait.heritability, weight: trait.weight }] : []
  })
  const scored = new Set(traits.map(({ id }) => id))
  const genotypeOf = new Map(hunt.genotypes.flatMap(({ id, plants }) => plants.map((plant) => [plant.id, id] as const)))
  const records = hunt.records.flatMap(({ traitId, plantId, runId = null, number }) => {
    const genotypeId = genotypeOf.get(plantId)
    return number !== undefined && number !== null && genotypeId !== undefined && scored.has(traitId)
      ? [{ genotypeId, traitId, plantId, runId, value: number }]
      : []
  })
  const recordsOf = new Map<string, number>()
  for (const { genotypeId } of records) recordsOf.set(genotypeId, (recordsOf.get(genotypeId) ?? 0) + 1)

  const wanted = hunt.genotypes.filter(({ standing }) => standing !== 'cull')
  const drawn = wanted.length <= maxCandidates ? wanted : mostMeasured(wanted, recordsOf)
  const candidates = new Set(drawn.map(({ id }) => id))
  const leftOut = wanted.filter(({ id }) => !candidates.has(id))
  return {
    input: {
      genotypes: hunt.genotypes.map(({ id, plants }) => ({
        id,
        isCandidate: candidates.has(id),
        plantIds: plants.filter(({ isAlive }) => isAlive).map((plant) => plant.id),
      })),
      traits: traits.map(({ weight: _, ...trait }) => trait),
      runs: hunt.runs,
      records,
    },
    weights: Object.fromEntries(traits.map(({ id, weight }) => [id, weight])),
    unmeasuredLeftOut: leftOut.filter(({ id }) => !recordsOf.has(id)).length,
    measuredLeftOut: leftOut.filter(({ id }) => recordsOf.has(id)).length,
  }
}

function mostMeasured<Each extends { id: string }>(wanted: readonly Each[], recordsOf: ReadonlyMap<string, number>): Each[] {
  const count = ({ id }: Each) => recordsOf.get(id) ?? 0
  return wanted
    .filter((each) => count(each) > 0)
    .sort((a, b) => count(b) - count(a) || (a.id < b.id ? -1 : 1))
    .slice(0, maxCandidates)
}

function curveOf({ direction, low, high, target }: HuntToRank['traits'][number]): DesirabilityCurve | null {
  if (direction === 'none' || low === null || high === null) return null
  const curve: DesirabilityCurve | null =
    direction !== 'target' ? { direction, low, high } : target === null ? null : { direction, low, target, high }
  return curve && curveProblem(curve) === null ? curve : null
}
