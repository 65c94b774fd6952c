import { normalCdf, normalDensity } from './statistics.ts'

/**
 * The trade-off between more candidates and more clones of each in a limited space. The winner of k candidates with n plants each is
 * expected to be i(k)·√reliability genetic standard deviations above the mean (the breeder's equation with the expected largest of k
 * normals as the intensity: D. S. Falconer & T. F. C. Mackay, “Introduction to Quantitative Genetics”, ch. 11; A. Robertson 1957 on the
 * optimal group size).
 */
export type Allocation = {
  candidates: number
  plantsEach: number
  /** The winner's expected advantage over the hunt's mean, in genetic standard deviations. */
  expectedGain: number
}

/** Every number of plants per candidate that leaves at least two candidates, best expected gain first. */
export function allocatePlants(plants: number, heritability: number, maxEach = 12): Allocation[] {
  if (!Number.isInteger(plants) || plants < 2) throw new RangeError('Enter a whole number of plants, 2 or more.')
  if (!(heritability >= 0 && heritability <= 1)) throw new RangeError('Heritability must be between 0 and 1.')
  const maxChoices = Math.min(maxEach, Math.floor(plants / 2))
  return Array.from({ length: maxChoices }, (_, i) => {
    const plantsEach = i + 1
    const candidates = Math.floor(plants / plantsEach)
    const accuracy = Math.sqrt((plantsEach * heritability) / (1 + (plantsEach - 1) * heritability))
    return { candidates, plantsEach, expectedGain: Math.round(expectedLargest(candidates) * accuracy * 1e6) / 1e6 }
  }).sort((a, b) => b.expectedGain - a.expectedGain || a.plantsEach - b.plantsEach)
}

/** Expected maximum of `count` standard normals: the integral of x·k·φ(x)·Φ(x)^(k−1) by the trapezoid rule, which is nearly exact here. */
export function expectedLargest(count: number): number {
  const step = 1 / 32
  let sum = 0
  for (let x = -9; x <= 9; x += step) sum += x * normalDensity(x) * normalCdf(x) ** (count - 1)
  return count * sum * step
}
