import { Star } from 'lucide-react'
import { memo } from 'react'
import { cx } from '../../ui/cx.ts'
import {
  cellOf,
  hatching,
  type MatrixCell,
  type MatrixGenotype,
  type MatrixTrait,
  matrixCellText,
  spokenCell,
  tintOf,
} from './matrix-rows.ts'

export const headHeight = 84
export const columnWidth = 96
/** Rows come into the page by so many; drawing them takes about a frame. */
export const blockRows = 4

/** A place in the grid: row −1 is the head, column −1 the genotypes' names. */
export type Place = { row: number; column: number }

type BlockProps = {
  rows: readonly MatrixGenotype[]
  /** The number of its first row. */
  first: number
  /** Of a row. */
  height: number
  active: Place
}

const inBlock = (rows: readonly MatrixGenotype[], first: number) =>
  rows.slice(first, first + blockRows).map((genotype, nth) => ({ genotype, row: first + nth }))

/** The names' part of the rows. A row stands in the page twice, in two parts that have the same number: names and cells scroll apart. */
export const NameBlock = memo(function NameBlock({ rows, first, height, active, width }: BlockProps & { width: number }) {
  return inBlock(rows, first).map(({ genotype, row }) => (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be windowed
    <div
      key={genotype.genotypeId}
      role="row"
      aria-rowindex={row + 2}
      className="absolute left-0"
      style={{ top: row * height, height, width }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        role="rowheader"
        data-place={`${row}:-1`}
        aria-colindex={1}
        tabIndex={active.row === row && active.column === -1 ? 0 : -1}
        className="flex h-full items-center gap-2 border-line border-r border-b bg-surface px-2.5 text-sm focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
      >
        <span className="truncate font-semibold">{genotype.name}</span>
        {genotype.isKeeper ? (
          <span className="inline-flex shrink-0 items-center rounded-tag bg-shine px-1.5 py-px font-semibold text-on-shine text-xs">
            <Star aria-hidden="true" className="size-3.5 sm:hidden" />
            <span className="max-sm:sr-only">Keeper</span>
          </span>
        ) : (
          genotype.note && <span className="truncate text-muted text-xs max-sm:hidden">{genotype.note}</span>
        )}
      </div>
    </div>
  ))
})

type CellBlockProps = BlockProps & { traits: readonly MatrixTrait[]; left: number; canOpen: boolean }

export const CellBlock = memo(function CellBlock({ rows, first, height, active, traits, left, canOpen }: CellBlockProps) {
  const shown = inBlock(rows, first)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="rowgroup" className="absolute" style={{ left, top: headHeight + first * height, width: traits.length * columnWidth }}>
      {shown.map(({ genotype, row }) => (
        <MatrixRow
          key={genotype.genotypeId}
          genotype={genotype}
          traits={traits}
          row={row}
          height={height}
          activeColumn={active.row === row ? active.column : null}
          canOpen={canOpen}
        />
      ))}
    </div>
  )
})

type RowProps = {
  genotype: MatrixGenotype
  traits: readonly MatrixTrait[]
  row: number
  height: number
  activeColumn: number | null
  canOpen: boolean
}

const MatrixRow = memo(function MatrixRow({ genotype, traits, row, height, activeColumn, canOpen }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="row" aria-rowindex={row + 2} className="flex" style={{ height }}>
      {traits.map((trait, column) => (
        <MatrixCellView
          key={trait.id}
          genotype={genotype}
          trait={trait}
          row={row}
          column={column}
          isActive={activeColumn === column}
          canOpen={canOpen}
        />
      ))}
    </div>
  )
})

type CellProps = {
  genotype: MatrixGenotype
  trait: MatrixTrait
  row: number
  column: number
  isActive: boolean
  canOpen: boolean
}

/** One element, its bar a part of its ground: there are thousands of these. */
const MatrixCellView = memo(function MatrixCellView({ genotype, trait, row, column, isActive, canOpen }: CellProps) {
  const cell = cellOf(genotype, trait.id)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="gridcell"
      data-place={`${row}:${column}`}
      aria-colindex={column + 2}
      aria-label={spokenCell(genotype, trait, cell)}
      tabIndex={isActive ? 0 : -1}
      // Drawn beside the value: its name says it in words.
      data-plants={cell?.plants !== undefined && cell.plants > 1 ? `${cell.plants}×` : undefined}
      className={cellClass(cell !== null, canOpen)}
      style={{ width: columnWidth, background: groundOf(cell) }}
    >
      {matrixCellText(trait, cell)}
    </div>
  )
})

const cellClass = (isMeasured: boolean, canOpen: boolean) =>
  cx(
    'h-full flex-none content-center truncate border-ground border-r border-b px-2.5 text-right text-sm tabular-nums hover:inset-ring-1 hover:inset-ring-edge focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus data-plants:before:float-left data-plants:before:text-xs/5 data-plants:before:content-[attr(data-plants)]',
    canOpen && 'cursor-pointer',
    !isMeasured && 'text-muted',
  )

/** Desirability twice: as a tint, and as the length of a bar at the foot. */
function groundOf(cell: MatrixCell | null): string {
  if (!cell) return hatching
  if (cell.desirability === null) return 'var(--surface)'
  const tint = `color-mix(in oklab, var(--leaf) ${tintOf(cell.desirability) * 100}%, var(--surface))`
  const bar = `${cell.desirability * (columnWidth - 10)}px 3px`
  return `linear-gradient(var(--leaf-strong), var(--leaf-strong)) 4px calc(100% - 2px) / ${bar} no-repeat, ${tint}`
}
