import { solveBackward } from './linear-algebra.ts'
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
  const sums = { value: new Float64Array(count), worth: new Float64Array(count), square: new Float64Array(count) }
  const line = { x: 0, y: 0, xx: 0, xy: 0 }
  const center = dot(average, (points[0] as Point).solution)
  let mean = 0
  let from = 0
  let share = 0
  for (const point of points) {
    share += point.weight
    const to = Math.round(share * draws)
    const cells = cellsAt(model, point, candidateAt)
    mean += point.weight * meanOfPopulation(point, average, worthOf)
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
        sums.value[i] = (sums.value[i] as number) + value
        sums.worth[i] = (sums.worth[i] as number) + worth
        sums.square[i] = (sums.square[i] as number) + worth * worth
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
  const predicted = sums.worth.map((sum) => sum / draws)
  return {
    worths,
    mean,
    slope,
    bent: Math.max(0, varianceOf(predicted) - slope * slope * varianceOf(sums.value.map((sum) => sum / draws))),
    predicted,
    deviation: sums.square.map((sum, i) => Math.sqrt(Math.max(0, sum / draws - (predicted[i] as number) ** 2))),
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

/** Of phenotypes without records. */
function meanOfPopulation(point: Point, average: Float64Array, worthOf: Worth): number {
  const slices = sliceNormals(32)
  const center = dot(average, point.solution)
  const deviation = Math.sqrt((point.genotype * point.squares) / Math.max(point.degrees, 1))
  return slices.reduce((sum, slice) => sum + (worthOf(center + deviation * slice) ?? 0), 0) / slices.length
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
