import { getLocale } from '../../lib/format.ts'
import { missing, numberText, shareText, withUnit } from './format.ts'
import type { PlotCell, PlotColumn } from './plot-table.ts'

export type MatrixTrait = {
  id: string
  name: string
  unit?: string | null | undefined
  digits?: number | undefined
  direction: 'max' | 'min' | 'target' | null
}

export type MatrixCell = {
  /** A number, or the words of a category or an anchor. */
  value: number | string
  /** 0 to 1; null where the trait is not judged. */
  desirability: number | null
  /** Of how many observations. */
  count?: number | undefined
  /** Of how many plants: where there are several, it is their mean. */
  plants?: number | undefined
}

export type MatrixGenotype = {
  genotypeId: string
  name: string
  /** Beside the name: the decision, or the plant's stage. */
  note?: string | undefined
  isKeeper?: boolean | undefined
  /** By the trait's id; null or absent is not measured. */
  cells: Readonly<Record<string, MatrixCell | null | undefined>>
}

export type MatrixOrder = { traitId: string; isRising: boolean } | null

export const cellOf = ({ cells }: MatrixGenotype, traitId: string): MatrixCell | null => cells[traitId] ?? null

export function matrixCellText(trait: MatrixTrait, cell: MatrixCell | null): string {
  if (!cell) return missing
  return typeof cell.value === 'number' ? numberText(cell.value, trait.digits) : cell.value
}

/** What a screen reader says of a cell. */
export function spokenCell(genotype: MatrixGenotype, trait: MatrixTrait, cell: MatrixCell | null): string {
  if (!cell) return `${genotype.name}, ${trait.name}: not measured`
  const value = typeof cell.value === 'number' ? withUnit(numberText(cell.value, trait.digits), trait.unit) : cell.value
  const worth = cell.desirability === null ? '' : `, ${shareText(cell.desirability)} desirable`
  const count = cell.count !== undefined && cell.count > 1 ? `, of ${numberText(cell.count)} observations` : ''
  const plants = cell.plants !== undefined && cell.plants > 1 ? `, of ${numberText(cell.plants)} plants` : ''
  return `${genotype.name}, ${trait.name}: ${value}${worth}${count}${plants}`
}

/** In the given order, or by a trait. What was not measured stands at the end either way. */
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

/** The first press brings the best to the top; then the worst; then the given order. */
export function nextOrder(order: MatrixOrder, trait: MatrixTrait): MatrixOrder {
  const bestFirst = trait.direction === 'min'
  if (order?.traitId !== trait.id) return { traitId: trait.id, isRising: bestFirst }
  return order.isRising === bestFirst ? { traitId: trait.id, isRising: !bestFirst } : null
}

export function matrixColumns(traits: readonly MatrixTrait[]): PlotColumn<MatrixGenotype>[] {
  return [
    { key: 'name', label: 'Genotype', value: (row) => row.name },
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

/** How much of the leaf's color a cell takes: text on the deepest of them still has a contrast of 4.5. */
export const tintOf = (desirability: number): number => Math.min(1, Math.max(0, desirability)) * 0.45

/** The ground of what was not measured. */
export const hatching = 'repeating-linear-gradient(135deg, var(--line) 0 1px, transparent 1px 6px)'
