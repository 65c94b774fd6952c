import { Star } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { cx } from '#web/ui/cx.ts'
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
/** In pixels. If there are few columns, they grow up to `max` to fill the width. `--column` has the current width. */
export const columnWidths = { min: 96, max: 150 }
/** A small number, so each idle callback renders little. */
export const blockRows = 4

/** Row −1 is the header, column −1 the genotype names. */
export type CellPosition = { row: number; column: number }

type BlockProps = {
  rows: readonly MatrixGenotype[]
  first: number
  height: number
  active: CellPosition
}

const inBlock = (rows: readonly MatrixGenotype[], first: number) =>
  rows.slice(first, first + blockRows).map((genotype, nth) => ({ genotype, row: first + nth }))

/** Each row is rendered twice with the same row index, because names and cells scroll separately. */
export const NameBlock = memo(function NameBlock({ rows, first, height, active, width }: BlockProps & { width: number }) {
  return inBlock(rows, first).map(({ genotype, row }) => (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable
    // biome-ignore lint/a11y/useSemanticElements: a table element can't render only the visible rows
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

type CellBlockProps = BlockProps & { traits: readonly MatrixTrait[]; canOpen: boolean }

/** Contained and positioned by a transform, so other blocks don't repaint it. */
export const CellBlock = memo(function CellBlock({ rows, first, height, active, traits, canOpen }: CellBlockProps) {
  const shown = inBlock(rows, first)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="rowgroup"
      className="absolute top-0 left-0 contain-strict"
      style={{
        width: `calc(var(--column) * ${traits.length})`,
        height: shown.length * height,
        transform: `translateY(${first * height}px)`,
      }}
    >
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
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="row" aria-rowindex={row + 2} className={rowClass} style={{ height }}>
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

/** The bar is in the element's background, because the grid has thousands of cells. */
const MatrixCellView = memo(function MatrixCellView({ genotype, trait, row, column, isActive, canOpen }: CellProps) {
  const cell = cellOf(genotype, trait.id)
  const text = matrixCellText(trait, cell)
  const plants = cell?.plants !== undefined && cell.plants > 1 ? `${cell.plants}×` : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="gridcell"
      data-place={`${row}:${column}`}
      aria-colindex={column + 2}
      aria-label={spokenCell(genotype, trait, cell)}
      tabIndex={isActive ? 0 : -1}
      data-plants={plants}
      className={cellClass(cell, canOpen, mayOverflow(text, plants))}
      style={groundOf(cell)}
    >
      {text}
    </div>
  )
})

/** Clipping costs compositing in every frame, so only longer text is clipped. */
const mayOverflow = (text: string, plants = '') => text.length + plants.length > 8

// The lines between cells are gaps that show the background, painted once. Cells inherit styles from the row.
const rowClass =
  'flex whitespace-nowrap bg-[linear-gradient(var(--leaf-strong),var(--leaf-strong))] bg-size-[0_0] text-right text-sm tabular-nums'
const cellBase =
  'mr-px mb-px w-[calc(var(--column)-1px)] flex-none forced-colors:border-r forced-colors:border-b content-center px-2.5 hover:inset-ring-1 hover:inset-ring-edge focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus data-plants:before:float-left data-plants:before:text-xs/5 data-plants:before:content-[attr(data-plants)]'
const measured = 'bg-position-[4px_calc(100%-2px)] bg-no-repeat'

const cellClass = (cell: MatrixCell | null, canOpen: boolean, isClipped: boolean) =>
  cx(cellBase, cell ? measured : 'text-muted', isClipped && 'truncate', canOpen && 'cursor-pointer')

/**
 * Shows desirability as a tint and a bar at the bottom. The row sets the bar's image with no size, so the browser resolves it once instead
 * of per cell.
 */
function groundOf(cell: MatrixCell | null): CSSProperties {
  if (!cell) return { background: `${hatching}, var(--surface)` }
  if (cell.desirability === null) return { backgroundColor: 'var(--surface)' }
  return {
    backgroundColor: `color-mix(in oklab, var(--leaf) ${tintOf(cell.desirability) * 100}%, var(--surface))`,
    backgroundImage: 'inherit',
    backgroundSize: `calc((var(--column) - 10px) * ${cell.desirability}) 3px`,
  }
}
