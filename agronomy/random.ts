import { normalQuantile } from './statistics.ts'

/** A stream of unsigned 32-bit integers. */
export type Random = () => number

/**
 * Reproducible random numbers: sfc32 (Chris Doty-Humphrey, PractRand 0.94) uses only 32-bit integers, and normals come from
 * `normalQuantile`, which uses only + − × ÷ and √. IEEE 754 defines these to the last bit, whereas Math.log, Math.cos and Math.exp differ
 * between engines. The server and every browser get identical draws.
 */
export function createRandom(seed: number): Random {
  let a = seed >>> 0
  let b = 0x9e3779b9
  let c = 0x243f6a88
  let counter = 1
  const next = () => {
    const out = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + out) | 0
    return out >>> 0
  }
  // After this warm-up, seeds that differ in one bit have diverged.
  for (let i = 0; i < 15; i++) next()
  return next
}

/** FNV-1a over UTF-16 code units: an independent stream for each name, whatever other names exist. */
export function seedOf(name: string, seed = 0): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

export function nextNormal(random: Random): number {
  return normalQuantile((random() + 0.5) / 0x1_0000_0000)
}

/**
 * Standard normals in random order, one from each of `quantiles.length` equally likely slices (Latin hypercube sampling: McKay, Beckman &
 * Conover 1979). Their mean is 0, and shares counted from them vary less than with independent draws. Written to `target` from `offset` on,
 * `stride` apart.
 */
export function writeStratifiedNormals(
  random: Random,
  quantiles: Float64Array,
  target: Float64Array,
  offset: number,
  stride: number,
): void {
  const order = Float64Array.from(quantiles)
  for (let i = order.length - 1; i > 0; i--) {
    const other = Math.floor((random() / 0x1_0000_0000) * (i + 1))
    const value = order[i] as number
    order[i] = order[other] as number
    order[other] = value
  }
  for (let i = 0; i < order.length; i++) target[offset + i * stride] = order[i] as number
}

/** Medians of `count` equally likely slices of the standard normal. */
export function sliceNormals(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => normalQuantile((i + 0.5) / count))
}
