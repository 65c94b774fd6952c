/** Numbers from 0 to 1 (exclusive), reproducible for each position in the dataset. */
export type Random = () => number

/** Every stream and index has its own sequence, so drawing for one never affects another. */
export function randomAt(seed: number, stream: number, index: number): Random {
  let state = mixed(mixed(mixed(seed) ^ stream) ^ index)
  // Mulberry32, by Tommy Ettinger (public domain).
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The finalizer of MurmurHash3: decorrelates neighboring values. */
function mixed(value: number): number {
  let h = value + 0x9e3779b9
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

export const below = (random: Random, count: number): number => Math.floor(random() * count)

export const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)] as Item

/**
 * A rank below `count` by Zipf's law with exponent 0.6; rank 0 is the most frequent. Of 50,000 ranks, the first gets 1.3% of all
 * draws, the first hundred 8%, and the last half 24%.
 */
export const popularRank = (random: Random, count: number): number => rankAt(random(), count)

/** The rank at a cumulative share (0 to 1, exclusive) of all draws. */
export const rankAt = (share: number, count: number): number => Math.floor(count * share ** 2.5)

/** A count that is mostly small and rarely large (Lomax, shape 1.7), with about the given mean unless `max` cuts it. */
export const longTail = (random: Random, mean: number, max: number): number =>
  Math.min(max, Math.round(mean * 0.7 * ((1 - random()) ** (-1 / 1.7) - 1)))
