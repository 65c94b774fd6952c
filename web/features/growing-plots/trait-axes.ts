import { numberText, withUnit } from './format.ts'
import type { PlotColumn } from './plot-table.ts'

/** A trait as plots of several traits see it: what is measured, in which unit, and which way is better. */
export type PlotTrait = {
  id: string
  name: string
  unit?: string | null | undefined
  digits?: number | undefined
  direction: 'max' | 'min' | 'target'
  /** Of the direction `target`: the best value. */
  target?: number | undefined
}

/** A genotype's value of each trait; null or absent is not measured. */
export type TraitValues = {
  genotypeId: string
  name: string
  values: Readonly<Record<string, number | null | undefined>>
  isKeeper?: boolean | undefined
}

/**
 * A trait's axis: from the hunt's lowest to its highest value. Of a trait of which less is better the lowest is at the good end; of one with
 * a target the target is, and at the far end whatever is `reach` away from it.
 */
export type TraitAxis = { trait: PlotTrait; low: number; high: number; isTurned: boolean; target: { value: number; reach: number } | null }

export const measuredOf = ({ values }: TraitValues, { id }: PlotTrait): number | null => {
  const value = values[id]
  return value === undefined || value === null || !Number.isFinite(value) ? null : value
}

/** One axis a trait that was measured at all. `among` are all genotypes of the hunt, so that an axis stays where it is when others are chosen. */
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

/** Where a value stands on its axis: 0 is the far end, 1 the good one. In the middle when all are equal. */
export function placeOn({ low, high, isTurned, target }: TraitAxis, value: number): number {
  if (target) return target.reach === 0 ? 1 : 1 - Math.abs(value - target.value) / target.reach
  const share = high === low ? 0.5 : (value - low) / (high - low)
  return isTurned ? 1 - share : share
}

/** What stands at the far and at the good end of an axis. */
export function endTexts({ trait, low, high, isTurned, target }: TraitAxis): readonly [far: string, good: string] {
  if (target) return [`±${traitText(trait, target.reach)}`, traitText(trait, target.value)]
  return isTurned ? [traitText(trait, high), traitText(trait, low)] : [traitText(trait, low), traitText(trait, high)]
}

export const traitText = ({ unit, digits }: PlotTrait, value: number): string => withUnit(numberText(value, digits), unit)

export type TraitLine = {
  row: TraitValues /** In the order of the axes: what was measured, and where it is drawn. */
  stops: ({ value: number; place: number } | null)[]
}

/** What is drawn of each genotype: the very values of its row; a gap where one is missing. */
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
    { key: 'name', label: 'Genotype', value: (row) => row.name },
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

/** The pieces of a line that has gaps. A piece of one stop is a lonely point. */
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
