import { type Liability, type LiabilityVariances, type Posterior, posteriorsBy, type StepCell } from './liability.ts'
import { type Design, type Evidence, evidenceOf, type Point, type TraitModel, type Variances } from './mixed-model.ts'
import { createRandom, seedOf, sliceNormals, writeStratifiedNormals } from './random.ts'
import { solveBackward, solveForward } from './statistics.ts'

export type Worth = (value: number) => number | null

export type TraitDraws = {
  worths: Float32Array
  mean: number
  /** The least-squares slope of the curve over all draws. */
  slope: number
  bent: number
  predicted: Float64Array
  deviation: Float64Array
}

export type Streams = { length: number; normals: Float64Array; start: (name: string) => { at: number; step: number } }

/**
 * Every stream walks the same shuffled table of stratified normals, from its own start and by its own odd step, so it visits each entry
 * once. A phenotype's streams are identified by its number and the trait's index: with the same `length`, they don't depend on the other
 * phenotypes or the weights.
 */
export function streamsOf(length: number, seed: number): Streams {
  const normals = new Float64Array(length)
  writeStratifiedNormals(createRandom(seedOf('normals', seed)), sliceNormals(length), normals, 0, 1)
  return {
    length,
    normals,
    start: (name) => {
      const random = createRandom(seedOf(name, seed))
      return { at: random() % length, step: (random() % length) | 1 }
    },
  }
}

type DrawOptions = {
  draws: number
  model: TraitModel
  worthOf: Worth
  /** Null if the trait's values count as plain numbers rather than steps. */
  liability: Liability | null
  /** The index of each candidate among the model's genotypes. */
  candidateAt: readonly number[]
  /** Identify the candidates' random streams. */
  names: readonly string[]
  streams: Streams
  t: number
}

/** Draws the variances, then the shared effects, then each candidate's true value at the mean of the hunt's runs and observers. */
export function drawTrait({ draws, model, worthOf, liability, candidateAt, names, streams, t }: DrawOptions): TraitDraws {
  const { points } = model
  const count = candidateAt.length
  const mask = streams.length - 1
  const own = names.map((name) => streams.start(`candidate ${name}, trait ${t}`))
  const order = streams.start(`order, trait ${t}`)
  const average = averageOf(model)
  const drawShared = sharedDraws(model, streams, t)
  const worths = new Float32Array(draws * count)
  const expected = { worth: new Float64Array(count), square: new Float64Array(count), value: new Float64Array(count) }
  const line = lineThrough(dot(average, (points[0] as Point).solution))
  const scale = liability?.variance ?? 1
  let mean = 0
  let from = 0
  let share = 0
  for (const point of points) {
    share += point.weight
    const to = Math.round(share * draws)
    const { cells, blank } = cellsAt(model, point, candidateAt, liability)
    mean += expect(point, average, worthOf, blank).worth
    for (const [i, cell] of cells.entries()) {
      const part = expect(point, average, worthOf, cell)
      expected.worth[i] = (expected.worth[i] as number) + part.worth
      expected.square[i] = (expected.square[i] as number) + part.square
      expected.value[i] = (expected.value[i] as number) + part.value
    }
    for (let k = from; k < to; k++) {
      const draw = (order.at + order.step * k) & mask
      const { effects, deviation } = drawShared(point, draw)
      const common = dot(average, effects)
      for (let i = 0; i < count; i++) {
        const { evidence, reliability, error, posterior, center } = cells[i] as CellAt
        const { at, step } = own[i] as Stream
        const normal = streams.normals[(at + step * draw) & mask] as number
        let value = common + (posterior ? scale * posterior.at(normal) - center : deviation * error * normal)
        if (evidence) {
          const { columns, loads } = evidence
          let known = evidence.mean
          for (let u = 0; u < loads.length; u++) known -= (loads[u] as number) * (effects[columns[u] as number] as number)
          value += reliability * known
        }
        const worth = worthOf(value) ?? 0
        worths[draw * count + i] = worth
        line.add(value, worth)
      }
    }
    from = to
  }
  const slope = line.slope()
  return {
    worths,
    mean,
    slope,
    bent: Math.max(0, varianceOf(expected.worth) - slope * slope * varianceOf(expected.value)),
    predicted: expected.worth,
    deviation: expected.square.map((square, i) => Math.sqrt(Math.max(0, square - (expected.worth[i] as number) ** 2))),
  }
}

/** Draws the mean and the effects of runs and observers around their solution, and the standard deviation of single plants. */
function sharedDraws({ design }: TraitModel, streams: Streams, t: number) {
  const mask = streams.length - 1
  const starts = Array.from({ length: design.columns }, (_, column) => streams.start(`shared ${column}, trait ${t}`))
  const spread = streams.start(`variance, trait ${t}`)
  const at = (stream: Stream, draw: number) => streams.normals[(stream.at + stream.step * draw) & mask] as number
  const effects = new Float64Array(design.columns)
  return (point: Point, draw: number) => {
    const deviation = Math.sqrt(point.squares / chiSquare(point.degrees, at(spread, draw)))
    for (const [column, start] of starts.entries()) effects[column] = at(start, draw)
    solveBackward(point.factor, effects.length, effects)
    for (let column = 0; column < effects.length; column++)
      effects[column] = (point.solution[column] as number) + deviation * (effects[column] as number)
    return { effects, deviation }
  }
}

/** The least-squares line through points, with values relative to a center, so squares don't lose digits. */
function lineThrough(center: number) {
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0]
  return {
    add(value: number, worth: number) {
      const from = value - center
      n++
      x += from
      y += worth
      xx += from * from
      xy += from * worth
    },
    slope: () => (n * xx - x * x > 0 ? (n * xy - x * y) / (n * xx - x * x) : 0),
  }
}

type Stream = { at: number; step: number }
type CellAt = {
  evidence: Evidence | null
  reliability: number
  error: number
  posterior: Posterior | null
  scale: number
  center: number
}

/**
 * `error`: the standard deviation of a candidate's true value, given the shared effects, relative to single plants. On a scale of steps,
 * `posterior` is the distribution of its liability and replaces a normal one around `center`, its prediction from the scores. A liability
 * times `scale` is a score.
 */
function cellsAt({ design }: TraitModel, point: Point, candidateAt: readonly number[], liability: Liability | null) {
  const evidence = evidenceOf(design, point, Math.max(0, ...candidateAt) + 1)
  const variances = liability && liabilityVariances(design, point, liability)
  const cellsOf = liability && variances && stepCells(design, point, liability, variances)
  const posteriorOf = liability && variances && posteriorsBy(liability, variances)
  const cellOf = (own: Evidence | null, at: number): CellAt => {
    const reliability = own ? point.genotype / (point.genotype + own.variance) : 0
    let center = 0
    if (own) {
      center = own.mean
      for (let u = 0; u < own.loads.length; u++) center -= (own.loads[u] as number) * (point.solution[own.columns[u] as number] as number)
    }
    return {
      evidence: own,
      reliability,
      error: Math.sqrt(point.genotype * (1 - reliability)),
      posterior: posteriorOf?.(cellsOf?.get(at) ?? []) ?? null,
      scale: liability?.variance ?? 1,
      center: reliability * center,
    }
  }
  return { cells: candidateAt.map((at) => cellOf(evidence[at] ?? null, at)), blank: cellOf(null, -1) }
}

/** Converts shares of the scores' variance to shares of the liability's. Variance that the scores don't capture becomes noise. */
export function liabilityVariances(
  { hasPlants, hasRuns, hasObservers }: Design,
  variances: Variances,
  { variance }: Pick<Liability, 'variance'>,
): LiabilityVariances & Pick<Variances, 'run' | 'observer'> {
  const { genotype, interaction, plant, residual, run, observer } = variances
  const shared = (hasRuns ? run : 0) + (hasObservers ? observer : 0)
  const known = genotype + interaction + plant + shared
  const share = Math.min(1 / (variance * (1 + (hasPlants ? residual : 0) + shared)), 0.95 / known)
  return {
    genotype: share * genotype,
    interaction: share * interaction,
    plant: share * plant,
    residual: 1 - share * known,
    run: share * run,
    observer: share * observer,
  }
}

/** Several values in one cell count as the step closest to their mean. */
function stepCells(
  design: Design,
  { solution }: Point,
  { scores, variance }: Liability,
  { run: ofRun, observer: ofObserver }: Pick<Variances, 'run' | 'observer'>,
): Map<number, StepCell[]> {
  const closest = (mean: number) =>
    scores.reduce((best, score, i) => (Math.abs(score - mean) < Math.abs((scores[best] as number) - mean) ? i : best), 0)
  return new Map(
    design.blocks
      .filter(({ isCheck }) => !isCheck)
      .map(({ genotype, mean, run, plant, columns, isLoneRun, isLoneObserver }) => [
        genotype,
        Array.from(mean, (value, i) => {
          let shift = 0
          for (const column of columns.subarray(3 * i, 3 * i + 3)) if (column >= 0) shift += solution[column] as number
          const noise = (isLoneRun[i] ? ofRun : 0) + (isLoneObserver[i] ? ofObserver : 0)
          return { step: closest(value), shift: shift / variance, noise, run: run[i] as number, plant: plant[i] as number }
        }),
      ]),
  )
}

/** Weights that average the shared effects over the hunt's runs and observers. */
export function averageOf({ design }: TraitModel): Float64Array {
  const average = new Float64Array(design.columns)
  average[0] = 1
  for (const columns of [design.runColumns, design.observerColumns]) for (const column of columns) average[column] = 1 / columns.length
  return average
}

const slices = sliceNormals(24)

/**
 * What a grid point contributes to the expected value, the expected desirability and its expected square. Computed without draws, so
 * phenotypes with equal records get equal scores.
 */
function expect(point: Point, average: Float64Array, worthOf: Worth, { evidence, reliability, posterior, scale }: CellAt) {
  const loads = Float64Array.from(average)
  let center = 0
  if (evidence) {
    center = reliability * evidence.mean
    for (let u = 0; u < evidence.loads.length; u++) {
      const column = evidence.columns[u] as number
      loads[column] = (loads[column] as number) - reliability * (evidence.loads[u] as number)
    }
  }
  center += dot(loads, point.solution)
  solveForward(point.factor, loads.length, loads)
  const unit = point.squares / Math.max(point.degrees - 2, 1)
  let deviation = Math.sqrt(unit * (point.genotype * (1 - reliability) + dot(loads, loads)))
  if (posterior) {
    center = dot(average, point.solution) + scale * posterior.mean
    deviation = Math.sqrt(scale * scale * posterior.variance + unit * dot(loads, loads))
  }
  const spread = posterior && deviation / Math.sqrt(posterior.variance)
  let worth = 0
  let square = 0
  for (const slice of slices) {
    const from = posterior && spread ? spread * (posterior.at(slice) - posterior.mean) : deviation * slice
    const each = worthOf(center + from) ?? 0
    worth += each
    square += each * each
  }
  const share = point.weight / slices.length
  return { worth: share * worth, square: share * square, value: point.weight * center }
}

/** A chi-square value for a standard normal, by the transformation of E. B. Wilson & M. M. Hilferty (1931). */
function chiSquare(degrees: number, normal: number): number {
  const part = 2 / (9 * degrees)
  const root = 1 - part + normal * Math.sqrt(part)
  return Math.max(degrees * root * root * root, degrees * 0.01)
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function varianceOf(values: Float64Array): number {
  let sum = 0
  let squares = 0
  for (const value of values) sum += value
  const mean = sum / Math.max(values.length, 1)
  for (const value of values) squares += (value - mean) ** 2
  return squares / Math.max(values.length - 1, 1)
}
