import { useQuery } from '@tanstack/react-query'
import { List } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { BusinessCard, BusinessCardSkeleton } from '#web/entities/businesses/business-card.tsx'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { change, listQuery } from '#web/entities/directory/discover-search.ts'
import type { BusinessMapProps, MapPin } from '#web/entities/map/index.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { nextStop, pixelsOf, restingStop, type SheetStop, sheetStops, stopBeside, stopHeights } from '#web/ui/sheet-stops.ts'

type MapPlace = Required<Pick<BusinessMapProps, 'covered' | 'cards' | 'onGroup' | 'onSelect'>>

type MapSheetProps = {
  search: DiscoverSearch
  selected: MapPin | null
  listed: readonly BusinessSummary[]
  status: ReactNode
  results: ReactNode
  map: (place: { [Key in keyof MapPlace]: NonNullable<MapPlace[Key]> }) => ReactNode
  onSearch: (search: DiscoverSearch, options?: { replace: boolean }) => void
}

const stopNames: Record<SheetStop, string> = { peek: 'Show the map', half: 'Show the map and list', full: 'Show the list' }

/** For narrow windows. A pressed pin shows its card in the sheet, and scrolling there doesn't move the map. */
export function MapSheet({ search, selected, listed, status, results, map, onSearch }: MapSheetProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const stop = search.sheet ?? 'half'
  const setStop = (next: SheetStop) => {
    if (next !== stop) onSearch(change(search, { sheet: next === 'half' ? undefined : next }), { replace: true })
  }
  const isListed = listed.some(({ id }) => id === selected?.id)
  const other = useQuery({ ...businessOptions(selected?.slug ?? ''), enabled: Boolean(selected?.slug) && !isListed })
  const isKnown = isListed || other.data !== undefined

  const selectedId = selected?.id
  useLayoutEffect(() => {
    const list = scroller.current
    const card = isKnown && selectedId ? document.getElementById(`business-${selectedId}`) : null
    if (list && card) list.scrollTop += card.getBoundingClientRect().top - list.getBoundingClientRect().top - gap
  }, [selectedId, isKnown])

  // New results start at the top. The first ones remain where Back restored them.
  const query = JSON.stringify(listQuery(search))
  const shownQuery = useRef(query)
  useEffect(() => {
    if (shownQuery.current === query) return
    shownQuery.current = query
    scroller.current?.scrollTo({ top: 0 })
  }, [query])

  return (
    <BottomSheet
      label="Businesses"
      stop={stop}
      onStop={setStop}
      stopNames={stopNames}
      scroller={scroller}
      scrollId="discover-sheet"
      className="-mx-4 mt-3 min-h-88 flex-1 border-line border-t sm:-mx-6"
      header={
        <div className="flex h-12 items-start justify-between gap-3 px-4 sm:px-6">
          {status}
          <Button variant="secondary" size="sm" onClick={() => onSearch(change(search, { view: undefined, sheet: undefined }))}>
            <List aria-hidden="true" />
            List
          </Button>
        </div>
      }
      behind={map({
        // While the list covers the map, the map doesn't change.
        covered: stopHeights[stop === 'full' ? 'half' : stop],
        cards: 'groups',
        onSelect: (pin) => pin && setStop('half'),
        onGroup: () => setStop('peek'),
      })}
    >
      <div className="px-4 pt-1 pb-4 sm:px-6">
        {selected && !isListed && (
          <div className="mb-2.5">
            {other.data ? (
              <BusinessCard business={other.data} level={2} compact isMarked />
            ) : (
              other.isPending && <BusinessCardSkeleton compact />
            )}
          </div>
        )}
        {results}
      </div>
    </BottomSheet>
  )
}

/** Pixels above the card of a pressed pin. */
const gap = 8

type BottomSheetProps = {
  label: string
  stop: SheetStop
  onStop: (stop: SheetStop) => void
  /** Names of the actions that move the sheet: "Show the list". */
  stopNames: Record<SheetStop, string>
  header: ReactNode
  /** The sheet covers this content. `--covered-below` is the sheet's height there. */
  behind: ReactNode
  children: ReactNode
  /** The element that scrolls. Its position survives moving the sheet and, through `scrollId`, going back. */
  scroller: RefObject<HTMLDivElement | null>
  scrollId: string
  className?: string
}

/** In pixels. A press that moves farther is a drag. */
const dragFrom = 6
/** In milliseconds. After a longer pause, the pointer's earlier speed doesn't count. */
const restMs = 80

type Drag = { startY: number; startHeight: number; isMoving: boolean; lastY: number; lastTime: number; speed: number }

/**
 * Covers other content, such as a map, up to one of three heights. People drag its header, press its handle or use arrow keys. Not modal:
 * the uncovered content remains usable. Fills its parent.
 */
function BottomSheet(props: BottomSheetProps) {
  const { label, stop, onStop, stopNames, header, behind, children, scroller, scrollId, className } = props
  const container = useRef<HTMLDivElement>(null)
  const wasDragged = useRef(false)

  /** Follows the pointer without rendering. React sets the height again only when the stop changes. */
  const setHeight = (height: string) => container.current?.style.setProperty('--covered-below', height)

  const stopPixels = () => {
    const { clientHeight } = container.current!
    const fontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const entries = sheetStops.map((each) => [each, pixelsOf(stopHeights[each], clientHeight, fontSize)])
    return Object.fromEntries(entries) as Record<SheetStop, number>
  }

  function press(event: ReactPointerEvent<HTMLElement>) {
    if (!event.isPrimary || event.button !== 0) return
    const handle = event.currentTarget
    wasDragged.current = false
    const { clientY: y, timeStamp } = event
    const current = { startY: y, startHeight: stopPixels()[stop], isMoving: false, lastY: y, lastTime: timeStamp, speed: 0 }
    // A fast pointer leaves the handle before its first move event.
    const listening = new AbortController()
    const follow = (act: (event: PointerEvent) => void) => (next: PointerEvent) => {
      if (next.pointerId === event.pointerId) act(next)
    }
    const end = follow((next) => {
      listening.abort()
      release(next, current)
    })
    const { signal } = listening
    window.addEventListener(
      'pointermove',
      follow((next) => move(next, current, handle)),
      { signal },
    )
    window.addEventListener('pointerup', end, { signal })
    window.addEventListener('pointercancel', end, { signal })
    // The browser would drag the link that the sheet moved under the pressed point, and cancel the pointer's events.
    window.addEventListener('dragstart', (other) => other.preventDefault(), { signal })
  }

  function move(event: PointerEvent, current: Drag, handle: HTMLElement) {
    const { clientY: y, timeStamp } = event
    if (!current.isMoving) {
      if (Math.abs(y - current.startY) < dragFrom) return
      current.isMoving = true
      // Capturing earlier would take the click from the button under the pointer.
      handle.setPointerCapture(event.pointerId)
      container.current?.setAttribute('data-dragging', '')
    }
    const heights = stopPixels()
    const height = Math.min(heights.full, Math.max(heights.peek, current.startHeight + current.startY - y))
    current.speed = (current.lastY - y) / Math.max(1, timeStamp - current.lastTime)
    current.lastY = y
    current.lastTime = timeStamp
    setHeight(`${height}px`)
  }

  function release(event: PointerEvent, current: Drag) {
    if (!current.isMoving) return
    container.current?.removeAttribute('data-dragging')
    wasDragged.current = true
    const heights = stopPixels()
    const height = Math.min(heights.full, Math.max(heights.peek, current.startHeight + current.startY - current.lastY))
    const isFlick = event.type === 'pointerup' && event.timeStamp - current.lastTime < restMs
    const next = restingStop(height, isFlick ? current.speed : 0, heights)
    setHeight(stopHeights[next])
    if (next !== stop) onStop(next)
  }

  function moveByKey(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const next = stopBeside(stop, event.key === 'ArrowUp' ? 1 : -1)
    if (next !== stop) onStop(next)
  }

  return (
    <div
      ref={container}
      style={{ '--covered-below': stopHeights[stop] } as CSSProperties}
      className={cx('group/sheet relative isolate overflow-clip', className)}
    >
      <div className="absolute inset-0" inert={stop === 'full'}>
        {behind}
      </div>
      <section
        aria-label={label}
        data-stop={stop}
        className="absolute inset-x-0 bottom-0 z-4 flex h-(--covered-below) flex-col overflow-clip rounded-t-card border-line border-t bg-ground shadow-lift transition-[height] group-data-dragging/sheet:transition-none"
      >
        <div
          onPointerDown={press}
          onClickCapture={(event) => {
            // A click caused by a key press (`detail` is 0) doesn't end a drag.
            if (!wasDragged.current || event.detail === 0) return
            wasDragged.current = false
            event.preventDefault()
            event.stopPropagation()
          }}
          className="h-20 shrink-0 cursor-grab touch-none select-none group-data-dragging/sheet:cursor-grabbing"
        >
          <button
            type="button"
            aria-label={stopNames[nextStop(stop)]}
            onClick={() => onStop(nextStop(stop))}
            onKeyDown={moveByKey}
            className="grid h-7 w-full cursor-[inherit] place-items-center rounded-t-card focus-visible:-outline-offset-3"
          >
            <span aria-hidden="true" className="h-1 w-10 rounded-full bg-edge" />
          </button>
          {header}
        </div>
        <div
          ref={scroller}
          data-scroll-restoration-id={scrollId}
          // At the lowest stop, the list is out of sight.
          inert={stop === 'peek'}
          className="min-h-0 flex-1 overflow-y-auto"
        >
          {children}
        </div>
      </section>
    </div>
  )
}
