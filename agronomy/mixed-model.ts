import { exponential, factorize, naturalLog, solveBackward, solveForward, sumOf } from './statistics.ts'

export type TraitValue = { genotypeId: string; plantId: string; runId: string | null; observerId: string | null; value: number }

export type ModelInput = {
  values: readonly TraitValue[]
  /** In a fixed order; genotypes without values are predicted as the mean. */
  genotypeIds: readonly string[]
  /** Check clones, which aren't drawn from the hunt's crosses. */
  checkIds: ReadonlySet<string>
  /** The heritability that the grower estimates, which shifts the prior. */
  stated?: number | null
  /** The width of the trait's scale, for hunts too small to show how much values vary. */
  scaleWidth: number
  /** The ratio of heritabilities to those of the liability underlying a scale of steps. */
  attenuation?: number
}

/**
 * In units of the variance of single plants within a run. If plants were measured repeatedly, `residual` is the additional variance between
 * the values of one plant; otherwise it also includes the variance between plants, and `plant` is 0.
 */
export type Variances = { genotype: number; interaction: number; plant: number; residual: number; run: number; observer: number }

/** Assumed if too few phenotypes grew in several runs to separate phenotype × run from the phenotype. */
export const assumedInteraction = 0.15

/** The prior's mean without a stated heritability: between yield (lower) and chemistry or morphology (higher). */
export const usualHeritability = 0.4
/** Strengths of the prior, a beta distribution: a standard deviation of 0.16, or 0.2 around a grower's estimate, which may be far off. */
const priorStrength = { usual: 8, stated: 5 }

const heritabilities = [0.02, 0.08, 0.15, 0.22, 0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.84]
const interactions = [0.01, 0.06, 0.12, 0.2, 0.32, 0.48]
/** Roughly exponential with a mean of `assumedInteraction`; each step is weighted by its width. */
const interactionPrior = [0.21, 0.22, 0.2, 0.17, 0.12, 0.08]
/** Ratios to the variance among plants, roughly evenly spaced on a log scale. */
const residuals = [0.05, 0.2, 0.5, 1, 2, 4]
const sharedVariances = [0.01, 0.06, 0.25, 1, 4]

/** With fewer degrees of freedom, the spread itself is a guess, so the variance of the whole scale fills in for the missing ones. */
const minDegrees = 5
const varianceOfWholeScale = 1 / 12

/** Points with a smaller weight than this, relative to the likeliest point, aren't drawn from. */
const smallestWeight = 0.004

/** Cells of one phenotype: values of one plant by one observer in one run are averaged into one cell. */
type Block = {
  genotype: number
  isCheck: boolean
  mean: Float64Array
  count: Float64Array
  run: Int32Array
  plant: Int32Array
  /** Three columns for each cell: its mean, run and observer; −1 if it has none. */
  columns: Int32Array
  /** Whether the run or observer is seen only on this phenotype: its effect is then part of the noise. */
  isLoneRun: Uint8Array
  isLoneObserver: Uint8Array
  used: Int32Array
}

export type Design = {
  blocks: Block[]
  columns: number
  fixed: number
  /** Columns of runs and observers; those seen on a single phenotype have none. */
  runs: ReadonlyMap<string | null, number>
  observers: ReadonlyMap<string | null, number>
  runColumns: number[]
  observerColumns: number[]
  /** The sum of squares and the degrees of freedom within cells. */
  within: number
  withinDegrees: number
  cells: number
  hasPlants: boolean
  hasRuns: boolean
  hasObservers: boolean
  /** Whether three or more phenotypes or check clones grew in several runs, which lets the phenotype × run interaction be estimated. */
  showsInteraction: boolean
  genotypes: number
  /** Phenotypes with two or more plants, and plants beyond the first of each. */
  replicated: number
  spare: number
  priorDegrees: number
  priorSquares: number
}

export type Point = Variances & {
  weight: number
  /** The Cholesky factor of the equations for the shared effects, and their solution. */
  factor: Float64Array
  solution: Float64Array
  squares: number
  degrees: number
}

/**
 * One trait of a hunt as a linear mixed model on its raw values:
 *
 *     value = mean + run + observer + phenotype + phenotype × run + plant + residual
 *
 * Everything but the mean is random. A check clone isn't one of the hunt's seeds: it has its own mean. Variances are estimated from their
 * restricted likelihood (H. D. Patterson & R. Thompson, Biometrika 58, 1971) with a weak prior. Those of runs and observers are fixed at
 * the likeliest values; the others are averaged over a grid.
 *
 * Given the effects that phenotypes share (mean, runs, observers), phenotypes are independent. So the equations of Henderson (Biometrics
 * 31, 1975) reduce to a few columns for the shared effects and a small block for each phenotype, without a large matrix.
 */
export type TraitModel = {
  design: Design
  points: Point[]
  /** Posterior means of the shares. */
  heritability: number
  interaction: number
  /** The error variance of one value of one plant. */
  noise: number
  /** Variance of single plants within a run, in the trait's unit. */
  variance: number
  source: 'estimated' | 'stated'
  /** Phenotype × run is assumed because too few phenotypes grew in several runs. */
  assumesInteraction: boolean
}

export function fitTrait(input: ModelInput): TraitModel {
  const design = designOf(input)
  const { stated, attenuation = 1 } = input
  const prior = priorOf(stated ?? usualHeritability, stated == null ? priorStrength.usual : priorStrength.stated, attenuation)
  const evaluate = evaluator(design)
  let best: Setting = { genotype: usualHeritability, interaction: assumedInteraction, residual: 0.5, run: 0.25, observer: 0.25 }
  // Two passes, because each ratio's likeliest value depends on the others.
  for (let round = 0; round < 2; round++) {
    if (design.hasRuns) best = likeliest(sharedVariances.map((run) => ({ ...best, run })))
    if (design.hasObservers) best = likeliest(sharedVariances.map((observer) => ({ ...best, observer })))
    if (design.hasPlants) best = likeliest(residuals.map((residual) => ({ ...best, residual })))
    best = likeliest(heritabilities.map((genotype) => ({ ...best, genotype })))
  }
  const points: Point[] = []
  for (const [h, genotype] of heritabilities.entries()) {
    for (const [i, share] of (design.showsInteraction ? interactions : [assumedInteraction]).entries()) {
      for (const residual of design.hasPlants ? residuals : [0]) {
        const interaction = share * attenuation
        if (genotype + interaction > 0.985) continue
        const point = evaluate(variancesOf({ ...best, genotype, interaction, residual }))
        point.weight += (prior[h] as number) + (design.showsInteraction ? naturalLog(interactionPrior[i] as number) : 0)
        points.push(point)
      }
    }
  }
  const top = Math.max(...points.map(({ weight }) => weight))
  const weighed = points.map((point) => ({ ...point, weight: exponential(point.weight - top) }))
  const kept = weighed.filter(({ weight }) => weight >= smallestWeight)
  const total = sumOf(kept.map(({ weight }) => weight))
  for (const point of kept) point.weight /= total
  const meanOver = (of: (point: Point) => number) => kept.reduce((sum, point) => sum + point.weight * of(point), 0)
  return {
    design,
    points: kept,
    heritability: meanOver(({ genotype }) => genotype),
    interaction: meanOver(({ interaction }) => interaction),
    noise: meanOver(({ plant, residual }) => plant + residual),
    variance: meanOver(({ squares, degrees }) => squares / Math.max(degrees, 1)),
    source: design.replicated >= 3 && design.spare >= 5 ? 'estimated' : 'stated',
    assumesInteraction: !design.showsInteraction,
  }

  function variancesOf(setting: Setting): Variances {
    const rest = 1 - setting.genotype - setting.interaction
    return design.hasPlants ? { ...setting, plant: rest } : { ...setting, plant: 0, residual: rest }
  }

  function likeliest(settings: readonly Setting[]): Setting {
    const weights = settings.map((setting) => {
      const at = heritabilities.indexOf(setting.genotype)
      return evaluate(variancesOf(setting)).weight + (at < 0 ? 0 : (prior[at] as number))
    })
    return settings[weights.indexOf(Math.max(...weights))] as Setting
  }
}

type Setting = Omit<Variances, 'plant'>

function priorOf(mean: number, strength: number, attenuation: number): number[] {
  const a = strength * Math.min(Math.max(mean, 0.05), 0.9)
  const steps = heritabilities.map((h, i) => ((heritabilities[i + 1] ?? h + 0.06) - (heritabilities[i - 1] ?? h - 0.06)) / 2)
  const logOf = (h: number) => (h < 1 ? (a - 1) * naturalLog(h) + (strength - a - 1) * naturalLog(1 - h) : Number.NEGATIVE_INFINITY)
  return heritabilities.map((h, i) => logOf(h / attenuation) + naturalLog(steps[i] as number))
}

function designOf({ values, genotypeIds, checkIds, scaleWidth }: ModelInput): Design {
  const genotypeAt = new Map(genotypeIds.map((id, i) => [id, i]))
  const cells = cellsOf(values)
  const runs = levelsOf(cells, ({ runId }) => runId)
  const observers = levelsOf(cells, ({ observerId }) => observerId)
  const checks = [...checkIds].filter((id) => cells.some(({ genotypeId }) => genotypeId === id)).sort()
  const fixed = 1 + checks.length
  const hasRuns = runs.size > 1
  const hasObservers = observers.size > 1
  let columns = fixed
  const columnsOf = (levels: ReadonlyMap<string | null, number>) =>
    new Map([...levels].filter(([, count]) => count > 1).map(([level]) => [level, columns++] as const))
  const runColumns = hasRuns ? columnsOf(runs) : new Map<string | null, number>()
  const observerColumns = hasObservers ? columnsOf(observers) : new Map<string | null, number>()
  const blocks = [...Map.groupBy(cells, ({ genotypeId }) => genotypeId)].map(([genotypeId, own]): Block => {
    const check = checks.indexOf(genotypeId)
    const place = (ids: (string | null)[]) => Int32Array.from(ids, (id) => ids.indexOf(id))
    const columnsOfCell = own.flatMap(({ runId, observerId }) => [
      check < 0 ? 0 : 1 + check,
      runColumns.get(runId) ?? -1,
      observerColumns.get(observerId) ?? -1,
    ])
    return {
      genotype: genotypeAt.get(genotypeId) ?? -1,
      isCheck: check >= 0,
      mean: Float64Array.from(own, ({ mean }) => mean),
      count: Float64Array.from(own, ({ count }) => count),
      run: place(own.map(({ runId }) => runId)),
      plant: place(own.map(({ plantId }) => plantId)),
      columns: Int32Array.from(columnsOfCell),
      isLoneRun: Uint8Array.from(own, ({ runId }) => Number(hasRuns && !runColumns.has(runId))),
      isLoneObserver: Uint8Array.from(own, ({ observerId }) => Number(hasObservers && !observerColumns.has(observerId))),
      used: Int32Array.from([...new Set(columnsOfCell)].filter((column) => column >= 0)),
    }
  })
  const seeds = blocks.filter(({ isCheck }) => !isCheck)
  const plants = seeds.map(({ plant }) => new Set(plant).size)
  const priorDegrees = Math.max(0, minDegrees - (seeds.length - 1))
  return {
    blocks,
    columns,
    fixed,
    runs: runColumns,
    observers: observerColumns,
    runColumns: [...runColumns.values()],
    observerColumns: [...observerColumns.values()],
    within: sumOf(cells.map(({ squares }) => squares)),
    withinDegrees: cells.reduce((sum, { count }) => sum + count - 1, 0),
    cells: cells.length,
    hasPlants: blocks.some(({ plant, count }) => new Set(plant).size < plant.length || count.some((n) => n > 1)),
    hasRuns,
    hasObservers,
    showsInteraction: blocks.filter(({ run }) => new Set(run).size > 1).length > 2,
    genotypes: seeds.length,
    replicated: plants.filter((count) => count > 1).length,
    spare: plants.reduce((sum, count) => sum + count - 1, 0),
    priorDegrees,
    priorSquares: priorDegrees * varianceOfWholeScale * scaleWidth * scaleWidth,
  }
}

type Cell = Omit<TraitValue, 'value'> & { mean: number; count: number; squares: number }

function cellsOf(values: readonly TraitValue[]): Cell[] {
  const grouped = Map.groupBy(values, ({ plantId, runId, observerId }) => `${plantId} ${runId} ${observerId}`)
  return [...grouped.values()].map((own) => {
    const { value: _, ...cell } = own[0] as TraitValue
    const mean = sumOf(own.map(({ value }) => value)) / own.length
    return { ...cell, mean, count: own.length, squares: sumOf(own.map(({ value }) => (value - mean) ** 2)) }
  })
}

/** Counts the phenotypes at each level: an effect seen on only one phenotype can't be distinguished from it. */
function levelsOf(cells: readonly Cell[], of: (cell: Cell) => string | null): Map<string | null, number> {
  const seen = Map.groupBy(cells, of)
  return new Map([...seen].map(([level, own]) => [level, new Set(own.map(({ genotypeId }) => genotypeId)).size]))
}

/** Returns a function that evaluates variances and weighs them by the logarithm of their restricted likelihood, up to a constant. */
function evaluator(design: Design): (variances: Variances) => Point {
  const { blocks, columns, fixed } = design
  const width = columns + 1
  const maxCells = Math.max(1, ...blocks.map(({ mean }) => mean.length))
  const maxUsed = Math.max(1, ...blocks.map(({ used }) => used.length)) + 1
  const covariance = new Float64Array(maxCells * maxCells)
  const right = new Float64Array(maxCells * maxUsed)
  return (variances) => {
    const sums = new Float64Array(width * width)
    const logs = logProduct()
    for (const block of blocks) {
      const size = block.mean.length
      writeCovariance(block, variances, block.isCheck ? 0 : variances.genotype, covariance)
      factorize(covariance, size)
      for (let i = 0; i < size; i++) logs.multiply((covariance[i * size + i] as number) ** 2)
      absorb(block, covariance, right, sums, width)
    }
    const factor = new Float64Array(columns * columns)
    for (let i = 0; i < columns; i++) for (let j = 0; j <= i; j++) factor[i * columns + j] = sums[i * width + j] as number
    const addRandom = (column: number, variance: number) => {
      factor[column * columns + column] = (factor[column * columns + column] as number) + 1 / variance
      logs.multiply(variance)
    }
    for (const column of design.runColumns) addRandom(column, variances.run)
    for (const column of design.observerColumns) addRandom(column, variances.observer)
    // A mean without values remains 0.
    for (let i = 0; i < fixed; i++) if (factor[i * columns + i] === 0) factor[i * columns + i] = 1
    factorize(factor, columns)
    for (let i = 0; i < columns; i++) logs.multiply((factor[i * columns + i] as number) ** 2)
    const solution = new Float64Array(columns)
    for (let i = 0; i < columns; i++) solution[i] = sums[columns * width + i] as number
    solveForward(factor, columns, solution)
    let squares = sums[columns * width + columns] as number
    for (let i = 0; i < columns; i++) squares -= (solution[i] as number) ** 2
    solveBackward(factor, columns, solution)
    squares = Math.max(squares, 0) + design.within / variances.residual + design.priorSquares
    const degrees = Math.max(design.cells - fixed, 0) + design.withinDegrees + design.priorDegrees
    const log = logs.total() + design.withinDegrees * naturalLog(variances.residual) + degrees * naturalLog(squares + 1e-300)
    return { ...variances, weight: -log / 2, factor, solution, squares, degrees }
  }
}

/** The logarithm of a product, computed with few logarithms. */
function logProduct() {
  let product = 1
  let sum = 0
  return {
    multiply(value: number) {
      product *= value
      if (product > 1e-100 && product < 1e100) return
      sum += naturalLog(product)
      product = 1
    },
    total: () => sum + naturalLog(product),
  }
}

function writeCovariance(block: Block, variances: Variances, genotype: number, target: Float64Array): void {
  const { run, plant, count, isLoneRun, isLoneObserver } = block
  const size = count.length
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let value = genotype
      if (run[i] === run[j]) value += variances.interaction + (isLoneRun[i] ? variances.run : 0)
      if (plant[i] === plant[j]) value += variances.plant
      if (i === j) value += variances.residual / (count[i] as number) + (isLoneObserver[i] ? variances.observer : 0)
      target[i * size + j] = value
    }
  }
}

/** Adds [X y]ᵀ V⁻¹ [X y] of one block to the lower triangle of `sums`. */
function absorb(block: Block, factor: Float64Array, right: Float64Array, sums: Float64Array, width: number): void {
  const { mean, columns, used } = block
  const size = mean.length
  const count = used.length
  for (let u = 0; u <= count; u++) {
    const start = u * size
    for (let i = 0; i < size; i++) {
      const column = used[u]
      const isIn = columns[3 * i] === column || columns[3 * i + 1] === column || columns[3 * i + 2] === column
      let value = u === count ? (mean[i] as number) : isIn ? 1 : 0
      for (let k = 0; k < i; k++) value -= (factor[i * size + k] as number) * (right[start + k] as number)
      right[start + i] = value / (factor[i * size + i] as number)
    }
    const at = u === count ? width - 1 : (used[u] as number)
    for (let v = 0; v <= u; v++) {
      const other = v === count ? width - 1 : (used[v] as number)
      let product = 0
      for (let i = 0; i < size; i++) product += (right[start + i] as number) * (right[v * size + i] as number)
      const cell = at > other ? at * width + other : other * width + at
      sums[cell] = (sums[cell] as number) + product
    }
  }
}

/** A phenotype's precision-weighted mean, its error variance given the shared effects, and each column's share of the mean (`loads`). */
export type Evidence = { mean: number; variance: number; columns: Int32Array; loads: Float64Array; runs: number }

/** In the order of the genotypes; null for those without a value. Variances are shares, as in `Variances`. */
export function evidenceOf(design: Design, variances: Variances, genotypes: number): (Evidence | null)[] {
  const evidence: (Evidence | null)[] = new Array(genotypes).fill(null)
  for (const block of design.blocks) {
    if (block.genotype < 0 || block.isCheck) continue
    const size = block.mean.length
    const covariance = new Float64Array(size * size)
    writeCovariance(block, variances, 0, covariance)
    factorize(covariance, size)
    const weights = new Float64Array(size).fill(1)
    solveForward(covariance, size, weights)
    solveBackward(covariance, size, weights)
    let precision = 0
    for (const weight of weights) precision += weight
    const loads = new Float64Array(block.used.length)
    let mean = 0
    for (let i = 0; i < size; i++) {
      const share = (weights[i] as number) / precision
      mean += share * (block.mean[i] as number)
      for (let u = 0; u < loads.length; u++) {
        const column = block.used[u]
        if (block.columns[3 * i] === column || block.columns[3 * i + 1] === column || block.columns[3 * i + 2] === column)
          loads[u] = (loads[u] as number) + share
      }
    }
    evidence[block.genotype] = { mean, variance: 1 / precision, columns: block.used, loads, runs: new Set(block.run).size }
  }
  return evidence
}
