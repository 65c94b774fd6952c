import { ArrowDown, ArrowUp, Star } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, memo, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from '../../ui/cx.ts'
import {
  cellOf,
  hatching,
  type MatrixCell,
  type MatrixGenotype,
  type MatrixOrder,
  type MatrixTrait,
  matrixCellText,
  spokenCell,
  tintOf,
} from './matrix-rows.ts'
import { scrolledTo, tracksInView, tracksToDraw } from './windowing.ts'

type MatrixGridProps = {
  traits: readonly MatrixTrait[]
  rows: readonly MatrixGenotype[]
  order: MatrixOrder
  onSort: (trait: MatrixTrait) => void
  onCell?: ((genotypeId: string, traitId: string) => void) | undefined
  onGenotype?: ((genotypeId: string) => void) | undefined
}

const headHeight = 84
const columnWidth = 96
const beyond = { rows: 4, columns: 2 }

/** A place in the grid: row −1 is the head, column −1 the genotypes' names. */
type Place = { row: number; column: number }

/**
 * The matrix as a grid of which only what is in view is in the page. One cell is in the order of the Tab key; arrow keys move it.
 * It stays in the page however far away it is scrolled, or the focus would be lost.
 */
export function MatrixGrid({ traits, rows, order, onSort, onCell, onGenotype }: MatrixGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Place>({ row: 0, column: -1 })
  const [view, setView] = useState({ top: 0, left: 0, width: 900, height: 560 })
  const rowHeight = useIsCoarse() ? 48 : 38
  const nameWidth = view.width < 520 ? 104 : 148
  const width = nameWidth + traits.length * columnWidth
  const height = headHeight + rows.length * rowHeight
  const place = { row: Math.min(active.row, rows.length - 1), column: Math.min(active.column, traits.length - 1) }

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setView((before) => ({ ...before, width: element.clientWidth, height: element.clientHeight }))
    measure()
    const resizes = new ResizeObserver(measure)
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [])

  const rowsShown = tracksInView(view.top, view.height - headHeight, rowHeight, rows.length, beyond.rows)
  const columnsShown = tracksInView(view.left, view.width - nameWidth, columnWidth, traits.length, beyond.columns)
  const { first, end } = columnsShown
  const kept = place.column
  const columns = useMemo(() => tracksToDraw({ first, end }, kept, traits.length), [first, end, kept, traits.length])

  const moveTo = (next: Place) => {
    const element = scroller.current
    if (!element) return
    const to = { row: clamp(next.row, rows.length), column: clamp(next.column, traits.length) }
    setActive(to)
    if (to.row >= 0) element.scrollTop = scrolledTo(to.row, rowHeight, element.scrollTop, element.clientHeight - headHeight)
    if (to.column >= 0) element.scrollLeft = scrolledTo(to.column, columnWidth, element.scrollLeft, element.clientWidth - nameWidth)
    // The cell is in the page after the next drawing.
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`[data-place="${to.row}:${to.column}"]`)?.focus({ preventScroll: true }))
  }
  const open = ({ row, column }: Place) => {
    const trait = traits[column]
    const genotype = rows[row]
    if (row === -1) {
      if (trait) onSort(trait)
    } else if (genotype && trait) onCell?.(genotype.genotypeId, trait.id)
    else if (genotype) onGenotype?.(genotype.genotypeId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = place
    const page = Math.max(1, Math.floor((view.height - headHeight) / rowHeight) - 1)
    const isFar = event.ctrlKey || event.metaKey
    const next: Record<string, Place | undefined> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: Math.max(0, row - page), column },
      PageDown: { row: row + page, column },
      Home: { row: isFar ? 0 : row, column: -1 },
      End: { row: isFar ? rows.length - 1 : row, column: traits.length - 1 },
    }
    const to = next[event.key]
    if (to) {
      event.preventDefault()
      moveTo(to)
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      open(place)
    }
  }
  const onClick = (event: MouseEvent) => {
    const at = (event.target as Element).closest<HTMLElement>('[data-place]')?.dataset.place?.split(':').map(Number)
    if (!at) return
    const pressed = { row: at[0] as number, column: at[1] as number }
    setActive(pressed)
    open(pressed)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be windowed in both directions
    <div
      ref={scroller}
      role="grid"
      tabIndex={-1}
      aria-label="Trait matrix"
      aria-rowcount={rows.length + 1}
      aria-colcount={traits.length + 1}
      onScroll={({ currentTarget }) => {
        const { scrollTop: top, scrollLeft: left } = currentTarget
        setView((before) => (isSameWindow(before, { top, left }, rowHeight) ? before : { ...before, top, left }))
      }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="relative max-h-[36rem] overflow-auto overscroll-contain rounded-input border border-line contain-strict"
      style={{ height: height + 2 }}
    >
      <div role="presentation" className="relative" style={{ width, height }}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its cells are */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="row" aria-rowindex={1} className="sticky top-0 z-2 border-line border-b bg-sunk" style={{ width, height: headHeight }}>
          <Head place="-1:-1" index={1} isActive={place.row === -1 && place.column === -1} left={null} width={nameWidth}>
            Genotype
          </Head>
          {columns.map((column) => {
            const trait = traits[column]
            if (!trait) return null
            const sorted = order?.traitId === trait.id ? order : null
            return (
              <Head
                key={trait.id}
                place={`-1:${column}`}
                index={column + 2}
                isActive={place.row === -1 && place.column === column}
                left={nameWidth + column * columnWidth}
                width={columnWidth}
                sort={sorted ? (sorted.isRising ? 'ascending' : 'descending') : 'none'}
              >
                <span className="line-clamp-3 break-words">{trait.name}</span>
                <span className="flex items-center gap-1 font-normal text-muted text-xs">
                  {trait.unit}
                  {sorted && (sorted.isRising ? <ArrowUp className="size-3.5 text-ink" /> : <ArrowDown className="size-3.5 text-ink" />)}
                </span>
              </Head>
            )
          })}
        </div>
        {tracksToDraw(rowsShown, place.row, rows.length).map((row) => {
          const genotype = rows[row]
          return (
            genotype && (
              <MatrixRow
                key={genotype.genotypeId}
                genotype={genotype}
                traits={traits}
                columns={columns}
                row={row}
                height={rowHeight}
                width={width}
                nameWidth={nameWidth}
                activeColumn={place.row === row ? place.column : null}
                canOpen={onCell !== undefined}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

const clamp = (track: number, count: number) => Math.max(-1, Math.min(count - 1, track))

/** Scrolling within a track draws nothing anew. */
const isSameWindow = (before: { top: number; left: number }, now: { top: number; left: number }, rowHeight: number): boolean =>
  Math.floor(before.top / rowHeight) === Math.floor(now.top / rowHeight) &&
  Math.floor(before.left / columnWidth) === Math.floor(now.left / columnWidth)

const coarse = '(pointer: coarse)'
const useIsCoarse = () =>
  useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(coarse)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => matchMedia(coarse).matches,
    () => false,
  )

type HeadProps = {
  place: string
  index: number
  isActive: boolean
  /** Null stays at the left edge. */
  left: number | null
  width: number
  sort?: 'ascending' | 'descending' | 'none'
  children: React.ReactNode
}

function Head({ place, index, isActive, left, width, sort, children }: HeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="columnheader"
      data-place={place}
      aria-colindex={index}
      aria-sort={sort}
      tabIndex={isActive ? 0 : -1}
      className={cx(
        'grid h-full content-end gap-0.5 px-2.5 pb-2 font-medium text-sm/tight focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
        left === null
          ? 'sticky left-0 z-1 border-line border-r bg-sunk'
          : 'absolute top-0 cursor-pointer justify-items-end text-right hover:bg-line/50',
      )}
      style={left === null ? { width } : { width, left }}
    >
      {children}
    </div>
  )
}

type RowProps = {
  genotype: MatrixGenotype
  traits: readonly MatrixTrait[]
  columns: readonly number[]
  row: number
  height: number
  width: number
  nameWidth: number
  activeColumn: number | null
  canOpen: boolean
}

const MatrixRow = memo(function MatrixRow(props: RowProps) {
  const { genotype, traits, columns, row, height, width, nameWidth, activeColumn, canOpen } = props
  const focus = 'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus'
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="row" aria-rowindex={row + 2} className="absolute left-0" style={{ top: headHeight + row * height, height, width }}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        role="rowheader"
        data-place={`${row}:-1`}
        aria-colindex={1}
        tabIndex={activeColumn === -1 ? 0 : -1}
        className={cx('sticky left-0 z-1 flex h-full items-center gap-2 border-line border-r border-b bg-surface px-2.5 text-sm', focus)}
        style={{ width: nameWidth }}
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
      {columns.map((column) => {
        const trait = traits[column]
        return (
          trait && (
            <MatrixCellView
              key={trait.id}
              genotype={genotype}
              trait={trait}
              row={row}
              column={column}
              left={nameWidth + column * columnWidth}
              isActive={activeColumn === column}
              canOpen={canOpen}
            />
          )
        )
      })}
    </div>
  )
})

type CellProps = {
  genotype: MatrixGenotype
  trait: MatrixTrait
  row: number
  column: number
  left: number
  isActive: boolean
  canOpen: boolean
}

/** One element, its bar a part of its ground: a hundred of these come into view with each flick of the finger. */
const MatrixCellView = memo(function MatrixCellView({ genotype, trait, row, column, left, isActive, canOpen }: CellProps) {
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
      style={{ left, width: columnWidth, background: groundOf(cell) }}
    >
      {matrixCellText(trait, cell)}
    </div>
  )
})

const cellClass = (isMeasured: boolean, canOpen: boolean) =>
  cx(
    'absolute top-0 h-full content-center truncate border-ground border-r border-b px-2.5 text-right text-sm tabular-nums hover:inset-ring-1 hover:inset-ring-edge focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus data-plants:before:float-left data-plants:before:text-xs/5 data-plants:before:content-[attr(data-plants)]',
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
