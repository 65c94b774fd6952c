import { type DesirabilityCurve, desirabilityOf } from './desirability.ts'
import { estimateVariance, predictTrait, reliabilitySlope, type TraitVariance } from './predict.ts'
import { createRandom, seedOf, sliceNormals, writeStratifiedNormals } from './random.ts'
import { adjustForRuns, type RunAdjustment, type RunRecord } from './runs.ts'
import { correlate, meanOf } from './statistics.ts'

export type RankingInput = {
  /**
   * Every measured genotype, including culled ones, which belong to the hunt's mean and spread: without them, the survivors look alike.
   * `isCandidate: false` excludes one from the ranking. `plantIds` are living plants, for the next measurement.
   */
  genotypes: readonly { id: string; isCandidate?: boolean; plantIds?: readonly string[] }[]
  /** `heritability`: stated by the grower, used if there are too few replicates. */
  traits: readonly { id: string; curve: DesirabilityCurve; heritability?: number | null }[]
  /** The check clone of each run, which may be from outside the hunt. */
  runs?: readonly { id: string; checkGenotypeId: string | null }[]
  /** Without corrected records. Non-finite values count as missing. */
  records: readonly RankingRecord[]
  seed?: number
  draws?: number
}

export type RankingRecord = RunRecord & { traitId: string }

export type PreparedTrait = {
  id: string
  /** False if no genotype has a record of it; it then doesn't count toward the score. */
  isMeasured: boolean
  mean: number
  variance: TraitVariance
  adjustment: RunAdjustment
}

export type PreparedCandidate = { id: string; plants: number; records: number; livingPlants: readonly string[] }

/** Everything that doesn't depend on the weights. Tables are candidates × traits, row by row. */
export type PreparedRanking = {
  candidates: PreparedCandidate[]
  traits: PreparedTrait[]
  /** Predicted desirabilities, and the standard deviations of their independent errors. */
  predicted: Float64Array
  deviation: Float64Array
  ownMean: (number | null)[]
  reliability: Float64Array
  plants: Uint32Array
  /** IDs of plants with a record of the trait. */
  measuredPlants: ReadonlySet<string>[]
  /** Correlation of the errors between traits. */
  correlation: Float64Array
  /** Errors that candidates share: the hunt's mean, and each adjusted run. `loadings[factor]` is candidates × traits. */
  sharedLoadings: Float64Array[]
  draws: number
  /** draws × candidates, and draws × shared errors. */
  normals: Float64Array
  sharedNormals: Float64Array
}

/** With this many, P(best) varies by about half a point between seeds. */
export const usualDraws = 4000

/** Throws a RangeError for an invalid curve, a duplicate ID, or a record of something unknown. */
export function prepareRanking(input: RankingInput): PreparedRanking {
  // Sorted by ID, so that input order can't change even the last bit of a sum.
  const genotypes = sortedById(input.genotypes, 'genotype')
  const traits = sortedById(input.traits, 'trait')
  const candidates = genotypes.filter((genotype) => genotype.isCandidate !== false)
  const checks = new Map(
    (input.runs ?? []).flatMap((run) => (run.checkGenotypeId === null ? [] : [[run.id, run.checkGenotypeId] as const])),
  )
  const recordsByTrait = sortRecords(input, new Set(checks.values()))

  const size = candidates.length * traits.length
  const row = new Map(candidates.map((candidate, i) => [candidate.id, i * traits.length]))
  const prepared: PreparedRanking = {
    candidates: candidates.map(({ id, plantIds }) => ({ id, plants: 0, records: 0, livingPlants: plantIds ?? [] })),
    traits: [],
    predicted: new Float64Array(size),
    deviation: new Float64Array(size),
    ownMean: new Array(size).fill(null),
    reliability: new Float64Array(size),
    plants: new Uint32Array(size),
    measuredPlants: Array.from({ length: size }, () => new Set()),
    correlation: new Float64Array(0),
    sharedLoadings: [new Float64Array(size), new Float64Array(size)],
    draws: input.draws ?? usualDraws,
    normals: new Float64Array(0),
    sharedNormals: new Float64Array(0),
  }
  const runLoadings = new Map<string, Float64Array>()
  const ownMeans: (number | null)[][] = []
  const plantsSeen = candidates.map(() => new Set<string>())

  for (const [t, trait] of traits.entries()) {
    const records = recordsByTrait.get(trait.id) ?? []
    const adjustment = adjustForRuns(records, checks)
    const plantsOf = gatherPlants(records, adjustment, desirabilityOf(trait.curve))
    const groups = genotypes.map(({ id }) => (plantsOf.get(id) ?? []).map((plant) => plant.desirability))
    const variance = estimateVariance(groups, trait.heritability ?? null)
    const { mean, meanVariance, predictions } = predictTrait(groups, variance)
    const [meanLoadings, heritabilityLoadings] = prepared.sharedLoadings as [Float64Array, Float64Array]
    prepared.traits.push({ id: trait.id, isMeasured: variance.genotypes > 0, mean, variance, adjustment })
    ownMeans.push(predictions.map((prediction) => prediction.ownMean))

    for (const [i, { id }] of genotypes.entries()) {
      const start = row.get(id)
      const prediction = predictions[i]
      if (start === undefined || !prediction) continue
      const cell = start + t
      prepared.predicted[cell] = prediction.value
      prepared.deviation[cell] = Math.sqrt(prediction.errorVariance)
      prepared.ownMean[cell] = prediction.ownMean
      prepared.reliability[cell] = prediction.reliability
      prepared.plants[cell] = prediction.plants
      meanLoadings[cell] = (1 - prediction.reliability) * Math.sqrt(meanVariance)
      heritabilityLoadings[cell] =
        reliabilitySlope(prediction.plants, variance.heritability) * ((prediction.ownMean ?? mean) - mean) * variance.heritabilityDeviation
      const plants = plantsOf.get(id) ?? []
      loadRuns(runLoadings, adjustment, plants, prediction.reliability, variance.residual, cell, size)
      const candidate = start / traits.length
      for (const plant of plants) {
        ;(prepared.measuredPlants[cell] as Set<string>).add(plant.plantId)
        ;(plantsSeen[candidate] as Set<string>).add(plant.plantId)
        ;(prepared.candidates[candidate] as PreparedCandidate).records += plant.records
      }
    }
  }
  for (const [i, seen] of plantsSeen.entries()) (prepared.candidates[i] as PreparedCandidate).plants = seen.size
  prepared.correlation = correlate(ownMeans)
  const runIds = [...runLoadings.keys()].sort()
  prepared.sharedLoadings.push(...runIds.map((id) => runLoadings.get(id) as Float64Array))
  drawNormals(prepared, ['mean', 'heritability', ...runIds.map((id) => `run ${id}`)], input.seed ?? 0)
  return prepared
}

type Measured = { values: number[]; runs: Map<string, number> }
type PlantValue = { plantId: string; desirability: number; records: number; runs: Map<string, number> }

/** Averages repeated measurements of one plant: they aren't replicates of the genotype. */
function gatherPlants(
  records: readonly RunRecord[],
  adjustment: RunAdjustment,
  desirability: (value: number) => number | null,
): Map<string, PlantValue[]> {
  const byGenotype = new Map<string, Map<string, Measured>>()
  for (const { genotypeId, plantId, runId, value } of records) {
    const plants = byGenotype.get(genotypeId) ?? new Map<string, Measured>()
    byGenotype.set(genotypeId, plants)
    const plant = plants.get(plantId) ?? { values: [], runs: new Map<string, number>() }
    plants.set(plantId, plant)
    plant.values.push(value - (runId === null ? 0 : (adjustment.effects.get(runId) ?? 0)))
    if (runId !== null) plant.runs.set(runId, (plant.runs.get(runId) ?? 0) + 1)
  }
  return new Map(
    [...byGenotype].map(([genotypeId, plants]) => [
      genotypeId,
      [...plants]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([plantId, { values, runs }]) => {
          const worth = desirability(meanOf(values))
          return worth === null ? [] : [{ plantId, desirability: worth, records: values.length, runs }]
        }),
    ]),
  )
}

/**
 * The error of a run's effect is the mean error of its check plants minus that of all adjusted runs. It affects everything in the run,
 * weighted by reliability and by the share of the plants that were in the run.
 */
function loadRuns(
  loadings: Map<string, Float64Array>,
  { checkPlants }: RunAdjustment,
  plants: readonly PlantValue[],
  reliability: number,
  residual: number,
  cell: number,
  size: number,
): void {
  if (checkPlants.size === 0 || plants.length === 0) return
  const shares = new Map<string, number>()
  for (const plant of plants) {
    for (const [run, count] of plant.runs) shares.set(run, (shares.get(run) ?? 0) + count / plant.records / plants.length)
  }
  const adjusted = [...checkPlants.keys()]
  const common = adjusted.reduce((sum, run) => sum + (shares.get(run) ?? 0), 0) / adjusted.length
  for (const [run, count] of checkPlants) {
    const loading = loadings.get(run) ?? new Float64Array(size)
    loadings.set(run, loading)
    loading[cell] = reliability * ((shares.get(run) ?? 0) - common) * Math.sqrt(residual / count)
  }
}

/** Each candidate has its own random stream, seeded by its ID, so adding candidates or changing weights doesn't change its draws. */
function drawNormals(prepared: PreparedRanking, factors: readonly string[], seed: number): void {
  const { draws, candidates } = prepared
  const slices = sliceNormals(draws)
  prepared.normals = new Float64Array(draws * candidates.length)
  prepared.sharedNormals = new Float64Array(draws * factors.length)
  for (const [i, { id }] of candidates.entries())
    writeStratifiedNormals(createRandom(seedOf(`candidate ${id}`, seed)), slices, prepared.normals, i, candidates.length)
  for (const [i, name] of factors.entries())
    writeStratifiedNormals(createRandom(seedOf(`shared ${name}`, seed)), slices, prepared.sharedNormals, i, factors.length)
}

function sortedById<Item extends { id: string }>(items: readonly Item[], kind: string): Item[] {
  const sorted = [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const twice = sorted.find((item, i) => item.id === sorted[i - 1]?.id)
  if (twice) throw new RangeError(`The ${kind} ${twice.id} is listed twice.`)
  return sorted
}

function sortRecords(input: RankingInput, checks: ReadonlySet<string>): Map<string, RankingRecord[]> {
  const known = new Set(input.genotypes.map(({ id }) => id))
  const byTrait = new Map<string, RankingRecord[]>(input.traits.map(({ id }) => [id, []]))
  for (const record of input.records) {
    const records = byTrait.get(record.traitId)
    if (!records) throw new RangeError(`A record names the trait ${record.traitId}, which is not among the traits.`)
    if (!known.has(record.genotypeId) && !checks.has(record.genotypeId))
      throw new RangeError(`A record names the genotype ${record.genotypeId}, which is neither in the hunt nor a check.`)
    if (Number.isFinite(record.value)) records.push(record)
  }
  return byTrait
}
