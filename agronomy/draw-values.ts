import { solveBackward, solveForward } from './linear-algebra.ts'
import { type Evidence, evidenceOf, type Point, type TraitModel } from './mixed-model.ts'
import { createRandom, seedOf, sliceNormals, writeStratifiedNormals } from './random.ts'

export type Worth = (value: number) => number | null

export type Drawn = {
  worths: Float32Array
  mean: number
  /** Of a straight line through the curve, over all draws. */
  slope: number
  bent: number
  predicted: Float64Array
  deviation: Float64Array
}

export type Streams = { length: number; normals: Float64Array; start: (name: string) => { at: number; step: number } }

/**
 * Every stream walks the same shuffled table of stratified normals from its own start by its own odd step, which visits each once. Named by
 * phenotype and trait, so that others, or the weights, don't change its draws.
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

type ToDraw = {
  draws: number
  model: TraitModel
  worthOf: Worth
  /** The place of each candidate among the model's genotypes, and its name. */
  candidateAt: readonly number[]
  names: readonly string[]
  streams: Streams
  t: number
}

/** Draws the variances, then the shared effects, then each candidate's true value at the mean of the hunt's runs and observers. */
export function drawTrait({ draws, model, worthOf, candidateAt, names, streams, t }: ToDraw): Drawn {
  const { design, points } = model
  const count = candidateAt.length
  const mask = streams.length - 1
  const at = (stream: { at: number; step: number }, draw: number) =>
    streams.normals[(stream.at + stream.step * draw) % streams.length] as number
  const own = names.map((name) => streams.start(`candidate ${name}, trait ${t}`))
  const shared = Array.from({ length: design.columns }, (_, column) => streams.start(`shared ${column}, trait ${t}`))
  const spread = streams.start(`variance, trait ${t}`)
  const order = streams.start(`order, trait ${t}`)
  const average = averageOf(model)
  const worths = new Float32Array(draws * count)
  const values = new Float64Array(count)
  const expected = { worth: new Float64Array(count), square: new Float64Array(count), value: new Float64Array(count) }
  const line = { x: 0, y: 0, xx: 0, xy: 0 }
  const center = dot(average, (points[0] as Point).solution)
  let mean = 0
  let from = 0
  let share = 0
  for (const point of points) {
    share += point.weight
    const to = Math.round(share * draws)
    const cells = cellsAt(model, point, candidateAt)
    mean += expect(point, average, worthOf, blank).worth
    for (const [i, cell] of cells.entries()) {
      const part = expect(point, average, worthOf, cell)
      expected.worth[i] = (expected.worth[i] as number) + part.worth
      expected.square[i] = (expected.square[i] as number) + part.square
      expected.value[i] = (expected.value[i] as number) + part.value
    }
    const effects = new Float64Array(design.columns)
    for (let k = from; k < to; k++) {
      const draw = (order.at + order.step * k) % draws
      const deviation = Math.sqrt(point.squares / chiSquare(point.degrees, at(spread, draw)))
      for (let column = 0; column < effects.length; column++) effects[column] = at(shared[column] as (typeof shared)[number], draw)
      solveBackward(point.factor, effects.length, effects)
      for (let column = 0; column < effects.length; column++)
        effects[column] = (point.solution[column] as number) + deviation * (effects[column] as number)
      const common = dot(average, effects)
      for (let i = 0; i < count; i++) {
        const { evidence, reliability, error } = cells[i] as CellAt
        let value =
          common + deviation * error * (streams.normals[((own[i] as Stream).at + (own[i] as Stream).step * draw) & mask] as number)
        if (evidence) {
          let known = evidence.mean
          for (let u = 0; u < evidence.loads.length; u++)
            known -= (evidence.loads[u] as number) * (effects[evidence.columns[u] as number] as number)
          value += reliability * known
        }
        values[i] = value
      }
      for (let i = 0; i < count; i++) {
        const value = values[i] as number
        const worth = worthOf(value) ?? 0
        worths[draw * count + i] = worth
        const x = value - center
        line.x += x
        line.y += worth
        line.xx += x * x
        line.xy += x * worth
      }
    }
    from = to
  }
  const total = draws * Math.max(count, 1)
  const variance = line.xx / total - (line.x / total) ** 2
  const slope = variance > 0 ? (line.xy / total - (line.x / total) * (line.y / total)) / variance : 0
  return {
    worths,
    mean,
    slope,
    bent: Math.max(0, varianceOf(expected.worth) - slope * slope * varianceOf(expected.value)),
    predicted: expected.worth,
    deviation: expected.square.map((square, i) => Math.sqrt(Math.max(0, square - (expected.worth[i] as number) ** 2))),
  }
}

type Stream = { at: number; step: number }
type CellAt = { evidence: Evidence | null; reliability: number; error: number }

/** `error`: the standard deviation of a candidate's true value, given the shared effects, relative to single plants. */
function cellsAt({ design }: TraitModel, point: Point, candidateAt: readonly number[]): CellAt[] {
  const evidence = evidenceOf(design, point, Math.max(0, ...candidateAt) + 1)
  return candidateAt.map((at) => {
    const own = evidence[at] ?? null
    const reliability = own ? point.genotype / (point.genotype + own.variance) : 0
    return { evidence: own, reliability, error: Math.sqrt(point.genotype * (1 - reliability)) }
  })
}

/** Weighs the shared effects so that they give the mean over the hunt's runs and observers. */
export function averageOf({ design }: TraitModel): Float64Array {
  const average = new Float64Array(design.columns)
  average[0] = 1
  for (const columns of [design.runColumns, design.observerColumns]) for (const column of columns) average[column] = 1 / columns.length
  return average
}

/** A phenotype without records. */
const blank = { evidence: null, reliability: 0 }
const slices = sliceNormals(24)

/**
 * A point's share of the expected value, of its desirability and of that squared, without drawing: phenotypes with equal records get equal
 * scores.
 */
function expect(point: Point, average: Float64Array, worthOf: Worth, { evidence, reliability }: Omit<CellAt, 'error'>) {
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
  const variance = (point.squares / Math.max(point.degrees - 2, 1)) * (point.genotype * (1 - reliability) + dot(loads, loads))
  const deviation = Math.sqrt(variance)
  let worth = 0
  let square = 0
  for (const slice of slices) {
    const each = worthOf(center + deviation * slice) ?? 0
    worth += each
    square += each * each
  }
  const share = point.weight / slices.length
  return { worth: share * worth, square: share * square, value: point.weight * center }
}

/** The transformation of E. B. Wilson & M. M. Hilferty (1931). */
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
