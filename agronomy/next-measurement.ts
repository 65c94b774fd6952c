import { correctForCorrelations, meanScores, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import type { PreparedRanking, PreparedTrait } from './prepare-ranking.ts'
import { normalCdf, normalDensity } from './statistics.ts'

export type NextMeasurement = {
  genotypeId: string
  /** Expected gain in the best score, on a scale of 100 points. */
  gain: number
  /** The probability that the leader changes. */
  changesLeader: number
  /** Points behind the leader or, for the leader, ahead of the runner-up. */
  gap: number
  isLeader: boolean
}

export type PlantMeasurement = NextMeasurement & {
  traitId: string
  /**
   * A plant without a record of the trait: a living plant in a stage in which the trait shows, or a harvested plant for traits that are
   * measured afterward.
   */
  plantId: string
  /** Plants of the genotype that have a record of the trait. */
  measuredPlants: number
}

export type FurtherClone = NextMeasurement & { plants: number }

export type NextMeasurements = {
  /** Measurements of one trait of one existing plant, each of which takes minutes. Best first, one per genotype and trait. */
  measurements: PlantMeasurement[]
  /** Clones of a genotype to grow and record for each weighted trait, which takes a whole run. Best first. */
  clones: FurtherClone[]
}

/**
 * Ranks additional records by how much they would help to pick the best genotype: the knowledge gradient, or expected gain in the best
 * predicted score from one more record (S. S. Gupta & K. J. Miescke 1996; P. Frazier, W. Powell & S. Dayanik, SIAM Journal on Control and
 * Optimization 47, 2008): s·f(−|d|/s) with f(z) = zΦ(z) + φ(z), where d is the candidate's distance from the best of the others and s² the
 * decrease in its prediction's error variance that the record brings.
 *
 * Remeasuring the same plant is never proposed: it improves the plant's figure but isn't a replicate.
 */
export function nextMeasurements(prepared: PreparedRanking, weights: Weights, limit = 5): NextMeasurements {
  const parts = weigh(prepared, weights)
  if (parts.length === 0 || prepared.candidates.length < 2) return { measurements: [], clones: [] }
  const correction = correctForCorrelations(prepared, parts)
  const scores = meanScores(prepared, parts, correction)
  const leader = scores.reduce((best, score, i) => (score > (scores[best] as number) ? i : best), 0)
  const second = scores.reduce((best, score, i) => (i !== leader && (best < 0 || score > (scores[best] as number)) ? i : best), -1)
  const measurements: PlantMeasurement[] = []
  const clones: FurtherClone[] = []
  const moves = new Float64Array(parts.length)
  for (const [i, candidate] of prepared.candidates.entries()) {
    const isLeader = i === leader
    const gap = (scores[leader] as number) - (scores[isLeader ? second : i] as number)
    const worthOf = (move: number): NextMeasurement => ({
      genotypeId: candidate.id,
      isLeader,
      gap: round(100 * gap),
      ...gainOfMove(move, gap),
    })
    for (const [p, part] of parts.entries()) {
      const cell = i * prepared.traits.length + part.column
      const width = correction.width[i] as number
      moves[p] = width * moveOf(prepared, cell, part, 'elsewhere')
      const measured = prepared.measuredPlants[cell] as ReadonlySet<string>
      const plants = part.trait.isOfHarvest
        ? candidate.harvestedPlants
        : candidate.livingPlants.filter((plant) => isInWindow(part.trait, prepared.stages, plant))
      const plantId = plants.find((plant) => !measured.has(plant))
      if (plantId === undefined) continue
      measurements.push({
        ...worthOf(width * moveOf(prepared, cell, part, 'here')),
        traitId: part.trait.id,
        plantId,
        measuredPlants: measured.size,
      })
    }
    if (candidate.livingPlants.length > 0)
      clones.push({ ...worthOf(Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0))), plants: candidate.plants })
  }
  return { measurements: topByGain(measurements, limit), clones: topByGain(clones, limit) }
}

/** In a hunt that records stages, a plant without one is a fresh cutting or seedling, which doesn't show traits of later stages yet. */
function isInWindow({ fromStage, toStage }: PreparedTrait, stages: ReadonlyMap<string, number>, plant: string): boolean {
  const stage = stages.get(plant) ?? (stages.size > 0 ? 0 : null)
  return stage === null || (stage >= fromStage && stage <= toStage)
}

/**
 * The standard deviation of the change that one more plant's record makes to the score (from 0 to 1). Its square is the decrease in error
 * variance. An existing plant shares its run with the others of its phenotype; a clone in the next run doesn't.
 */
function moveOf(prepared: PreparedRanking, cell: number, { trait, share }: WeighedTrait, where: 'here' | 'elsewhere'): number {
  const { heritability, interaction, noise } = trait
  const error = prepared.errorShare[cell] as number
  const inRun = prepared.runShare[cell] as number
  const errorOf = (precision: number) => heritability / (1 + heritability * precision)
  const before = error === Number.POSITIVE_INFINITY ? 0 : 1 / error
  const after =
    before === 0
      ? 1 / (interaction + noise)
      : where === 'here'
        ? 1 / (inRun + 1 / (1 / Math.max(error - inRun, 1e-9) + 1 / noise))
        : before + 1 / (interaction + noise)
  if (!(heritability > 0)) return 0
  const moved = 1 - errorOf(after) / errorOf(before)
  return share * (prepared.deviation[cell] as number) * Math.sqrt(Math.max(moved, 0))
}

function gainOfMove(move: number, gap: number): { gain: number; changesLeader: number } {
  if (!(move > 0)) return { gain: 0, changesLeader: 0 }
  const z = -gap / move
  return { gain: round(100 * move * (z * normalCdf(z) + normalDensity(z))), changesLeader: round(normalCdf(z)) }
}

function topByGain<Item extends NextMeasurement & { traitId?: string }>(items: Item[], limit: number): Item[] {
  return items
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || order(a.genotypeId, b.genotypeId) || order(a.traitId ?? '', b.traitId ?? ''))
    .slice(0, limit)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

export function describeGain(next: PlantMeasurement | FurtherClone): string {
  const apart = next.isLeader ? `It leads by ${points(next.gap)}.` : `It’s ${points(next.gap)} behind the leader.`
  const where = next.gap < 0.05 ? `It’s level with the ${next.isLeader ? 'runner-up' : 'leader'}.` : apart
  return `${percent(next.changesLeader)} chance it changes who leads. ${where}`
}

/** `names` are the grower's: “#7”, “yield”. */
export function explainMeasurement(next: PlantMeasurement | FurtherClone, names: { genotype: string; trait?: string }): string {
  if (!('traitId' in next)) return `One more clone of ${names.genotype}: ${describeGain(next)}`
  const measure = `Measure ${names.trait ?? next.traitId} on ${names.genotype}`
  return next.measuredPlants === 0 ? `${measure}, which has no score yet: ${describeGain(next)}` : `${measure} again: ${describeGain(next)}`
}

function points(value: number): string {
  const text = value.toFixed(1)
  return `${text} ${text === '1.0' ? 'point' : 'points'}`
}

function percent(share: number): string {
  const text = Math.round(share * 100)
  return text === 0 ? 'under 1%' : `${text}%`
}
