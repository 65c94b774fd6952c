import { correctForCorrelations, meanScores, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import type { PreparedRanking } from './prepare-ranking.ts'
import { createRandom, seedOf, sliceNormals, writeStratifiedNormals } from './random.ts'

/**
 * How to use the spots of the next run: how many clones of which phenotypes are expected to improve the choice of keeper most. A plan's
 * value is the expected best predicted score after the run minus the best one now (the preposterior analysis of H. Raiffa & R. Schlaifer,
 * 1961). Each spot goes to the phenotype whose next clone adds most (a batch knowledge gradient: P. Frazier, W. Powell & S. Dayanik 2008),
 * unless sharing the spots evenly gains more.
 */
export type RunPlan = {
  /** Most clones first. */
  clones: { genotypeId: string; count: number }[]
  /** Plants of the check clone, which tie this run to the others. */
  checks: number
  /** Expected gain in the keeper's score, on a scale of 100 points. */
  gain: number
  /** The gain if all contenders that can be cloned, at most 24, shared the same spots evenly, and the number of those contenders. */
  evenGain: number
  contenders: number
  /** The spots in random order, so no phenotype gets all the best ones: indexes into `clones`, or −1 for a check clone. */
  order: number[]
}

/** Contenders beyond this many are rarely worth a spot. */
const maxContenders = 24
const draws = 512

type PlanOptions = {
  places: number
  checks: number
  contenderIds: readonly string[]
  seed?: number
}

/** Returns null without weights, without a spot for a clone, or with fewer than two contenders that can be cloned. */
export function planRun(
  prepared: PreparedRanking,
  weights: Weights,
  { places, checks, contenderIds, seed = 0 }: PlanOptions,
): RunPlan | null {
  const parts = weigh(prepared, weights)
  const free = places - checks
  const place = new Map(prepared.candidates.map(({ id }, i) => [id, i]))
  const contenders = contenderIds
    .flatMap((id) => place.get(id) ?? [])
    .filter((i) => (prepared.candidates[i] as PreparedRanking['candidates'][number]).livingPlants.length > 0)
    .slice(0, maxContenders)
  if (parts.length === 0 || free < 1 || contenders.length < 2) return null

  const correction = correctForCorrelations(prepared, parts)
  const scores = meanScores(prepared, parts, correction)
  const field = contenders.map((i) => ({
    id: (prepared.candidates[i] as PreparedRanking['candidates'][number]).id,
    score: scores[i] as number,
    moves: movesOf(prepared, parts, i, correction.width[i] as number, free),
  }))
  // The best expected score may belong to a phenotype without new clones.
  const others = Math.max(...scores.filter((_, i) => !contenders.includes(i)), Number.NEGATIVE_INFINITY)
  const normals = field.map(({ id }) => {
    const own = new Float64Array(draws)
    writeStratifiedNormals(createRandom(seedOf(`plan ${id}`, seed)), sliceNormals(draws), own, 0, 1)
    return own
  })
  const now = Math.max(others, ...field.map(({ score }) => score))
  const gainOf = (counts: readonly number[]) => {
    let sum = 0
    for (let draw = 0; draw < draws; draw++) {
      let best = others
      for (const [i, { score, moves }] of field.entries()) {
        const after = score + (moves[counts[i] as number] as number) * (normals[i]?.[draw] as number)
        if (after > best) best = after
      }
      sum += best
    }
    return 100 * (sum / draws - now)
  }

  const greedy = field.map(() => 0)
  for (let given = 0; given < free; given++) {
    const gains = greedy.map((_, i) => gainOf(greedy.map((count, j) => (i === j ? count + 1 : count))))
    const best = gains.indexOf(Math.max(...gains))
    greedy[best] = (greedy[best] as number) + 1
  }
  const even = field.map((_, i) => Math.floor(free / field.length) + (i < free % field.length ? 1 : 0))
  const evenGain = gainOf(even)
  // Adding one clone at a time isn't always best: a phenotype's first clones may be worth little, but several of them a lot.
  const counts = gainOf(greedy) < evenGain ? even : greedy
  const clones = field
    .map(({ id }, i) => ({ genotypeId: id, count: counts[i] as number }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return {
    clones,
    checks,
    gain: round(gainOf(counts)),
    evenGain: round(evenGain),
    contenders: field.length,
    order: shuffled([...clones.flatMap(({ count }, i) => new Array<number>(count).fill(i)), ...new Array<number>(checks).fill(-1)], seed),
  }
}

/**
 * The standard deviation of the change in a candidate's score with 0, 1, 2, … clones in the next run, each scored for every weighted
 * trait. They share that run, so its interaction with the phenotype doesn't average out.
 */
function movesOf(prepared: PreparedRanking, parts: readonly WeighedTrait[], candidate: number, width: number, most: number): Float64Array {
  return Float64Array.from({ length: most + 1 }, (_, clones) => {
    if (clones === 0) return 0
    let variance = 0
    for (const { trait, column, share } of parts) {
      const cell = candidate * prepared.traits.length + column
      const { heritability, interaction, noise } = trait
      const known = 1 / (prepared.errorShare[cell] as number)
      const added = 1 / (interaction + noise / clones)
      const errorOf = (precision: number) => 1 / (1 + heritability * precision)
      const moved = 1 - errorOf(known + added) / errorOf(known)
      variance += (share * (prepared.deviation[cell] as number)) ** 2 * Math.max(moved, 0)
    }
    return width * Math.sqrt(variance)
  })
}

const round = (value: number) => Math.round(value * 1e6) / 1e6

function shuffled(places: number[], seed: number): number[] {
  const random = createRandom(seedOf('bench', seed))
  for (let i = places.length - 1; i > 0; i--) {
    const other = Math.floor((random() / 0x1_0000_0000) * (i + 1))
    const place = places[i] as number
    places[i] = places[other] as number
    places[other] = place
  }
  return places
}
