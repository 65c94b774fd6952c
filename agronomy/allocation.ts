import { normalCdf, normalDensity } from './normal.ts'
import { reliabilityOf } from './predict.ts'

/**
 * Many candidates or many clones of each: a room holds so many plants. The winner of k candidates with n plants each is expected to be
 * i(k)·√reliability genetic standard deviations above the mean (the breeder's equation with the expected largest of k normals as the
 * intensity: D. S. Falconer & T. F. C. Mackay, “Introduction to Quantitative Genetics”, ch. 11; A. Robertson 1957 on the best number of each).
 */
export type Allocation = {
  candidates: number
  plantsEach: number
  /** Of the one that comes out first, above the hunt's mean, in genetic standard deviations. */
  expectedGain: number
}

/** All numbers of plants of each candidate that leave two candidates or more, the best for the winner first. */
export function allocatePlants(plants: number, heritability: number, mostEach = 12): Allocation[] {
  if (!Number.isInteger(plants) || plants < 2) throw new RangeError('Give a whole number of plants, 2 or more.')
  if (!(heritability >= 0 && heritability <= 1)) throw new RangeError('Heritability lies between 0 and 1.')
  const most = Math.min(mostEach, Math.floor(plants / 2))
  return Array.from({ length: most }, (_, i) => {
    const plantsEach = i + 1
    const candidates = Math.floor(plants / plantsEach)
    const accuracy = Math.sqrt(reliabilityOf(plantsEach, heritability, 1 - heritability))
    return { candidates, plantsEach, expectedGain: Math.round(expectedLargest(candidates) * accuracy * 1e6) / 1e6 }
  }).sort((a, b) => b.expectedGain - a.expectedGain || a.plantsEach - b.plantsEach)
}

/** Of so many standard normals: the integral of x·k·φ(x)·Φ(x)^(k−1), by the trapezoid rule, which is all but exact here. */
export function expectedLargest(count: number): number {
  const step = 1 / 32
  let sum = 0
  for (let x = -9; x <= 9; x += step) sum += x * normalDensity(x) * normalCdf(x) ** (count - 1)
  return count * sum * step
}
