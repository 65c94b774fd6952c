import { Minus, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { pixelsOf } from '#web/ui/sheet-stops.ts'
import { MapMessage } from './map-message.tsx'
import { readPalette, watchPalette } from './map-style.ts'
import { createMapView, type MapView, type PinGroup } from './map-view.ts'
import { byName, isBusiness, pinsAt } from './pin-features.ts'
import type { BusinessMapProps, MapArea, ShownPin } from './types.ts'

/** Fills its parent. Import it from `index.tsx`, which loads it on demand. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is created once; later changes are applied below
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
      {shown.some((pin) => pin.isOpen !== undefined && isBusiness(pin)) && <Legend />}
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

/** Hidden from screen readers, because the list has the same facts in text. */
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
      <li className="flex items-center gap-2">
        <span className="grid size-4 place-items-center">
          <span className="size-2 rounded-full bg-muted" />
        </span>
        No hours
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

type PinCardProps = {
  group: PinGroup
  selectedId: string | null
  onClose: () => void
  onHover: (pin: ShownPin | null) => void
  onNavigate: ((href: string) => void) | undefined
}

export function PinCard({ group, selectedId, onClose, onHover, onNavigate }: PinCardProps) {
  const box = useRef<HTMLDivElement>(null)
  const pins = byName(group.pins)
  const single = pins.length === 1 ? pins[0] : undefined
  const rest = group.total - pins.length
  const title = single ? undefined : `${formatNumber(group.total)} ${sharedSpot(pins)}`

  // The card isn't adjacent to the map in the DOM, so move focus into it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new group is a new card
  useEffect(() => box.current?.querySelector('a')?.focus({ preventScroll: true }), [group])

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    <div
      ref={box}
      role="dialog"
      aria-label={title ?? single?.name ?? undefined}
      onKeyDown={closeOnEscape}
      className="flex max-h-80 flex-col font-text"
    >
      <div className="flex items-start gap-1 py-1 pr-1 pl-4">
        {single ? (
          <div className="min-w-0 flex-1 py-2.5">
            <PinLink pin={single} onNavigate={onNavigate} className="text-base font-semibold text-pretty" />
            <PinFacts pin={single} className="mt-0.5 text-sm" />
            {roughly(single) && <p className="mt-1.5 text-xs text-muted">{roughly(single)}</p>}
          </div>
        ) : (
          <p className="min-w-0 flex-1 py-2 text-sm font-semibold">{title}</p>
        )}
        <IconButton label="Close" size="sm" onClick={onClose} className="mt-0.5">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {!single && (
        <ul aria-label={title} className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t">
          {pins.map((pin) => (
            <li
              key={pin.id}
              onPointerEnter={() => onHover(pin)}
              onPointerLeave={() => onHover(null)}
              className="relative border-line border-b px-4 py-2 last:border-b-0 hover:bg-sunk aria-[current]:bg-leaf-soft"
              aria-current={pin.id === selectedId || undefined}
            >
              <PinLink pin={pin} onNavigate={onNavigate} className="text-sm font-medium after:absolute after:inset-0" />
              <PinFacts pin={pin} className="text-xs" />
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <p className="border-line border-t px-4 py-2 text-xs text-muted">{`And ${formatNumber(rest)} more. Filter the list to see them.`}</p>
      )}
    </div>
  )
}

/** "Dispensary · Open now" */
function PinFacts({ pin: { type, isOpen }, className }: { pin: ShownPin; className: string }) {
  const areHoursKnown = typeof isOpen === 'boolean'
  return (
    <p className={cx('text-muted', className)}>
      {type && businessTypeLabels[type]}
      {type && areHoursKnown && ' · '}
      {areHoursKnown && (
        <span className={isOpen ? 'font-semibold text-leaf' : 'font-semibold text-clay'}>{isOpen ? 'Open now' : 'Closed'}</span>
      )}
    </p>
  )
}

function PinLink({ pin, onNavigate, className }: { pin: ShownPin; onNavigate: PinCardProps['onNavigate']; className: string }) {
  const href = `/business/${pin.slug}`
  const follow = (event: MouseEvent) => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!onNavigate || !plain) return
    event.preventDefault()
    onNavigate(href)
  }
  return (
    <a href={href} onClick={follow} className={`rounded-tag text-ink hover:underline hover:underline-offset-3 ${className}`}>
      {pin.name}
    </a>
  )
}

function sharedSpot(pins: readonly ShownPin[]): string {
  if (pins.every((pin) => pin.precision === 'city')) return 'businesses in this city'
  if (pins.every((pin) => pin.precision === 'zip')) return 'businesses in this ZIP code'
  return 'businesses at this spot'
}

function roughly({ precision }: ShownPin): string | null {
  if (precision === 'city') return 'Shown at the center of its city.'
  return precision === 'zip' ? 'Shown at the center of its ZIP code.' : null
}
