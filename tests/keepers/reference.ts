import type { Judgment, Random, SimulatedHunt, SimulatedValue } from './simulate-hunts.ts'
import { interactionShare, normalShare, worthBy } from './simulate-hunts.ts'

/**
 * A slow, plain implementation for comparison with the product: Henderson's mixed-model equations (C. R. Henderson, Biometrics 31, 1975)
 * as one dense matrix, and the restricted likelihood (H. D. Patterson & R. Thompson, Biometrika 58, 1971) at every point of a grid of
 * variances, weighted equally. It shares no code with the product.
 */

type Effect = { levels: string[]; levelOf: (value: SimulatedValue) => string; isFixed?: true }

const heritabilities = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75]

/** Ratios of each effect's variance to the residual one. */
type Point = { pheno: number; inRun: number; run: number; observer: number; plant: number }

function gridOf(values: readonly SimulatedValue[]): Point[] {
  const has = (key: 'run' | 'observer') => new Set(values.map((value) => value[key])).size > 1
  const isRepeated = new Set(values.map(({ plant }) => plant)).size < values.length
  const others = [0.02, 0.2, 0.7, 2]
  return heritabilities.flatMap((h) =>
    (has('run') ? [0.02, interactionShare, 0.3] : [interactionShare]).flatMap((inRun) =>
      (isRepeated ? [0.1, 0.35, 0.6, 0.85] : [0]).flatMap((plantShare) =>
        (has('run') ? others : [0]).flatMap((run) =>
          (has('observer') ? others : [0]).flatMap((observer) => {
            const rest = 1 - h - inRun
            if (rest < 0.04) return []
            const residual = rest * (1 - plantShare)
            const point = { pheno: h, inRun, run, observer, plant: rest * plantShare }
            return [Object.fromEntries(Object.entries(point).map(([key, share]) => [key, share / residual])) as Point]
          }),
        ),
      ),
    ),
  )
}

/** True values of each phenotype in `draws` draws, at the mean of the hunt's runs and observers. */
function drawValues(values: readonly SimulatedValue[], phenos: readonly string[], check: string | null, random: Random, draws: number) {
  const inRun = (value: SimulatedValue) => `${value.pheno} in ${value.run}`
  const levels = (of: (value: SimulatedValue) => string) => [...new Set(values.map(of))]
  const effects: Record<keyof Point, Effect> = {
    pheno: { levels: phenos.filter((pheno) => pheno !== check), levelOf: ({ pheno }) => pheno },
    inRun: { levels: levels(inRun), levelOf: inRun },
    run: { levels: levels(({ run }) => run), levelOf: ({ run }) => run },
    observer: { levels: levels(({ observer }) => observer), levelOf: ({ observer }) => observer },
    plant: { levels: levels(({ plant }) => plant), levelOf: ({ plant }) => plant },
  }
  const y = values.map(({ value }) => value)
  const fitted = gridOf(values).map((point) => {
    const used = (Object.keys(effects) as (keyof Point)[]).filter((key) => point[key] > 0)
    const starts = new Map<keyof Point, number>()
    let size = check === null ? 1 : 2
    const fixed = size
    for (const key of used) {
      starts.set(key, size)
      size += effects[key].levels.length
    }
    const columns = values.map((value) => [
      0,
      ...(value.pheno === check ? [1] : []),
      ...used.flatMap((key) => {
        const at = effects[key].levels.indexOf(effects[key].levelOf(value))
        return at < 0 ? [] : [(starts.get(key) as number) + at]
      }),
    ])
    const c = Array.from({ length: size }, () => new Float64Array(size))
    const right = new Float64Array(size)
    for (const [n, at] of columns.entries()) {
      for (const i of at) {
        right[i]! += y[n]!
        for (const j of at) c[i]![j]! += 1
      }
    }
    let penalty = 0
    for (const key of used) {
      const count = effects[key].levels.length
      for (let i = 0; i < count; i++) c[starts.get(key)! + i]![starts.get(key)! + i]! += 1 / point[key]
      penalty += count * Math.log(point[key])
    }
    const lower = choleskyOf(c)
    const solution = backward(lower, forward(lower, right))
    const residualSquares =
      y.reduce((sum, value) => sum + value * value, 0) - right.reduce((sum, value, i) => sum + value * solution[i]!, 0)
    const degrees = y.length - fixed
    const logDeterminant = lower.reduce((sum, row, i) => sum + 2 * Math.log(row[i]!), 0)
    return {
      used,
      starts,
      lower,
      solution,
      degrees,
      residualSquares,
      log: -(degrees * Math.log(residualSquares) + logDeterminant + penalty) / 2,
    }
  })
  const top = Math.max(...fitted.map(({ log }) => log))
  const weights = fitted.map(({ log }) => Math.exp(log - top))
  let total = 0
  const cumulative = weights.map((weight) => {
    total += weight
    return total
  })
  return Array.from({ length: draws }, (_, draw) => {
    const at = ((draw + random.uniform()) / draws) * total
    const chosen = fitted[cumulative.findIndex((sum) => at < sum)] ?? fitted.at(-1)!
    let squares = 0
    for (let i = 0; i < chosen.degrees; i++) squares += random.normal() ** 2
    const deviation = Math.sqrt(chosen.residualSquares / squares)
    // The inverse of the coefficients is the covariance of the errors: solving the transposed factor for white noise yields a draw from it.
    const noise = backward(
      chosen.lower,
      Float64Array.from(chosen.solution, () => random.normal()),
    )
    const effect = chosen.solution.map((value, i) => value + deviation * noise[i]!)
    const meanOf = (key: keyof Point) => {
      const start = chosen.starts.get(key)
      if (start === undefined) return 0
      const count = effects[key].levels.length
      return effect.slice(start, start + count).reduce((sum, value) => sum + value, 0) / count
    }
    const common = effect[0]! + meanOf('run') + meanOf('observer')
    return effects.pheno.levels.map((_, i) => common + effect[chosen.starts.get('pheno')! + i]!)
  })
}

export function judgeByReference(hunt: SimulatedHunt, random: Random, draws = 500): Judgment {
  return judgeDraws(hunt.isOrdinal ? drawSteps(hunt, random, draws) : drawScores(hunt, random, draws))
}

/** Returns scores by draw and candidate. */
function drawScores(hunt: SimulatedHunt, random: Random, draws: number): number[][] {
  const curves = [...hunt.curves]
  // Correlated traits would need a joint model. As long as curves are straight, the mean of the two counts as one trait.
  const isStraight = curves.length > 1 && curves.every(([, curve]) => curve.high - curve.low > 20)
  const traits = isStraight
    ? [[meansOfTraits(hunt.values), curves[0]![1]] as const]
    : curves.map(([trait, curve]) => [hunt.values.filter((value) => value.trait === trait), curve] as const)
  const scores = Array.from({ length: draws }, () => hunt.candidates.map(() => 0))
  for (const [values, curve] of traits) {
    const drawn = shuffled(drawValues(values, hunt.candidates, hunt.check, random, draws), random)
    for (const [d, draw] of drawn.entries())
      for (const [i, value] of draw.entries()) scores[d]![i]! += worthBy(curve, value) / traits.length
  }
  return scores
}

function judgeDraws(scores: readonly (readonly number[])[]): Judgment {
  const draws = scores.length
  const pBest = scores[0]!.map(() => 0)
  for (const draw of scores) {
    const best = Math.max(...draw)
    const at = draw.flatMap((score, i) => (score === best ? [i] : []))
    for (const i of at) pBest[i]! += 1 / at.length / draws
  }
  const sorted = pBest.map((_, i) => scores.map((draw) => draw[i]!).sort((a, b) => a - b))
  return {
    score: sorted.map((all) => all.reduce((sum, value) => sum + value, 0) / draws),
    pBest,
    interval80: sorted.map((all) => [all[Math.floor(0.1 * draws)]!, all[Math.ceil(0.9 * draws) - 1]!]),
  }
}

/** Each trait's draws come ordered by variance. Variances are independent between traits, so draws must not be paired in that order. */
const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, at: random.uniform() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

function meansOfTraits(values: readonly SimulatedValue[]): SimulatedValue[] {
  return [...Map.groupBy(values, ({ plant }) => plant).values()].map((all) => ({
    ...all[0]!,
    value: all.reduce((sum, { value }) => sum + value, 0) / all.length,
  }))
}

/**
 * A scale's steps as a threshold model of one room with one value of each plant, by data augmentation (J. H. Albert & S. Chib, Journal of
 * the American Statistical Association 88, 1993): liabilities, thresholds, phenotypes and the heritability are drawn in turn, given the
 * others. Liabilities have a mean of 0 and a variance of 1.
 */
function drawSteps({ candidates, values, curves }: SimulatedHunt, random: Random, draws: number): number[][] {
  const last = Math.max(...values.map(({ value }) => value))
  const curve = [...curves.values()][0]!
  const plantsOf = candidates.map((pheno) => values.flatMap((value, n) => (value.pheno === pheno ? [n] : [])))
  const phenoOf = values.map(({ pheno }) => candidates.indexOf(pheno))
  const below = (step: number) => (values.filter(({ value }) => value < step).length + 0.5) / (values.length + 1)
  const thresholds = Array.from({ length: last }, (_, k) => quantileBelow(below(k + 1)))
  const bounds = (step: number) => [step === 0 ? -8 : thresholds[step - 1]!, step === last ? 8 : thresholds[step]!] as const
  const liabilities = values.map(({ value }) => {
    const [low, high] = bounds(value)
    return (Math.max(low, -2) + Math.min(high, 2)) / 2
  })
  const scores: number[][] = []
  const [unused, thinning] = [200, 2]
  for (let round = 0; round < unused + thinning * draws; round++) {
    const sums = plantsOf.map((plants) => plants.reduce((sum, n) => sum + liabilities[n]!, 0))
    const squares = liabilities.reduce((sum, value) => sum + value * value, 0)
    const logs = heritabilities.map((heritability) => {
      const shared = heritability + interactionShare
      const own = 1 - shared
      return plantsOf.reduce(
        (log, { length }, i) => {
          const total = own + length * shared
          return log - ((length - 1) * Math.log(own) + Math.log(total) - (shared * sums[i]! ** 2) / (own * total)) / 2
        },
        -squares / own / 2,
      )
    })
    const heritability = heritabilities[drawnFrom(logs, random)]!
    const shared = heritability + interactionShare
    const inRoom = sums.map((sum, i) => {
      const precision = 1 / shared + plantsOf[i]!.length / (1 - shared)
      return sum / (1 - shared) / precision + random.normal() / Math.sqrt(precision)
    })
    for (const [n, { value }] of values.entries()) {
      const [low, high] = bounds(value)
      const mean = inRoom[phenoOf[n]!]!
      const deviation = Math.sqrt(1 - shared)
      const from = normalShare((low - mean) / deviation)
      const to = normalShare((high - mean) / deviation)
      const drawn = mean + deviation * quantileBelow(from + (to - from) * random.uniform())
      liabilities[n] = Math.min(Math.max(drawn, low), high)
    }
    for (let k = 0; k < last; k++) {
      const low = Math.max(thresholds[k - 1] ?? -4, ...liabilities.filter((_, n) => values[n]!.value === k))
      const high = Math.min(thresholds[k + 1] ?? 4, ...liabilities.filter((_, n) => values[n]!.value === k + 1))
      thresholds[k] = low + (high - low) * random.uniform()
    }
    if (round < unused || (round - unused) % thinning > 0) continue
    const ownShare = heritability / shared
    scores.push(
      inRoom.map((value) => {
        const own = ownShare * value + Math.sqrt(ownShare * interactionShare) * random.normal()
        const above = thresholds.map((threshold) => normalShare((own - threshold) / Math.sqrt(1 - heritability)))
        return worthBy(
          curve,
          above.reduce((sum, share) => sum + share, 0),
        )
      }),
    )
  }
  return scores
}

function drawnFrom(logs: readonly number[], random: Random): number {
  const top = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - top))
  let at = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    0,
    weights.findIndex((weight) => {
      at -= weight
      return at < 0
    }),
  )
}

function quantileBelow(share: number): number {
  let [low, high] = [-8, 8]
  for (let n = 0; n < 28; n++) {
    const middle = (low + high) / 2
    if (normalShare(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function choleskyOf(matrix: readonly Float64Array[]): Float64Array[] {
  const lower = matrix.map((row) => new Float64Array(row.length))
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!
      lower[i]![j] = i === j ? Math.sqrt(sum) : sum / lower[j]![j]!
    }
  }
  return lower
}

function forward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const solution = Float64Array.from(right)
  for (let i = 0; i < solution.length; i++) {
    for (let k = 0; k < i; k++) solution[i]! -= lower[i]![k]! * solution[k]!
    solution[i]! /= lower[i]![i]!
  }
  return solution
}

function backward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const solution = Float64Array.from(right)
  for (let i = solution.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < solution.length; k++) solution[i]! -= lower[k]![i]! * solution[k]!
    solution[i]! /= lower[i]![i]!
  }
  return solution
}
