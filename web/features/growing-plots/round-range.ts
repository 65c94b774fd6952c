/** Round bounds around two values, and the round step that divides them into about as many parts as asked. */
export function roundRange(low: number, high: number, parts: number): { min: number; max: number; interval: number } {
  const interval = roundStep((high - low || Math.abs(high) || 1) / parts)
  const at = (steps: number) => Number((steps * interval).toPrecision(12))
  const min = at(Math.floor(low / interval))
  const max = at(Math.ceil(high / interval))
  return { min, max: max > min ? max : at(Math.ceil(high / interval) + 1), interval }
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return Number((([1, 2, 2.5, 5].find((each) => each * power >= step * 0.999) ?? 10) * power).toPrecision(12))
}
