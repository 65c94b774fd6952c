import { X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import type { PinGroup } from './map-view.ts'
import { byName } from './pin-features.ts'
import type { ShownPin } from './types.ts'

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

  // The card isn't adjacent to the map in the DOM, so move the focus into it.
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
  return (
    <p className={cx('text-muted', className)}>
      {type && businessTypeLabels[type]}
      {type && isOpen !== null && ' · '}
      {isOpen !== null && (
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
