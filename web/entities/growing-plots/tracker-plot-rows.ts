import { paretoFront } from '#agronomy/desirability.ts'
import type { Media } from '#contracts/media.ts'
import { numberText, type PlotColumn, withUnit } from './plot-table.ts'

export type PlotTrait = {
  id: string
  name: string
  unit?: string | null | undefined
  digits?: number | undefined
  direction: 'max' | 'min' | 'target'
  target?: number | undefined
}

export type TraitValues = {
  genotypeId: string
  name: string
  values: Readonly<Record<string, number | null | undefined>>
  isKeeper?: boolean | undefined
}

/**
 * An axis spans the hunt's values. If less is better, the lowest value is at the good end. With a target, the target is at the good end,
 * and the far end is `reach` away.
 */
export type TraitAxis = { trait: PlotTrait; low: number; high: number; isTurned: boolean; target: { value: number; reach: number } | null }

export const measuredOf = ({ values }: TraitValues, { id }: PlotTrait): number | null => {
  const value = values[id]
  return value === undefined || value === null || !Number.isFinite(value) ? null : value
}

/** `among` includes all genotypes of the hunt, so axes don't move when the selection changes. */
export function traitAxes(traits: readonly PlotTrait[], among: readonly TraitValues[]): TraitAxis[] {
  return traits.flatMap((trait) => {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const row of among) {
      const value = measuredOf(row, trait)
      if (value === null) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    if (low > high) return []
    const best = trait.direction === 'target' ? trait.target : undefined
    const target = best === undefined ? null : { value: best, reach: Math.max(Math.abs(low - best), Math.abs(high - best)) }
    return [{ trait, low, high, isTurned: trait.direction === 'min', target }]
  })
}

/** From 0 (far end) to 1 (good end), or in the middle if all values are equal and there's no target. */
export function placeOn({ low, high, isTurned, target }: TraitAxis, value: number): number {
  if (target) return target.reach === 0 ? 1 : 1 - Math.abs(value - target.value) / target.reach
  const share = high === low ? 0.5 : (value - low) / (high - low)
  return isTurned ? 1 - share : share
}

export function endTexts({ trait, low, high, isTurned, target }: TraitAxis): readonly [far: string, good: string] {
  if (target) return [`±${traitText(trait, target.reach)}`, traitText(trait, target.value)]
  return isTurned ? [traitText(trait, high), traitText(trait, low)] : [traitText(trait, low), traitText(trait, high)]
}

export const traitText = ({ unit, digits }: PlotTrait, value: number): string => withUnit(numberText(value, digits), unit)

export type TraitLine = {
  row: TraitValues
  stops: ({ value: number; place: number } | null)[]
}

export function traitLines(rows: readonly TraitValues[], axes: readonly TraitAxis[]): TraitLine[] {
  return rows.map((row) => ({
    row,
    stops: axes.map((axis) => {
      const value = measuredOf(row, axis.trait)
      return value === null ? null : { value, place: placeOn(axis, value) }
    }),
  }))
}

export function traitColumns(axes: readonly TraitAxis[]): PlotColumn<TraitValues>[] {
  return [
    { key: 'name', label: 'Pheno', value: (row) => row.name },
    ...axes.map(
      ({ trait }): PlotColumn<TraitValues> => ({
        key: trait.id,
        label: trait.name,
        unit: trait.unit,
        kind: 'number',
        digits: trait.digits,
        value: (row) => measuredOf(row, trait),
      }),
    ),
  ]
}

/** Splits stops at each null. A stop between two nulls becomes a piece of its own. */
export function piecesOf<Stop>(stops: readonly (Stop | null)[]): Stop[][] {
  const pieces: Stop[][] = []
  let isOpen = false
  for (const stop of stops) {
    if (stop === null) {
      isOpen = false
      continue
    }
    if (isOpen) pieces.at(-1)?.push(stop)
    else pieces.push([stop])
    isOpen = true
  }
  return pieces
}

/** Leave out a genotype that lacks either value. Don't pass zero instead. */
export type YieldPotency = { genotypeId: string; name: string; yield: number; potency: number; isKeeper?: boolean | undefined }

export type YieldPotencyRow = YieldPotency & { isOnFront: boolean }

export function yieldPotencyRows(genotypes: readonly YieldPotency[]): YieldPotencyRow[] {
  const points = genotypes.map(({ genotypeId, yield: x, potency: y }) => ({ id: genotypeId, x, y }))
  const front = new Set(paretoFront(points, { x: 'max', y: 'max' }).map(({ id }) => id))
  return genotypes.map((genotype) => ({ ...genotype, isOnFront: front.has(genotype.genotypeId) }))
}

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
  keepers: YieldPotencyRow[]
  front: YieldPotencyRow[]
  others: YieldPotencyRow[]
  /** Corners of the Pareto front, ascending by yield. Points below it are dominated. */
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

export type DayPhoto = {
  photoId: string
  plantId: string
  plantName: string
  /** Milliseconds since 1970. */
  takenAt: number
  media: Media
}

export type PlantPhotos = { plantId: string; plantName: string; photos: DayPhoto[] }

export function photosByPlant(photos: readonly DayPhoto[]): PlantPhotos[] {
  return [...Map.groupBy(photos, ({ plantId }) => plantId)].map(([plantId, group]) => ({
    plantId,
    plantName: group[0]?.plantName ?? '',
    photos: group.toSorted((one, other) => one.takenAt - other.takenAt),
  }))
}

export function photoColumns(timeZone: string | undefined): PlotColumn<DayPhoto>[] {
  return [
    { key: 'plant', label: 'Plant', value: ({ plantName }) => plantName },
    { key: 'taken', label: 'Taken', kind: 'moment', timeZone, value: ({ takenAt }) => takenAt },
    { key: 'alt', label: 'What it shows', value: ({ media }) => media.alt || null },
    { key: 'width', label: 'Width', unit: 'px', kind: 'number', value: ({ media }) => media.width },
    { key: 'height', label: 'Height', unit: 'px', kind: 'number', value: ({ media }) => media.height },
  ]
}
