export type Bar = { stars: number; count: number; percent: number }

/** Bars of a summary, five stars first. `counts` are for 1 to 5 stars. Percentages are rounded and may not add up to 100. */
export function distribution(counts: readonly number[]): Bar[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts
    .map((count, index) => ({ stars: index + 1, count, percent: total === 0 ? 0 : Math.round((count / total) * 100) }))
    .toReversed()
}
