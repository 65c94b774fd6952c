/** Round values for the lines of a plot, from 0 up to one at or above the highest; at least two of them. */
export function ticksFor(highest: number): number[] {
  const step = Math.max(1, niceStep(highest / 4))
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function niceStep(rough: number): number {
  if (rough <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
}

/** Which of so many steps get a label: evenly spread, the last one always, and no more than fit. */
export function labelled(count: number, most: number): number[] {
  if (count <= 0) return []
  const every = Math.max(1, Math.ceil(count / most))
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => count - 1 - i * every).reverse()
}
