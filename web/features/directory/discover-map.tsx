import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { boot } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { BusinessMap, isBusiness, type MapArea, type MapPin } from '../map/index.tsx'
import { pinsOptions, type Summary } from './directory.api.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { mapFilters, withArea } from './discover-search.ts'
import { mapTarget } from './map-target.ts'
import { fewPins, type PinWindow, pinWindow, windowWithin } from './pin-window.ts'

type DiscoverMapProps = {
  search: DiscoverSearch
  /** Null until the server has answered. */
  summary: Summary | null
  /** The summary will not come. */
  hasFailed: boolean
  hoveredId: string | null
  selectedId: string | null
  onHover: (id: string | null) => void
  onSelect: (id: string | null) => void
  onSearch: (search: DiscoverSearch) => void
  onRetry: () => void
}

const tiles = { url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }
const noPins: MapPin[] = []

/** The pins of the search; moved by a person, it offers to search what it shows. */
export function DiscoverMap({ search, summary, hasFailed, hoveredId, selectedId, onHover, onSelect, onSearch, onRetry }: DiscoverMapProps) {
  const navigate = useNavigate()
  const [area, setArea] = useState<MapArea | null>(null)
  const [hasMoved, setHasMoved] = useState(false)
  /** The area that was searched from this map: it stands where it is. */
  const [ownArea, setOwnArea] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ filters: string; window: PinWindow } | null>(null)
  const filters = JSON.stringify(mapFilters(search))
  // Other filters find others: what was wide enough to hold all of the former may be too wide for these.
  const window = area && (asked?.filters === filters ? asked.window : pinWindow(area))
  const total = summary?.total ?? Number.POSITIVE_INFINITY
  const pins = useQuery({ ...pinsOptions(search, total, window), enabled: summary !== null && (total <= fewPins || window !== null) })
  const isSettled = !pins.isPlaceholderData && pins.data !== undefined
  const target = search.area && search.area === ownArea ? undefined : mapTarget(search, summary, isSettled ? pins.data.pins : noPins)

  const searchHere = () => {
    if (!area) return
    const next = withArea(search, area, Boolean(summary?.place) && !search.near)
    setOwnArea(next.area ?? null)
    setHasMoved(false)
    onSearch(next)
  }

  return (
    <div className="relative size-full">
      <BusinessMap
        pins={pins.data?.pins ?? noPins}
        target={target}
        hoveredId={hoveredId}
        selectedId={selectedId}
        tiles={tiles}
        onAreaChange={(next) => {
          setArea(next)
          setAsked({
            filters,
            window: window && isSettled && pins.data.pins.every(isBusiness) ? windowWithin(window, next) : pinWindow(next),
          })
          setHasMoved(next.byPerson)
        }}
        onSelect={(pin) => onSelect(pin?.id ?? null)}
        onHover={(pin) => onHover(pin?.id ?? null)}
        onNavigate={(href) => void navigate({ to: href })}
      />
      {hasMoved && (
        <Button
          variant="secondary"
          size="sm"
          onClick={searchHere}
          className="absolute! top-3 left-1/2 z-3 -translate-x-1/2 animate-appear rounded-full! bg-raised shadow-lift"
        >
          <RotateCw aria-hidden="true" />
          Search this area
        </Button>
      )}
      {(pins.isError || hasFailed) && (
        <p
          role="alert"
          className="absolute inset-x-3 bottom-9 z-3 rounded-input border border-line bg-raised px-3 py-2 text-sm shadow-lift"
        >
          The places could not be put on the map.{' '}
          <button
            type="button"
            className="font-medium text-leaf underline underline-offset-3"
            onClick={() => (hasFailed ? onRetry() : void pins.refetch())}
          >
            Retry
          </button>
        </p>
      )}
    </div>
  )
}
