import { exponential, normalCdf, normalDensity, normalQuantile } from './statistics.ts'

/**
 * A scale of steps, or a yes-or-no trait, modeled as an underlying normal liability that reaches the next step at each threshold (S.
 * Wright, Genetics 19, 1934). For the variances, each step counts as the mean liability of the values in it, so that steps don't have to be
 * equally far apart. A true value can then come close to the best step without reaching it, whereas plain numbers would tie at the top.
 * Liabilities have a mean of 0 and a variance of 1.
 */
export type Liability = {
  thresholds: readonly number[]
  /** The mean liability of each step. */
  scores: readonly number[]
  /**
   * Variance of the scores. It is also the share of the liability's variance that scores capture, so heritabilities are smaller by this
   * factor (E. R. Dempster & I. M. Lerner, Genetics 35, 1950).
   */
  variance: number
  scoreOf: (step: number) => number
  /** The average step of a phenotype's plants, given its liability. `share`: the phenotype's share of the liability's variance. */
  meanStepBy: (share: number) => (liability: number) => number
}

/** With fewer values than this, thresholds would be a guess, so steps count as numbers. */
const minValues = 40
const minInStep = 5
const maxSteps = 10

/** Returns null for too few values, fewer than two common steps, or too many steps. */
export function liabilityOf(values: readonly number[]): Liability | null {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const steps = [...counts.keys()].sort((a, b) => a - b)
  const common = [...counts.values()].filter((count) => count >= minInStep).length
  if (values.length < minValues || common < 2 || steps.length > maxSteps) return null

  const thresholds: number[] = []
  const scores: number[] = []
  let below = 0
  let variance = 0
  for (const step of steps) {
    const share = (counts.get(step) as number) / values.length
    const densityBelow = below === 0 ? 0 : normalDensity(thresholds.at(-1) as number)
    below = step === steps.at(-1) ? 1 : below + share
    if (below < 1) thresholds.push(normalQuantile(below))
    const densityAbove = below < 1 ? normalDensity(thresholds.at(-1) as number) : 0
    const score = (densityBelow - densityAbove) / share
    scores.push(score)
    variance += share * score * score
  }
  return {
    thresholds,
    scores,
    variance,
    scoreOf: (step) => scores[steps.indexOf(step)] as number,
    meanStepBy: (share) => {
      const deviation = Math.sqrt(Math.max(1 - share, 0.05))
      return interpolated((liability) =>
        thresholds.reduce(
          (mean, threshold, i) => mean + ((steps[i + 1] as number) - (steps[i] as number)) * normalCdf((liability - threshold) / deviation),
          steps[0] as number,
        ),
      )
    },
  }
}

const width = 8
const points = 512

/** Tabulates a smooth function, because it is evaluated hundreds of thousands of times. */
function interpolated(of: (liability: number) => number): (liability: number) => number {
  const table = Float64Array.from({ length: points + 1 }, (_, i) => of((2 * width * i) / points - width))
  return (liability) => {
    const at = Math.min(Math.max(((liability + width) * points) / (2 * width), 0), points - 1e-9)
    const whole = Math.floor(at)
    const low = table[whole] as number
    return low + (at - whole) * ((table[whole + 1] as number) - low)
  }
}

/** Variances of liabilities: between phenotypes, of phenotype × run, between plants, and between the values of one plant. */
export type LiabilityVariances = { genotype: number; interaction: number; plant: number; residual: number }

/**
 * `step`: the value's index among the steps. `shift`: the mean plus the effects of run and observer. `noise`: the variance of a run or
 * observer whose effect can't be estimated. Runs and plants are numbered within the phenotype.
 */
export type StepCell = { step: number; shift: number; noise: number; run: number; plant: number }

/** The posterior distribution of a phenotype's liability, as a function of a standard normal. */
export type Posterior = { mean: number; variance: number; at: (normal: number) => number }

const nodes = 41
const reach = 4.5
const tableReach = 4
const tableSteps = 64
const tableShares = Array.from({ length: tableSteps + 1 }, (_, i) => normalCdf((2 * tableReach * i) / tableSteps - tableReach))

/**
 * The likelihood of each phenotype's steps under the threshold model (D. Gianola & J. L. Foulley, Génétique Sélection Évolution 15, 1983),
 * integrated over plants and runs on a grid. A plant at the end of the scale may lie any distance beyond it, so its phenotype is less
 * certain than one in the middle. Assuming equal normal errors for all phenotypes would make the leader's chance too small.
 */
export function posteriorsBy({ thresholds }: Pick<Liability, 'thresholds'>, variances: LiabilityVariances) {
  const { genotype, interaction, plant, residual } = variances
  const half = (nodes - 1) / 2
  const gap = (reach * Math.sqrt(genotype + interaction + plant)) / half
  const grid = Float64Array.from({ length: nodes }, (_, i) => (i - half) * gap)
  const kernelOf = (variance: number) =>
    Float64Array.from({ length: nodes }, (_, i) => exponential(-((i * gap) ** 2) / Math.max(2 * variance, 1e-9)))
  const kernels = { run: kernelOf(interaction), plant: kernelOf(plant) }
  const tables = new Map<string, Float64Array>()
  const known = new Map<string, Posterior>()

  function likelihoodOf({ step, shift, noise }: StepCell, isAlone: boolean): Float64Array {
    const key = `${step} ${shift} ${noise} ${isAlone}`
    const deviation = Math.sqrt((isAlone ? residual + plant : residual) + noise)
    const share = (threshold: number | undefined, otherwise: number, at: number) =>
      threshold === undefined ? otherwise : normalCdf((threshold - shift - at) / deviation)
    const table = tables.get(key) ?? grid.map((at) => share(thresholds[step], 1, at) - share(thresholds[step - 1], 0, at))
    tables.set(key, table)
    return table
  }

  function smooth(likelihood: Float64Array, kernel: Float64Array): Float64Array {
    return grid.map((_, i) => {
      let sum = 0
      let total = 0
      for (let k = 0; k < nodes; k++) {
        const weight = kernel[Math.abs(i - k)] as number
        sum += weight * (likelihood[k] as number)
        total += weight
      }
      return sum / total
    })
  }

  return (cells: readonly StepCell[]): Posterior => {
    const key = cells
      .map(({ step, shift, noise, run, plant }) => `${run} ${plant} ${step} ${shift} ${noise}`)
      .sort()
      .join()
    const posterior = known.get(key) ?? tabulate()
    known.set(key, posterior)
    return posterior

    function tabulate(): Posterior {
      const density = grid.map((at) => exponential(-(at * at) / (2 * genotype)))
      for (const inRun of Map.groupBy(cells, ({ run }) => run).values()) {
        const likelihood = new Float64Array(nodes).fill(1)
        for (const ofPlant of Map.groupBy(inRun, (cell) => cell.plant).values()) {
          const isAlone = ofPlant.length === 1
          const product = new Float64Array(nodes).fill(1)
          for (const cell of ofPlant) multiply(product, likelihoodOf(cell, isAlone))
          multiply(likelihood, isAlone ? product : smooth(product, kernels.plant))
        }
        multiply(density, smooth(likelihood, kernels.run))
      }
      return posteriorOf(grid, density)
    }
  }
}

function multiply(product: Float64Array, factors: Float64Array): void {
  for (let i = 0; i < product.length; i++) product[i] = (product[i] as number) * (factors[i] as number)
}

function posteriorOf(grid: Float64Array, density: Float64Array): Posterior {
  let total = 0
  let sum = 0
  let squares = 0
  for (const [i, weight] of density.entries()) {
    const at = grid[i] as number
    total += weight
    sum += weight * at
    squares += weight * at * at
  }
  const mean = sum / total
  const gap = (grid[1] as number) - (grid[0] as number)
  const table = new Float64Array(tableSteps + 1)
  let node = 0
  let below = 0
  for (let i = 0; i <= tableSteps; i++) {
    const share = total * (tableShares[i] as number)
    while (node < density.length - 1 && below + (density[node] as number) < share) below += density[node++] as number
    // Each node represents the cell around it.
    table[i] = (grid[node] as number) + gap * ((share - below) / Math.max(density[node] as number, 1e-300) - 0.5)
  }
  return {
    mean,
    variance: squares / total - mean * mean,
    at: (normal) => {
      const at = Math.min(Math.max(((normal + tableReach) * tableSteps) / (2 * tableReach), 0), tableSteps - 1e-9)
      const whole = Math.floor(at)
      const low = table[whole] as number
      return low + (at - whole) * ((table[whole + 1] as number) - low)
    },
  }
}
