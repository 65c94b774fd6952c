import { curveProblem, type DesirabilityCurve } from './desirability.ts'
import type { RankingInput } from './prepare-ranking.ts'

export type HuntToRank = {
  /** The hunt selects fathers, so males compete and females don't. */
  selectsMales: boolean
  /** Phenotypes compete even if only a jar of them is left. */
  ranksHarvested: boolean
  /** The stages of growth in order; `drying` and later ones follow the harvest. */
  stages: readonly string[]
  genotypes: readonly GenotypeToRank[]
  traits: readonly {
    id: string
    kind: string
    source: string
    direction: 'none' | 'max' | 'min' | 'target'
    low: number | null
    high: number | null
    target: number | null
    weight: number
    heritability: number | null
    must: Must | null
    /** The stages in which the trait can be measured; null means unbounded. */
    fromStage: string | null
    toStage: string | null
    isArchived: boolean
  }[]
  records: readonly {
    traitId: string
    plantId: string
    runId?: string | null | undefined
    /** Who measured or tasted the plant; null if unknown. */
    observer?: string | null | undefined
    number?: number | null | undefined
    options?: readonly number[] | null | undefined
    date?: string | null | undefined
  }[]
}

type GenotypeToRank = {
  id: string
  number: number
  kind: 'seed' | 'check'
  sex: 'unknown' | 'female' | 'male' | 'intersex'
  standing: string | null
  plants: readonly { id: string; isAlive: boolean; endedHow: string | null; stage: string | null }[]
}

/** Rules a phenotype out if a value of one of its plants is below `min`, above `max`, an option in `not`, or any date at all. */
export type Must = { min: number | null; max: number | null; not: readonly number[] }

/** Why a phenotype isn't in the running. `gone`: neither a living plant nor a jar is left; `harvested`: only a jar is left. */
export type ExclusionReason = 'culled' | 'must' | 'male' | 'female' | 'intersex' | 'harvested' | 'gone'

export type OutOfRunning = {
  id: string
  reason: ExclusionReason
  /** The trait whose “must” rules the phenotype out. */
  traitId: string | null
}

/** Limits the memory that draws take in a browser. */
export const maxCandidates = 500

/** Sources that measure the harvest rather than the growing plant. */
const ofHarvest = new Set(['flower_days', 'wet_weight', 'dry_weight', 'wash_yield', 'lab'])

export type RankableHunt = {
  input: RankingInput
  /** From the settings of the traits that are scored. */
  weights: Record<string, number>
  /** Phenotypes that can't be kept, sorted by number. They count toward the hunt's mean and spread but have no share of any probability. */
  outOfRunning: OutOfRunning[]
  /** Unmeasured candidates left out because the hunt has more than the maximum. */
  unmeasuredLeftOut: number
  /** Measured candidates left out because the hunt has more than the maximum. Those with the most records are included. */
  measuredLeftOut: number
}

/**
 * Converts a hunt to ranking input. Only phenotypes that can still be kept are candidates. Check clones serve only to compare runs. Values
 * of traits that aren't scored or have invalid bounds are left out.
 */
export function rankableHunt(hunt: HuntToRank): RankableHunt {
  const traits = hunt.traits.flatMap((trait) => {
    const curve = trait.isArchived ? null : curveOf(trait)
    if (!curve) return []
    const { id, heritability, weight, kind, source } = trait
    const fromStage = trait.fromStage === null ? 0 : hunt.stages.indexOf(trait.fromStage)
    const toStage = trait.toStage === null ? hunt.stages.length : hunt.stages.indexOf(trait.toStage)
    const isOfHarvest = ofHarvest.has(source) || (trait.fromStage !== null && fromStage >= hunt.stages.indexOf('drying'))
    return [{ id, curve, heritability, weight, isOfHarvest, isOrdinal: kind === 'ordinal', fromStage, toStage }]
  })
  const scored = new Set(traits.map(({ id }) => id))
  const genotypeOf = new Map(hunt.genotypes.flatMap(({ id, plants }) => plants.map((plant) => [plant.id, id] as const)))
  const records = hunt.records.flatMap(({ traitId, plantId, runId = null, observer = null, number }) => {
    const genotypeId = genotypeOf.get(plantId)
    return number !== undefined && number !== null && genotypeId !== undefined && scored.has(traitId)
      ? [{ genotypeId, traitId, plantId, runId, observerId: observer, value: number }]
      : []
  })
  const recordsOf = new Map<string, number>()
  for (const { genotypeId } of records) recordsOf.set(genotypeId, (recordsOf.get(genotypeId) ?? 0) + 1)

  const outOfRunning = findOut(hunt, genotypeOf)
  const out = new Set(outOfRunning.map(({ id }) => id))
  const wanted = hunt.genotypes.filter(({ id, kind }) => kind === 'seed' && !out.has(id))
  const drawn = wanted.length <= maxCandidates ? wanted : mostMeasured(wanted, recordsOf)
  const candidates = new Set(drawn.map(({ id }) => id))
  const leftOut = wanted.filter(({ id }) => !candidates.has(id))
  return {
    input: {
      genotypes: hunt.genotypes.map(({ id, number, kind, plants }) => ({
        id,
        number,
        isCheck: kind === 'check',
        isCandidate: candidates.has(id),
        plantIds: plants.filter(({ isAlive }) => isAlive).map((plant) => plant.id),
        harvestedPlantIds: plants.filter(({ endedHow }) => endedHow === 'harvested').map((plant) => plant.id),
      })),
      traits: traits.map(({ weight: _, ...trait }) => trait),
      records,
      stages: stagesOf(hunt),
    },
    weights: Object.fromEntries(traits.map(({ id, weight }) => [id, weight])),
    outOfRunning,
    unmeasuredLeftOut: leftOut.filter(({ id }) => !recordsOf.has(id)).length,
    measuredLeftOut: leftOut.filter(({ id }) => recordsOf.has(id)).length,
  }
}

/** Stages of living plants; empty if none was logged. A plant without a logged stage is in the latest stage that its values require. */
function stagesOf({ genotypes, traits, records, stages }: HuntToRank): Map<string, number> {
  const living = genotypes.flatMap(({ plants }) => plants.filter(({ isAlive }) => isAlive))
  const known = new Map(living.flatMap(({ id, stage }) => (stage === null ? [] : [[id, stages.indexOf(stage)] as const])))
  if (known.size === 0) return known
  const unlogged = new Set(living.flatMap(({ id, stage }) => (stage === null ? [id] : [])))
  const fromStage = new Map(traits.flatMap(({ id, fromStage: from }) => (from === null ? [] : [[id, stages.indexOf(from)] as const])))
  for (const { plantId, traitId } of records) {
    const stage = unlogged.has(plantId) ? (fromStage.get(traitId) ?? 0) : 0
    if (stage > (known.get(plantId) ?? 0)) known.set(plantId, stage)
  }
  return known
}

function findOut(hunt: HuntToRank, genotypeOf: ReadonlyMap<string, string>): OutOfRunning[] {
  const broken = new Map<string, string>()
  for (const { id, must, isArchived } of hunt.traits) {
    if (!must || isArchived) continue
    for (const record of hunt.records) {
      const genotypeId = genotypeOf.get(record.plantId)
      if (record.traitId === id && genotypeId !== undefined && !broken.has(genotypeId) && violatesMust(must, record))
        broken.set(genotypeId, id)
    }
  }
  return hunt.genotypes
    .filter(({ kind }) => kind === 'seed')
    .toSorted((a, b) => a.number - b.number)
    .flatMap((genotype) => {
      const traitId = broken.get(genotype.id) ?? null
      const reason = exclusionReason(genotype, hunt, traitId !== null)
      return reason ? [{ id: genotype.id, reason, traitId: reason === 'must' ? traitId : null }] : []
    })
}

function violatesMust({ min, max, not }: Must, { number, options, date }: HuntToRank['records'][number]): boolean {
  if (typeof date === 'string') return true
  if (typeof number === 'number' && ((min !== null && number < min) || (max !== null && number > max))) return true
  return options?.some((option) => not.includes(option)) ?? false
}

function exclusionReason(
  { standing, sex, plants }: GenotypeToRank,
  { selectsMales, ranksHarvested }: HuntToRank,
  breaksMust: boolean,
): ExclusionReason | null {
  if (standing === 'cull') return 'culled'
  if (breaksMust) return 'must'
  if (sex === 'intersex') return 'intersex'
  if (sex === (selectsMales ? 'female' : 'male')) return sex
  if (plants.some(({ isAlive }) => isAlive)) return null
  if (!plants.some(({ endedHow }) => endedHow === 'harvested')) return 'gone'
  return ranksHarvested ? null : 'harvested'
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
