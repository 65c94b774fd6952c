import { normalCdf, normalDensity, normalQuantile } from './statistics.ts'

/**
 * A scale of steps, or yes and no, modeled by what lies behind it: a normal liability that reaches the next step at each threshold (S.
 * Wright, Genetics
 * 19, 1934). Each step counts as the mean liability of the values in it, so that steps needn't be equally far apart. A true value can then
 * come close to the best step without reaching it, where numbers would tie at the top.
 */
export type Liability = {
  /** The liability that a step stands for. */
  scoreOf: (step: number) => number
  /**
   * The step that plants of a phenotype have on average, by its value on the scale of the scores. `share`: how much of the scores' variance
   * is the phenotype's.
   */
  meanStepBy: (share: number) => (score: number) => number
}

/** With fewer values, thresholds are a guess, and steps count as numbers. */
const minValues = 40
const minInStep = 5
const maxSteps = 10

/** Null if there are too few values or too many steps. */
export function liabilityOf(values: readonly number[]): Liability | null {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const steps = [...counts.keys()].sort((a, b) => a - b)
  const common = [...counts.values()].filter((count) => count >= minInStep).length
  if (values.length < minValues || common < 2 || steps.length > maxSteps) return null

  const thresholds: number[] = []
  const scores = new Map<number, number>()
  let below = 0
  let variance = 0
  for (const step of steps) {
    const share = (counts.get(step) as number) / values.length
    const densityBelow = below === 0 ? 0 : normalDensity(thresholds.at(-1) as number)
    below = step === steps.at(-1) ? 1 : below + share
    if (below < 1) thresholds.push(normalQuantile(below))
    const densityAbove = below < 1 ? normalDensity(thresholds.at(-1) as number) : 0
    const score = (densityBelow - densityAbove) / share
    scores.set(step, score)
    variance += share * score * score
  }
  return {
    scoreOf: (step) => scores.get(step) as number,
    // A score moves with the liability by the scores' variance (E. R. Dempster & I. M. Lerner, Genetics 35, 1950).
    meanStepBy: (share) => {
      const deviation = Math.sqrt(Math.max(1 - share / variance, 0.05))
      return interpolated((score) => {
        const liability = score / variance
        return thresholds.reduce(
          (mean, threshold, i) => mean + ((steps[i + 1] as number) - (steps[i] as number)) * normalCdf((liability - threshold) / deviation),
          steps[0] as number,
        )
      })
    },
  }
}

const width = 6
const points = 512

/** A table of a smooth function of scores, because it is evaluated hundreds of thousands of times. */
function interpolated(of: (score: number) => number): (score: number) => number {
  const table = Float64Array.from({ length: points + 1 }, (_, i) => of((2 * width * i) / points - width))
  return (score) => {
    const at = Math.min(Math.max(((score + width) * points) / (2 * width), 0), points - 1e-9)
    const whole = Math.floor(at)
    const low = table[whole] as number
    return low + (at - whole) * ((table[whole + 1] as number) - low)
  }
}
