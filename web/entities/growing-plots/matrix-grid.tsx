import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { cx } from '#web/ui/cx.ts'
import { blockRows, CellBlock, type CellPosition, columnWidths, headHeight, NameBlock } from './matrix-cells.tsx'
import type { MatrixGenotype, MatrixOrder, MatrixTrait } from './matrix-rows.ts'
import { scrolledTo, tracksInView, tracksToDraw } from './matrix-rows.ts'

type MatrixGridProps = {
  traits: readonly MatrixTrait[]
  rows: readonly MatrixGenotype[]
  order: MatrixOrder
  onSort: (trait: MatrixTrait) => void
  onCell?: ((genotypeId: string, traitId: string) => void) | undefined
  onGenotype?: ((genotypeId: string) => void) | undefined
}

/** Maximum number of blocks rendered while idle on each side of the viewport. */
const maxOverscan = 60

const nowhere: CellPosition = { row: -2, column: -2 }

/**
 * Visible blocks render immediately and the others while idle, so scrolling rarely renders anything. Arrow keys move the only cell in the
 * tab order (roving tabindex). The active row stays rendered while scrolled out of view, so it keeps focus.
 */
export function MatrixGrid({ traits, rows, order, onSort, onCell, onGenotype }: MatrixGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<CellPosition>({ row: 0, column: -1 })
  const [view, setView] = useState({ top: 0, width: 900, height: 560 })
  const rowHeight = useIsCoarse() ? 48 : 38
  const nameWidth = view.width < 520 ? 104 : 148
  const fitting = Math.floor((view.width - nameWidth) / Math.max(1, traits.length))
  const columnWidth = Math.max(columnWidths.min, Math.min(columnWidths.max, fitting))
  const width = nameWidth + traits.length * columnWidth
  const height = headHeight + rows.length * rowHeight
  const place = useMemo(
    () => ({ row: Math.min(active.row, rows.length - 1), column: Math.min(active.column, traits.length - 1) }),
    [active, rows.length, traits.length],
  )

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setView((before) => ({ ...before, width: element.clientWidth, height: element.clientHeight }))
    measure()
    const resizes = new ResizeObserver(measure)
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [])

  const blockHeight = blockRows * rowHeight
  const blockCount = Math.ceil(rows.length / blockRows)
  const beyond = useGrowing(Math.min(blockCount, maxOverscan), order)
  const shown = tracksInView(view.top, view.height - headHeight + blockHeight, blockHeight, blockCount, 1 + beyond)
  const blocks = tracksToDraw(shown, Math.floor(place.row / blockRows), blockCount)

  const blockOf = (block: number) => ({
    rows,
    first: block * blockRows,
    height: rowHeight,
    active: Math.floor(place.row / blockRows) === block ? place : nowhere,
  })

  const moveTo = (next: CellPosition) => {
    const element = scroller.current
    if (!element) return
    const to = { row: clamp(next.row, rows.length), column: clamp(next.column, traits.length) }
    setActive(to)
    if (to.row >= 0) element.scrollTop = scrolledTo(to.row, rowHeight, element.scrollTop, element.clientHeight - headHeight)
    if (to.column >= 0) element.scrollLeft = scrolledTo(to.column, columnWidth, element.scrollLeft, element.clientWidth - nameWidth)
    // The cell is rendered in the next frame, so focus it then.
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`[data-place="${to.row}:${to.column}"]`)?.focus({ preventScroll: true }))
  }
  const open = ({ row, column }: CellPosition) => {
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
    const next: Record<string, CellPosition | undefined> = {
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
    // biome-ignore lint/a11y/useSemanticElements: a table element can't render only the visible rows and columns
    <div
      ref={scroller}
      role="grid"
      tabIndex={-1}
      aria-label="Trait matrix"
      aria-rowcount={rows.length + 1}
      aria-colcount={traits.length + 1}
      onScroll={({ currentTarget: { scrollTop } }) => {
        const top = Math.floor(scrollTop / blockHeight) * blockHeight
        setView((before) => (before.top === top ? before : { ...before, top }))
      }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="relative max-h-[36rem] overflow-auto overscroll-contain rounded-input border border-line contain-strict"
      style={{ height: height + 2 }}
    >
      <div role="presentation" className="relative" style={{ width, height, '--column': `${columnWidth}px` } as CSSProperties}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-2 flex border-line border-b bg-sunk"
          style={{ width, height: headHeight }}
        >
          <Head place="-1:-1" index={1} isActive={place.row === -1 && place.column === -1} isCorner width={nameWidth}>
            Pheno
          </Head>
          {traits.map((trait, column) => {
            const sorted = order?.traitId === trait.id ? order : null
            return (
              <Head
                key={trait.id}
                place={`-1:${column}`}
                index={column + 2}
                isActive={place.row === -1 && place.column === column}
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
        {/* All names share a layer: with sticky elements, each row would be a layer, sorted in every frame. */}
        <div role="presentation" className="sticky left-0 z-1" style={{ width: nameWidth, height: 0 }}>
          {blocks.map((block) => (
            <NameBlock key={block} {...blockOf(block)} width={nameWidth} />
          ))}
        </div>
        {/*
          This is a separate layer, because browsers repaint a scroller's content as it moves, but rasterize a layer much further ahead.
        */}
        <div
          role="presentation"
          className="absolute transform-gpu bg-ground"
          style={{ top: headHeight, left: nameWidth, width: width - nameWidth, height: height - headHeight }}
        >
          {blocks.map((block) => (
            <CellBlock key={block} {...blockOf(block)} traits={traits} canOpen={onCell !== undefined} />
          ))}
        </div>
      </div>
    </div>
  )
}

const clamp = (track: number, count: number) => Math.max(-1, Math.min(count - 1, track))

/** A browser that draws 60 frames per second is never idle this long, so scrolling doesn't add blocks. */
const enoughIdleMs = 20
/** A busy device may never be idle, but still gets all blocks, one at a time. */
const idleTimeout = { timeout: 1_000 }

/** Counts from 0 to `max` while the browser is idle. Restarts when the order changes, to render the visible part first. */
function useGrowing(max: number, order: MatrixOrder): number {
  const [grown, setGrown] = useState({ order, count: 0 })
  const count = grown.order === order ? grown.count : 0
  useEffect(() => {
    if (count >= max) return
    const grow = () => setGrown({ order, count: count + 1 })
    // Safari doesn't have idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(grow, 50)
      return () => clearTimeout(timer)
    }
    const growOrWait = (deadline: IdleDeadline) => {
      if (deadline.didTimeout || deadline.timeRemaining() > enoughIdleMs) grow()
      else idle = requestIdleCallback(growOrWait, idleTimeout)
    }
    let idle = requestIdleCallback(growOrWait, idleTimeout)
    return () => cancelIdleCallback(idle)
  }, [count, max, order])
  return Math.min(count, max)
}

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
  isCorner?: boolean
  width: number
  sort?: 'ascending' | 'descending' | 'none'
  children: React.ReactNode
}

function Head({ place, index, isActive, isCorner = false, width, sort, children }: HeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="columnheader"
      data-place={place}
      aria-colindex={index}
      aria-sort={sort}
      tabIndex={isActive ? 0 : -1}
      className={cx(
        'grid h-full flex-none content-end gap-0.5 px-2.5 pb-2 font-medium text-sm/tight focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
        isCorner ? 'sticky left-0 z-1 border-line border-r bg-sunk' : 'cursor-pointer justify-items-end text-right hover:bg-line/50',
      )}
      style={{ width }}
    >
      {children}
    </div>
  )
}
