import { Minus, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { pixelsOf } from '#web/ui/sheet-stops.ts'
import { MapMessage } from './map-message.tsx'
import { readPalette, watchPalette } from './map-style.ts'
import { createMapView, type MapView, type PinGroup } from './map-view.ts'
import { PinCard } from './pin-card.tsx'
import { pinsAt } from './pin-features.ts'
import type { BusinessMapProps, MapArea, ShownPin } from './types.ts'

/** The map itself. Use it through `index.ts`, which loads it on demand. Fills its parent. */
export default function BusinessMap({
  pins,
  target,
  selectedId = null,
  hoveredId = null,
  tiles,
  label = 'Map of businesses',
  covered = '0%',
  cards = 'all',
  onAreaChange,
  onSelect,
  onGroup,
  onHover,
  onNavigate,
  className,
}: BusinessMapProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<MapView>(null)
  const [state, setState] = useState<'starting' | 'shown' | 'unsupported'>('starting')
  const [card, setCard] = useState<{ group: PinGroup; element: HTMLElement } | null>(null)
  const [pointedAt, setPointedAt] = useState<ShownPin | null>(null)
  const descriptionId = useId()
  const now = useNow()
  const shown = useMemo(() => pinsAt(pins, now), [pins, now])

  const reportArea = useEffectEvent((area: MapArea) => onAreaChange?.(area))
  const pointAt = (pin: ShownPin | null) => {
    setPointedAt(pin)
    onHover?.(pin)
  }
  const reportHover = useEffectEvent(pointAt)
  const open = useEffectEvent((group: PinGroup) => {
    const single = group.pins.length === 1 ? group.pins[0]! : null
    if (single && cards === 'groups') closeCard()
    else {
      const element = view.current?.openPopup(group)
      if (element) setCard({ group, element })
    }
    onSelect?.(single)
    if (!single) onGroup?.()
  })
  const closeCard = () => {
    view.current?.closePopup()
    setCard(null)
    pointAt(null)
  }
  const close = () => {
    const hadFocus = card?.element.contains(document.activeElement) ?? false
    closeCard()
    onSelect?.(null)
    if (hadFocus) view.current?.focus()
  }
  const closeFromMap = useEffectEvent(() => (card || selectedId) && close())

  const pinWithId = useEffectEvent((id: string | null) => shown.find((pin) => pin.id === id))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made once; what changes is told to it below
  useEffect(() => {
    const element = container.current!
    try {
      view.current = createMapView(element, {
        palette: readPalette(element),
        target,
        covered: pixelsCovered(element, covered),
        tiles,
        label,
        descriptionId,
        onArea: reportArea,
        onPick: open,
        onPickNothing: closeFromMap,
        onHover: reportHover,
      })
    } catch (error) {
      console.warn('The map can’t be shown.', error)
      setState('unsupported')
      return
    }
    setState('shown')
    const stopWatching = watchPalette(() => view.current?.setPalette(readPalette(element)))
    return () => {
      stopWatching()
      setCard(null)
      view.current?.remove()
      view.current = null
    }
  }, [])

  useEffect(() => view.current?.setPins(shown), [shown])

  useEffect(() => {
    view.current?.setCovered(pixelsCovered(container.current!, covered))
    const pin = covered === '0%' ? undefined : pinWithId(selectedId)
    if (pin) view.current?.reveal(pin)
  }, [covered, selectedId])

  const targetKey = JSON.stringify(target)
  const shownTarget = useRef(targetKey)
  useEffect(() => {
    if (targetKey === undefined || targetKey === shownTarget.current) return
    shownTarget.current = targetKey
    view.current?.goTo(JSON.parse(targetKey))
  }, [targetKey])

  useEffect(() => {
    const find = (id: string | null) => (id === null ? null : (shown.find((pin) => pin.id === id) ?? null))
    view.current?.setMarked(find(selectedId), pointedAt ?? find(hoveredId))
  }, [shown, selectedId, hoveredId, pointedAt])

  if (state === 'unsupported') {
    return <MapMessage className={className}>This browser can’t show the map. The list has the same businesses.</MapMessage>
  }
  return (
    <section aria-label={label} className={cx('business-map relative isolate size-full overflow-clip bg-sunk', className)}>
      <p id={descriptionId} className="sr-only">
        Use the arrow keys to move the map, plus and minus to zoom, and Enter to open what’s at its center. The list has the same
        businesses.
      </p>
      <div ref={container} className="absolute inset-0" />
      <div
        aria-hidden="true"
        className="map-crosshair pointer-events-none absolute inset-x-0 top-0 bottom-(--covered-below,0px) grid place-items-center"
      >
        <div className="size-7 rounded-full border-2 border-focus" />
      </div>
      <div className="absolute top-3 right-3 z-2 flex flex-col overflow-clip rounded-input border border-line bg-surface shadow-lift">
        <ZoomButton label="Zoom in" onClick={() => view.current?.zoomBy(1)}>
          <Plus aria-hidden="true" />
        </ZoomButton>
        <ZoomButton label="Zoom out" onClick={() => view.current?.zoomBy(-1)}>
          <Minus aria-hidden="true" />
        </ZoomButton>
      </div>
      {shown.some(({ isOpen }) => isOpen !== null) && <Legend />}
      {card &&
        createPortal(
          <PinCard group={card.group} selectedId={selectedId} onClose={close} onHover={pointAt} onNavigate={onNavigate} />,
          card.element,
        )}
    </section>
  )
}

function pixelsCovered(container: HTMLElement, covered: string): number {
  return pixelsOf(covered, container.clientHeight, Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
}

/** Shows what the shapes of pins mean. Hidden from screen readers, because the list says it in words. */
function Legend() {
  return (
    <ul
      aria-hidden="true"
      className="pointer-events-none absolute top-3 left-3 z-1 grid gap-1 rounded-input border border-line bg-surface/90 px-2.5 py-1.5 text-ink text-xs shadow-lift"
    >
      <li className="flex items-center gap-2">
        <span className="grid size-4 place-items-center rounded-full border-[1.5px] border-leaf">
          <span className="size-2 rounded-full bg-leaf" />
        </span>
        Open
      </li>
      <li className="flex items-center gap-2">
        <span className="grid size-4 place-items-center">
          <span className="size-2.5 rounded-full border-2 border-muted bg-surface" />
        </span>
        Closed
      </li>
    </ul>
  )
}

function ZoomButton({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid size-9 place-items-center text-ink not-first:border-line not-first:border-t hover:bg-sunk focus-visible:-outline-offset-2 pointer-coarse:size-11 [&_svg]:size-4.5"
    >
      {children}
    </button>
  )
}
