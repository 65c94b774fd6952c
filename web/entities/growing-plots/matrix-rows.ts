import { getLocale } from '#web/lib/format.ts'
import { missingText, numberText, type PlotCell, type PlotColumn, shareText, withUnit } from './plot-table.ts'

export type MatrixTrait = {
  id: string
  name: string
  unit?: string | null | undefined
  digits?: number | undefined
  direction: 'max' | 'min' | 'target' | null
}

export type MatrixCell = {
  value: number | string
  /** 0 to 1; null if the trait isn't scored. */
  desirability: number | null
  count?: number | undefined
  /** The value is the mean of this many plants. */
  plants?: number | undefined
}

export type MatrixGenotype = {
  genotypeId: string
  name: string
  note?: string | undefined
  isKeeper?: boolean | undefined
  /** By trait ID; null or absent means not measured. */
  cells: Readonly<Record<string, MatrixCell | null | undefined>>
}

export type MatrixOrder = { traitId: string; isRising: boolean } | null

export const cellOf = ({ cells }: MatrixGenotype, traitId: string): MatrixCell | null => cells[traitId] ?? null

export function matrixCellText(trait: MatrixTrait, cell: MatrixCell | null): string {
  if (!cell) return missingText
  return typeof cell.value === 'number' ? numberText(cell.value, trait.digits) : cell.value
}

export function spokenCell(genotype: MatrixGenotype, trait: MatrixTrait, cell: MatrixCell | null): string {
  if (!cell) return `${genotype.name}, ${trait.name}: not measured`
  const value = typeof cell.value === 'number' ? withUnit(numberText(cell.value, trait.digits), trait.unit) : cell.value
  const worth = cell.desirability === null ? '' : `, ${shareText(cell.desirability)} desirable`
  const count = cell.count !== undefined && cell.count > 1 ? `, from ${numberText(cell.count)} observations` : ''
  const plants = cell.plants !== undefined && cell.plants > 1 ? `, from ${numberText(cell.plants)} plants` : ''
  return `${genotype.name}, ${trait.name}: ${value}${worth}${count}${plants}`
}

/** Missing measurements always come last. */
export function orderedGenotypes(genotypes: readonly MatrixGenotype[], order: MatrixOrder): readonly MatrixGenotype[] {
  if (!order) return genotypes
  const words = new Intl.Collator(getLocale(), { numeric: true })
  const sign = order.isRising ? 1 : -1
  const compare = (one: number | string, other: number | string) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : words.compare(String(one), String(other))
  return genotypes
    .map((genotype) => ({ genotype, cell: cellOf(genotype, order.traitId) }))
    .sort((one, other) => {
      if (!one.cell || !other.cell) return Number(!one.cell) - Number(!other.cell)
      return sign * compare(one.cell.value, other.cell.value)
    })
    .map(({ genotype }) => genotype)
}

export function nextOrder(order: MatrixOrder, trait: MatrixTrait): MatrixOrder {
  const bestFirst = trait.direction === 'min'
  if (order?.traitId !== trait.id) return { traitId: trait.id, isRising: bestFirst }
  return order.isRising === bestFirst ? { traitId: trait.id, isRising: !bestFirst } : null
}

export function matrixColumns(traits: readonly MatrixTrait[]): PlotColumn<MatrixGenotype>[] {
  return [
    { key: 'name', label: 'Pheno', value: (row) => row.name },
    { key: 'note', label: 'Note', value: (row) => row.note ?? null },
    ...traits.map(
      (trait): PlotColumn<MatrixGenotype> => ({
        key: trait.id,
        label: trait.name,
        unit: trait.unit,
        kind: 'number',
        digits: trait.digits,
        value: (row): PlotCell => cellOf(row, trait.id)?.value ?? null,
      }),
    ),
  ]
}

/** The share of the leaf color in a cell. Its limit of 0.45 keeps the contrast of text above 4.5. */
export const tintOf = (desirability: number): number => Math.min(1, Math.max(0, desirability)) * 0.45

export const hatching = 'repeating-linear-gradient(135deg, var(--line) 0 1px, transparent 1px 6px)'

/** Rows or blocks of rows, all of the same size. `end` is exclusive. */
type Tracks = { first: number; end: number }

export function tracksInView(scrolled: number, room: number, size: number, count: number, beyond: number): Tracks {
  return {
    first: Math.max(0, Math.floor(scrolled / size) - beyond),
    end: Math.min(count, Math.max(0, Math.ceil((scrolled + room) / size) + beyond)),
  }
}

/** The track with focus stays rendered, even out of view. */
export function tracksToDraw({ first, end }: Tracks, kept: number, count: number): number[] {
  const tracks = Array.from({ length: Math.max(0, end - first) }, (_, nth) => first + nth)
  if (kept < 0 || kept >= count || (kept >= first && kept < end)) return tracks
  return kept < first ? [kept, ...tracks] : [...tracks, kept]
}

export function scrolledTo(track: number, size: number, scrolled: number, room: number): number {
  const from = track * size
  if (from < scrolled) return from
  return from + size > scrolled + room ? from + size - room : scrolled
}
