import { errorVariance, meanScores, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import { normalCdf, normalDensity } from './normal.ts'
import { errorVarianceOf } from './predict.ts'
import type { PreparedRanking } from './prepare-ranking.ts'

/**
 * Which record would help most to pick the right one: the knowledge gradient, which is what the best predicted score is expected to
 * gain by one more record (S. S. Gupta & K. J. Miescke 1996; P. Frazier, W. Powell & S. Dayanik, SIAM Journal on Control and Optimization
 * 47, 2008): s·f(−|d|/s) with f(z) = zΦ(z) + φ(z), where d is how far the candidate is from the best of the others, and s how much
 * the record is expected to move its score (its prediction's error variance before, less that after).
 */
export type NextMeasurement = {
  genotypeId: string
  /** Expected gain of the best's score, in points of 100: what it is worth to know before choosing. */
  gain: number
  /** The chance that another candidate leads after it. */
  changesLeader: number
  /** How far, in points, it is behind the leader; of the leader, how far the second is behind it. */
  gap: number
  isLeader: boolean
}

export type PlantMeasurement = NextMeasurement & {
  traitId: string
  /** A living plant without a record of the trait. */
  plantId: string
  /** Plants of the genotype that have one. */
  measuredPlants: number
}

export type FurtherClone = NextMeasurement & { plants: number }

export type NextMeasurements = {
  /** One trait of one plant that stands there: a matter of minutes. Best first; one for each genotype and trait. */
  measurements: PlantMeasurement[]
  /** One more clone of a genotype, with a record of each trait that counts: a matter of a run. Best first. */
  clones: FurtherClone[]
}

/** Measuring the same plant again makes its own figure better, but is no replicate: it is not proposed. */
export function nextMeasurements(prepared: PreparedRanking, weights: Weights, limit = 5): NextMeasurements {
  const parts = weigh(prepared, weights)
  if (parts.length === 0 || prepared.candidates.length < 2) return { measurements: [], clones: [] }
  const scores = meanScores(prepared, parts)
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
      ...worthOfMove(move, gap),
    })
    for (const [p, part] of parts.entries()) {
      const cell = i * prepared.traits.length + part.column
      moves[p] = moveOf(prepared, cell, part)
      const measured = prepared.measuredPlants[cell] as ReadonlySet<string>
      const plantId = candidate.livingPlants.find((plant) => !measured.has(plant))
      if (plantId === undefined) continue
      measurements.push({ ...worthOf(moves[p] as number), traitId: part.trait.id, plantId, measuredPlants: measured.size })
    }
    clones.push({ ...worthOf(Math.sqrt(errorVariance(prepared, parts, moves))), plants: candidate.plants })
  }
  return { measurements: bestFew(measurements, limit), clones: bestFew(clones, limit) }
}

/** The standard deviation of what one more plant's record does to the score, from 0 to 1. */
function moveOf(prepared: PreparedRanking, cell: number, { trait, share }: WeighedTrait): number {
  const { genetic, residual } = trait.variance
  const plants = prepared.plants[cell] as number
  return share * Math.sqrt(errorVarianceOf(plants, genetic, residual) - errorVarianceOf(plants + 1, genetic, residual))
}

function worthOfMove(move: number, gap: number): { gain: number; changesLeader: number } {
  if (!(move > 0)) return { gain: 0, changesLeader: 0 }
  const z = -gap / move
  return { gain: round(100 * move * (z * normalCdf(z) + normalDensity(z))), changesLeader: round(normalCdf(z)) }
}

function bestFew<Item extends NextMeasurement & { traitId?: string }>(items: Item[], limit: number): Item[] {
  return items
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || order(a.genotypeId, b.genotypeId) || order(a.traitId ?? '', b.traitId ?? ''))
    .slice(0, limit)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Engines differ in the last bits of Math.exp. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** Why, in a sentence. `names` are as the grower knows them: “#7”, “yield”. */
export function explainMeasurement(next: PlantMeasurement | FurtherClone, names: { genotype: string; trait?: string }): string {
  const what =
    'traitId' in next
      ? `${names.genotype} has ${counted(next.measuredPlants, 'record')} of ${names.trait ?? next.traitId}`
      : `${names.genotype} is known by ${counted(next.plants, 'plant')}`
  const where = next.isLeader ? `It leads by ${points(next.gap)}` : `It is ${points(next.gap)} behind the leader`
  return `${what}. ${where}, and one more would put another in front with a chance of ${percent(next.changesLeader)}.`
}

function counted(count: number, unit: string): string {
  return count === 0 ? `no ${unit}` : count === 1 ? `one ${unit}` : `${count} ${unit}s`
}

function points(value: number): string {
  const text = value.toFixed(1)
  return `${text} ${text === '1.0' ? 'point' : 'points'}`
}

function percent(share: number): string {
  const text = Math.round(share * 100)
  return text === 0 ? 'under 1%' : `${text}%`
}
