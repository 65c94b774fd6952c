import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useRef,
} from 'react'
import { cx } from './cx.ts'
import { pixelsOf, restingStop, type SheetStop, sheetStops, stopAfter, stopBeside, stopHeights } from './sheet-stops.ts'

type BottomSheetProps = {
  /** Accessible name of the sheet. */
  label: string
  stop: SheetStop
  onStop: (stop: SheetStop) => void
  /** The action that leads to a stop: "Show the full list". */
  stopNames: Record<SheetStop, string>
  /** Always visible. */
  header: ReactNode
  /** What the sheet covers. `--covered-below` is the sheet's height there. */
  behind: ReactNode
  children: ReactNode
  /** The element that scrolls. Its position survives changes of the stop and, by `scrollId`, Back. */
  scroller: RefObject<HTMLDivElement | null>
  scrollId: string
  className?: string
}

/** Pixels of movement from which a press is a drag. */
const dragFrom = 6
/** After a longer pause in milliseconds, the pointer's earlier speed no longer counts. */
const restMs = 80

type Drag = { startY: number; startHeight: number; isMoving: boolean; lastY: number; lastTime: number; speed: number }

/**
 * A sheet over other content, such as a list over a map, with three stops. Its header drags it; its handle is a button that goes to the
 * next stop, and arrow keys move it. Not modal: what isn't covered stays usable. Fills its parent.
 */
export function BottomSheet(props: BottomSheetProps) {
  const { label, stop, onStop, stopNames, header, behind, children, scroller, scrollId, className } = props
  const container = useRef<HTMLDivElement>(null)
  const wasDragged = useRef(false)

  /** Follows the pointer without rendering. React sets the height again only for another stop. */
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
    // A fast pointer has left the handle before its first move.
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
    // The browser would drag the link that the sheet moved under the pressed point, which cancels the pointer.
    window.addEventListener('dragstart', (other) => other.preventDefault(), { signal })
  }

  function move(event: PointerEvent, current: Drag, handle: HTMLElement) {
    const { clientY: y, timeStamp } = event
    if (!current.isMoving) {
      if (Math.abs(y - current.startY) < dragFrom) return
      current.isMoving = true
      // Don't capture earlier: the click of a captured press wouldn't reach the button under it.
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
            // Key presses click without a preceding drag.
            if (!wasDragged.current || event.detail === 0) return
            wasDragged.current = false
            event.preventDefault()
            event.stopPropagation()
          }}
          className="h-20 shrink-0 cursor-grab touch-none select-none group-data-dragging/sheet:cursor-grabbing"
        >
          <button
            type="button"
            aria-label={stopNames[stopAfter(stop)]}
            onClick={() => onStop(stopAfter(stop))}
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
          // The list is out of sight.
          inert={stop === 'peek'}
          className="min-h-0 flex-1 overflow-y-auto"
        >
          {children}
        </div>
      </section>
    </div>
  )
}
