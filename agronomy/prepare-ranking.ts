import { type DesirabilityCurve, desirabilityOf } from './desirability.ts'
import { averageOf, dot, drawTrait, liabilityVariances, streamsOf, type TraitDraws, type Worth } from './draw-values.ts'
import { type Liability, liabilityOf } from './liability.ts'
import { evidenceOf, fitTrait, type Point, type TraitModel, type TraitValue } from './mixed-model.ts'
import { type Leaning, leaningsOf } from './observer-leanings.ts'
import { type Correlations, correlateTraits } from './trait-correlations.ts'

export type RankingInput = {
  /**
   * Every measured genotype, including culled ones, because they belong to the hunt's mean and spread. `isCandidate: false` excludes one
   * from the ranking. `isCheck`: a clone from outside the hunt, which serves only to compare runs. `plantIds` are living plants, for the
   * next measurement. `number` gives an imported copy of the hunt the same draws.
   */
  genotypes: readonly {
    id: string
    number?: number
    isCandidate?: boolean
    isCheck?: boolean
    plantIds?: readonly string[]
    harvestedPlantIds?: readonly string[]
  }[]
  /**
   * In the hunt's order. `heritability`: stated by the grower. `isOfHarvest`: measured on harvested plants, not on living ones.
   * `isOrdinal`: its values are steps of a scale. `fromStage`, `toStage`: the first and last stage in which a living plant can be measured.
   */
  traits: readonly {
    id: string
    curve: DesirabilityCurve
    heritability?: number | null
    isOfHarvest?: boolean
    isOrdinal?: boolean
    fromStage?: number
    toStage?: number
  }[]
  /** Without records that a correction replaced. Non-finite values count as missing. */
  records: readonly RankingRecord[]
  /** Living plants' stages, where known. Empty if the hunt doesn't record them. */
  stages?: ReadonlyMap<string, number>
  seed?: number
  draws?: number
}

export type RankingRecord = Omit<TraitValue, 'observerId'> & { traitId: string; observerId?: string | null }

export type PreparedTrait = {
  id: string
  isOfHarvest: boolean
  fromStage: number
  toStage: number
  /** False if no genotype has a record of the trait. It then doesn't count toward the score. */
  isMeasured: boolean
  /** The expected desirability of a phenotype without records. */
  mean: number
  /** The phenotype's share of the variance between single plants within a run: heritability and interaction together. */
  repeatability: number
  source: TraitModel['source']
  replicatedGenotypes: number
  /** Too few phenotypes grew in several runs, so the phenotype × run interaction is assumed. */
  assumesInteraction: boolean
  /** Runs that no phenotype or check clone connects with the largest group of runs; null means records without a run. */
  notComparable: (string | null)[]
  /** How much higher or lower each observer scores the trait than the mean of all observers. */
  leanings: Leaning[]
  /** Draws of the true desirabilities: draws × candidates. */
  worths: Float32Array
  /** Standard deviation of phenotypes, converted to desirability by the straight line through the curve; negative if less is better. */
  spread: number
  /** Variance of the predictions that the straight line doesn't explain. */
  bent: number
  /** Shares of the variance between single plants. */
  heritability: number
  interaction: number
  /** The error variance of one value of one plant, relative to the variance between single plants. */
  noise: number
}

export type PreparedCandidate = {
  id: string
  plants: number
  records: number
  livingPlants: readonly string[]
  harvestedPlants: readonly string[]
}

/** Everything that doesn't depend on the weights. Tables are candidates × traits, row by row. */
export type PreparedRanking = {
  candidates: PreparedCandidate[]
  traits: PreparedTrait[]
  /** Means and standard deviations of the true desirabilities. */
  predicted: Float64Array
  deviation: Float64Array
  ownMean: (number | null)[]
  reliability: Float64Array
  /** Error variance of the phenotype's own mean relative to single plants (infinite without records), and the part from its runs. */
  errorShare: Float64Array
  runShare: Float64Array
  plants: Uint32Array
  /** IDs of plants with a record of the trait. */
  measuredPlants: ReadonlySet<string>[]
  stages: ReadonlyMap<string, number>
  correlations: Correlations
  draws: number
}

/** A power of 2. P(best) varies by about a percentage point between random seeds, and by more in large hunts, which get fewer draws. */
export const usualDraws = (cells: number): number => (cells <= 1000 ? 4096 : cells <= 4000 ? 2048 : 1024)

/** The scores of a scale of steps are within about three standard deviations of their mean. */
const scoreWidth = 6

/** Throws a RangeError for an invalid curve, a duplicate ID, or a record with an unknown ID. */
export function prepareRanking(input: RankingInput): PreparedRanking {
  const steps = preparingRanking(input)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Pauses after each trait to let a server respond to other requests. */
export function* preparingRanking(input: RankingInput): Generator<undefined, PreparedRanking> {
  const genotypes = ordered(input.genotypes)
  requireUnique(input.traits, 'trait')
  const candidates = genotypes.filter((genotype) => genotype.isCandidate !== false && !genotype.isCheck)
  const recordsByTrait = sortRecords(input, genotypes)
  const size = candidates.length * input.traits.length
  const prepared: PreparedRanking = {
    candidates: candidates.map(({ id, plantIds = [], harvestedPlantIds = [] }) => ({
      ...{ id, plants: 0, records: 0 },
      ...{ livingPlants: plantIds, harvestedPlants: harvestedPlantIds },
    })),
    traits: [],
    predicted: new Float64Array(size),
    deviation: new Float64Array(size),
    ownMean: new Array(size).fill(null),
    reliability: new Float64Array(size),
    errorShare: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    runShare: new Float64Array(size),
    plants: new Uint32Array(size),
    measuredPlants: Array.from({ length: size }, () => new Set()),
    stages: input.stages ?? new Map(),
    correlations: { genetic: new Float64Array(0), residual: new Float64Array(0) },
    draws: input.draws ?? usualDraws(size),
  }
  const streams = streamsOf(prepared.draws, input.seed ?? 0)
  const nameOf = (genotype: RankingInput['genotypes'][number]) => String(genotype.number ?? genotype.id)
  const checkIds = new Set(genotypes.flatMap(({ id, isCheck }) => (isCheck ? [id] : [])))
  const seeds = genotypes.filter(({ isCheck }) => !isCheck)
  const seedAt = new Map(seeds.map(({ id }, i) => [id, i]))
  const candidateAt = candidates.map(({ id }) => seedAt.get(id) as number)
  const names = candidates.map(nameOf)
  const adjusted: Adjusted[] = []
  const plantsSeen = candidates.map(() => new Set<string>())

  for (const [t, trait] of input.traits.entries()) {
    const { id, curve, heritability = null, isOfHarvest = false, isOrdinal = false } = trait
    const { fromStage = 0, toStage = Number.POSITIVE_INFINITY } = trait
    const records = recordsByTrait.get(id) ?? []
    const liability = isOrdinal ? liabilityOf(records.map(({ value }) => value)) : null
    const values = liability ? records.map((record) => ({ ...record, value: liability.scoreOf(record.value) })) : records
    countRecords(prepared, values, candidates, t, input.traits.length, plantsSeen)
    const model = fitTrait({
      values,
      genotypeIds: seeds.map((seed) => seed.id),
      checkIds,
      stated: heritability,
      scaleWidth: liability ? scoreWidth : curve.high - curve.low,
      ...(liability && { attenuation: liability.variance }),
    })
    const stepOf = stepBy(liability, model)
    const worthOfStep = desirabilityOf(curve)
    const worthOf: Worth = liability ? (value) => worthOfStep(stepOf(value)) : worthOfStep
    const isMeasured = model.design.genotypes > 0
    const drawn = isMeasured ? drawTrait({ draws: prepared.draws, model, worthOf, liability, candidateAt, names, streams, t }) : null
    writeCells(prepared, t, input.traits.length, drawn, model, candidateAt, seeds.length, worthOf)
    adjusted.push(adjust(model, values, seedAt))
    prepared.traits.push({
      id,
      isOfHarvest,
      fromStage,
      toStage,
      isMeasured,
      mean: drawn?.mean ?? Number.NaN,
      repeatability: model.heritability + model.interaction,
      source: model.source,
      replicatedGenotypes: model.design.replicated,
      assumesInteraction: isMeasured && model.assumesInteraction,
      notComparable: unconnectedRuns(values),
      leanings: leaningsOf(model, values, inUnitOf(model, stepOf)),
      worths: drawn?.worths ?? new Float32Array(0),
      spread: (drawn?.slope ?? 0) * Math.sqrt(model.heritability * model.variance),
      bent: drawn?.bent ?? 0,
      heritability: model.heritability,
      interaction: model.interaction,
      noise: model.noise,
    })
    yield
  }
  for (const [i, seen] of plantsSeen.entries()) (prepared.candidates[i] as PreparedCandidate).plants = seen.size
  prepared.correlations = correlateTraits(tableOf(adjusted))
  return prepared
}

/** For a scale of steps, the mean step of a phenotype's plants; otherwise the value itself. */
function stepBy(liability: Liability | null, model: TraitModel): (value: number) => number {
  if (!liability) return (value) => value
  const { genotype } = liabilityVariances(model.design, { ...likeliestOf(model), genotype: model.heritability }, liability)
  const stepOf = liability.meanStepBy(genotype)
  return (score) => stepOf(score / liability.variance)
}

function inUnitOf(model: TraitModel, stepOf: (value: number) => number): (difference: number) => number {
  const mean = dot(averageOf(model), likeliestOf(model).solution)
  return (difference) => stepOf(mean + difference) - stepOf(mean)
}

const likeliestOf = ({ points }: TraitModel): Point => points.reduce((best, point) => (point.weight > best.weight ? point : best))

function writeCells(
  prepared: PreparedRanking,
  t: number,
  width: number,
  drawn: TraitDraws | null,
  model: TraitModel,
  candidateAt: readonly number[],
  genotypes: number,
  worthOf: Worth,
): void {
  if (!drawn) return
  const point = likeliestOf(model)
  const evidence = evidenceOf(model.design, { ...point, genotype: model.heritability, interaction: model.interaction }, genotypes)
  const average = averageOf(model)
  for (const [i, at] of candidateAt.entries()) {
    const cell = i * width + t
    prepared.predicted[cell] = drawn.predicted[i] as number
    prepared.deviation[cell] = drawn.deviation[i] as number
    const own = evidence[at]
    if (!own) continue
    let mean = own.mean + dot(average, point.solution)
    for (let u = 0; u < own.loads.length; u++) mean -= (own.loads[u] as number) * (point.solution[own.columns[u] as number] as number)
    prepared.ownMean[cell] = worthOf(mean)
    prepared.reliability[cell] = model.heritability / (model.heritability + own.variance)
    prepared.errorShare[cell] = own.variance
    prepared.runShare[cell] = Math.min(own.variance, model.interaction / own.runs)
  }
}

function countRecords(
  prepared: PreparedRanking,
  values: readonly RankingRecord[],
  candidates: readonly { id: string }[],
  t: number,
  width: number,
  plantsSeen: readonly Set<string>[],
): void {
  const byGenotype = Map.groupBy(values, ({ genotypeId }) => genotypeId)
  for (const [i, { id }] of candidates.entries()) {
    const own = byGenotype.get(id) ?? []
    const measured = prepared.measuredPlants[i * width + t] as Set<string>
    for (const { plantId } of own) {
      measured.add(plantId)
      plantsSeen[i]?.add(plantId)
    }
    prepared.plants[i * width + t] = measured.size
    ;(prepared.candidates[i] as PreparedCandidate).records += own.length
  }
}

/** A trait's values without the effects of runs and observers, by plant, for the correlations. */
type Adjusted = { genetic: number; residual: number; plants: Map<string, { genotype: number; sum: number; count: number }> }

function adjust(
  model: TraitModel,
  values: readonly (TraitValue & { observerId: string | null })[],
  seedAt: ReadonlyMap<string, number>,
): Adjusted {
  const plants: Adjusted['plants'] = new Map()
  const { solution } = likeliestOf(model)
  const { runs, observers } = model.design
  const effect = (column: number | undefined) => (column === undefined ? 0 : (solution[column] as number))
  for (const { genotypeId, plantId, runId, observerId, value } of values) {
    const genotype = seedAt.get(genotypeId)
    if (genotype === undefined) continue
    const plant = plants.get(plantId) ?? { genotype, sum: 0, count: 0 }
    plants.set(plantId, plant)
    plant.sum += value - effect(runs.get(runId)) - effect(observers.get(observerId))
    plant.count++
  }
  const { heritability, interaction, variance } = model
  return { genetic: (heritability + interaction) * variance, residual: (1 - heritability - interaction) * variance, plants }
}

function tableOf(adjusted: readonly Adjusted[]): Parameters<typeof correlateTraits>[0] {
  const genotypeOf = new Map(adjusted.flatMap(({ plants }) => [...plants].map(([id, { genotype }]) => [id, genotype] as const)))
  const ids = [...genotypeOf.keys()]
  return {
    genotypes: [...genotypeOf.values()],
    values: adjusted.map(({ plants }) =>
      Float64Array.from(ids, (id) => {
        const plant = plants.get(id)
        return plant ? plant.sum / plant.count : Number.NaN
      }),
    ),
    genetic: adjusted.map(({ genetic }) => genetic),
    residual: adjusted.map(({ residual }) => residual),
  }
}

/** Runs that no phenotype or check clone connects with the largest group of runs, directly or through other runs. */
function unconnectedRuns(values: readonly RankingRecord[]): (string | null)[] {
  const groups: { runs: Set<string | null>; records: number }[] = []
  for (const own of Map.groupBy(values, ({ genotypeId }) => genotypeId).values()) {
    const runs = new Set(own.map(({ runId }) => runId))
    const joined = groups.filter((group) => [...group.runs].some((run) => runs.has(run)))
    for (const group of joined) groups.splice(groups.indexOf(group), 1)
    groups.push({
      runs: new Set([...joined.flatMap((group) => [...group.runs]), ...runs]),
      records: joined.reduce((sum, { records }) => sum + records, own.length),
    })
  }
  const largest = groups.reduce((best, group) => (group.records > best.records ? group : best), {
    runs: new Set<string | null>(),
    records: 0,
  })
  return groups
    .flatMap((group) => (group === largest ? [] : [...group.runs]))
    .sort((a, b) => Number(a === null) - Number(b === null) || ((a ?? '') < (b ?? '') ? -1 : 1))
}

/** Sorts by number, so neither the input's order nor new IDs change the draws. */
function ordered<Item extends { id: string; number?: number }>(genotypes: readonly Item[]): Item[] {
  requireUnique(genotypes, 'genotype')
  return [...genotypes].sort((a, b) => (a.number ?? 0) - (b.number ?? 0) || (a.id < b.id ? -1 : 1))
}

function requireUnique(items: readonly { id: string }[], kind: string): void {
  const seen = new Set<string>()
  for (const { id } of items) {
    if (seen.has(id)) throw new RangeError(`The ${kind} ${id} is listed twice.`)
    seen.add(id)
  }
}

type Sorted = TraitValue & { traitId: string }

function sortRecords(input: RankingInput, genotypes: readonly { id: string }[]): Map<string, Sorted[]> {
  const place = new Map(genotypes.map(({ id }, i) => [id, i]))
  const byTrait = new Map<string, Sorted[]>(input.traits.map(({ id }) => [id, []]))
  for (const { observerId = null, ...record } of input.records) {
    const records = byTrait.get(record.traitId)
    if (!records) throw new RangeError(`A record names the trait ${record.traitId}, which is not among the traits.`)
    if (!place.has(record.genotypeId))
      throw new RangeError(`A record names the genotype ${record.genotypeId}, which is not among the genotypes.`)
    if (Number.isFinite(record.value)) records.push({ ...record, observerId })
  }
  const text = ({ plantId, runId, observerId }: Sorted) => `${plantId} ${runId} ${observerId}`
  for (const records of byTrait.values()) {
    const keyed = records.map((record) => ({ record, at: place.get(record.genotypeId) as number, key: text(record) }))
    keyed.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.record.value - b.record.value))
    for (const [i, { record }] of keyed.entries()) records[i] = record
  }
  return byTrait
}
