import { paretoFront } from '#agronomy/pareto.ts'
import type { PlotColumn } from './plot-table.ts'

/** Requires both values; leave out a genotype missing either rather than passing zero. */
export type YieldPotency = { genotypeId: string; name: string; yield: number; potency: number; isKeeper?: boolean | undefined }

export type YieldPotencyRow = YieldPotency & { isOnFront: boolean }

export function yieldPotencyRows(genotypes: readonly YieldPotency[]): YieldPotencyRow[] {
  const points = genotypes.map(({ genotypeId, yield: x, potency: y }) => ({ id: genotypeId, x, y }))
  const front = new Set(paretoFront(points, { x: 'max', y: 'max' }).map(({ id }) => id))
  return genotypes.map((genotype) => ({ ...genotype, isOnFront: front.has(genotype.genotypeId) }))
}

/** An axis: "Dry yield" in "g", "THC" in "%". */
export type PlotMeasure = { name: string; unit: string; digits?: number | undefined }

export function yieldPotencyColumns(yields: PlotMeasure, potency: PlotMeasure): PlotColumn<YieldPotencyRow>[] {
  return [
    { key: 'name', label: 'Pheno', value: (row) => row.name },
    { key: 'yield', label: yields.name, unit: yields.unit, kind: 'number', digits: yields.digits, value: (row) => row.yield },
    { key: 'potency', label: potency.name, unit: potency.unit, kind: 'number', digits: potency.digits, value: (row) => row.potency },
    { key: 'front', label: 'On the front', kind: 'yes-no', value: (row) => row.isOnFront },
    { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: (row) => row.isKeeper === true },
  ]
}

export type YieldPotencySeries = {
  /** Drawn separately, whether on the front or not. */
  keepers: YieldPotencyRow[]
  front: YieldPotencyRow[]
  others: YieldPotencyRow[]
  /** Corners along the front; anything below is dominated. Ascending by yield. */
  steps: [x: number, y: number][]
}

export function yieldPotencySeries(rows: readonly YieldPotencyRow[]): YieldPotencySeries {
  const front = rows.filter(({ isOnFront }) => isOnFront).sort((one, other) => one.yield - other.yield || other.potency - one.potency)
  const steps: [number, number][] = []
  for (const { yield: x, potency: y } of front) {
    const last = steps.at(-1)
    if (last && last[1] !== y) steps.push([last[0], y])
    steps.push([x, y])
  }
  const keepers = rows.filter(({ isKeeper }) => isKeeper)
  const rest = (of: readonly YieldPotencyRow[]) => of.filter(({ isKeeper }) => !isKeeper)
  return { keepers, front: rest(front), others: rest(rows).filter(({ isOnFront }) => !isOnFront), steps }
}
