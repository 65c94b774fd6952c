import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Map as MapIcon, RotateCw } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { businessListOptions } from '#web/entities/businesses/businesses.api.ts'
import {
  fewPins,
  type PinWindow,
  pinsOptions,
  pinWindow,
  type Summary,
  summaryOptions,
  windowWithin,
} from '#web/entities/directory/directory.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { areaBox, change, listQuery, mapFilters, textToFind, withArea, withPlace } from '#web/entities/directory/discover-search.ts'
import { SearchFields } from '#web/entities/directory/search-fields.tsx'
import {
  BusinessMap,
  type BusinessMapProps,
  isBusiness,
  type MapArea,
  type MapBox,
  type MapPin,
  type MapTarget,
} from '#web/entities/map/index.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { boot } from '#web/lib/boot.ts'
import { useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FilterBar } from './filter-bar.tsx'
import { countSentence, discoverHeading, Results, rankingSentence } from './results.tsx'

// Most visits don't need these, so they aren't part of the first load.
const MapSheet = lazy(async () => ({ default: (await import('./map-sheet.tsx')).MapSheet }))
const ShopsWithProducts = lazy(async () => ({ default: (await import('./shops-with-products.tsx')).ShopsWithProducts }))

type DiscoverScreenProps = {
  search: DiscoverSearch
  /** Typing uses `replace`, so it doesn't fill the history. */
  onSearch: (search: DiscoverSearch, options?: { replace: boolean }) => void
}

export function DiscoverScreen({ search, onSearch }: DiscoverScreenProps) {
  const isWide = useIsWide()
  const showsMap = search.view === 'map'
  const list = useInfiniteQuery({ ...businessListOptions(listQuery(search)), placeholderData: (previous) => previous })
  const summary = useQuery(summaryOptions(search))
  const found = summary.data ?? null
  const unit = useUnits().distance
  const [pointedInList, setPointedInList] = useState<string | null>(null)
  const [pointedOnMap, setPointedOnMap] = useState<string | null>(null)
  const [selected, setSelected] = useState<MapPin | null>(null)
  const selectedId = selected?.id ?? null
  const isSheet = showsMap && !isWide

  const hasResults = (list.data?.pages[0]?.items.length ?? 0) > 0
  const isEmpty = list.data !== undefined && !list.isPlaceholderData && !hasResults
  const placeError = list.error instanceof ApiError ? (list.error.fields.near ?? null) : null

  const status = (
    <p role="status" className={cx('text-sm text-muted', isSheet ? 'line-clamp-2' : 'min-h-[1.5em] sm:mt-1.5 sm:text-[0.9375rem]')}>
      {found && `${countSentence(search, found, unit)} `}
      <span className={cx('max-sm:hidden', isSheet && 'hidden')}>{rankingSentence(search, found)}</span>
    </p>
  )
  const businesses = (
    <Results
      search={search}
      list={list}
      found={found}
      markedIds={[pointedOnMap, selectedId]}
      onPointed={setPointedInList}
      onSearch={onSearch}
    />
  )
  const results =
    isEmpty && search.search ? (
      <Suspense fallback={businesses}>
        <ShopsWithProducts search={search} emptyList={businesses} />
      </Suspense>
    ) : (
      businesses
    )
  const map: DiscoverMapProps = {
    search,
    summary: summary.isPlaceholderData ? null : found,
    hasFailed: summary.isError && placeError === null,
    hoveredId: pointedInList,
    selectedId,
    onHover: setPointedOnMap,
    onSelect: setSelected,
    onSearch,
    onRetry: () => void summary.refetch(),
  }

  return (
    <div
      className={cx(
        'mx-auto max-w-page px-4 sm:px-6',
        isSheet
          ? 'flex min-h-[calc(100dvh-4rem)] flex-col pt-3 max-md:min-h-[calc(100dvh-7.5rem-env(safe-area-inset-bottom))]'
          : 'grid items-start gap-x-7 pt-4 pb-12 sm:pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]',
      )}
    >
      <div className="min-w-0">
        <h1 className={isSheet ? 'sr-only' : 'text-xl sm:text-3xl'}>{discoverHeading(search, found)}</h1>
        {!isSheet && status}
        <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-3', !isSheet && 'mt-3 sm:mt-5 sm:gap-4')}>
          <SearchFields
            of="Businesses"
            label="Name or keyword"
            name="search"
            text={search.search ?? ''}
            near={search.near ?? ''}
            placeError={placeError}
            onText={(text) => onSearch(change(search, { search: text || undefined }), { replace: true })}
            onPlace={(near, text) => onSearch(withPlace(change(search, { search: text || undefined }), near || undefined))}
          />
          <FilterBar search={search} radiusMiles={found?.place?.radiusMiles ?? null} onChange={onSearch} />
        </div>
        {!isSheet && (
          <>
            {search.search && !isEmpty && (
              <Suspense fallback={null}>
                <ShopsWithProducts search={search} />
              </Suspense>
            )}
            <div className="mt-4 sm:mt-5">{results}</div>
          </>
        )}
      </div>
      {isSheet ? (
        <Suspense fallback={<div className="-mx-4 mt-3 min-h-88 flex-1 border-line border-t bg-sunk sm:-mx-6" />}>
          <MapSheet
            search={search}
            selected={selected}
            listed={list.data?.pages.flatMap(({ items }) => items) ?? noBusinesses}
            status={status}
            results={results}
            map={(place) => (
              <DiscoverMap
                {...map}
                {...place}
                onSelect={(pin) => {
                  setSelected(pin)
                  place.onSelect(pin)
                }}
              />
            )}
            onSearch={onSearch}
          />
        </Suspense>
      ) : (
        isWide && (
          <div className="sticky top-20 h-[calc(100dvh-7rem)] min-h-80 overflow-clip rounded-card border border-line">
            <DiscoverMap
              {...map}
              onSelect={(pin) => {
                setSelected(pin)
                if (pin) document.getElementById(`business-${pin.id}`)?.scrollIntoView({ block: 'nearest' })
              }}
            />
          </div>
        )
      )}
      {!showsMap && hasResults && (
        <MapButton
          onClick={() => {
            onSearch(change(search, { view: 'map' }))
            window.scrollTo({ top: 0 })
          }}
        />
      )}
    </div>
  )
}

const noBusinesses: never[] = []

const MapButton = ({ onClick }: { onClick: () => void }) => (
  <div className="pointer-events-none sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom)+1rem)] z-20 mt-6 flex justify-center md:bottom-6 lg:hidden">
    <Button className="pointer-events-auto rounded-full! px-5 shadow-lift" onClick={onClick}>
      <MapIcon aria-hidden="true" />
      Map
    </Button>
  </div>
)

type DiscoverMapProps = {
  search: DiscoverSearch
  summary: Summary | null
  hasFailed: boolean
  hoveredId: string | null
  selectedId: string | null
  onHover: (id: string | null) => void
  onSelect: (pin: MapPin | null) => void
  onSearch: (search: DiscoverSearch) => void
  onRetry: () => void
} & Pick<BusinessMapProps, 'covered' | 'cards' | 'onGroup'>

const tiles = { url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }
const noPins: MapPin[] = []

function DiscoverMap({ search, summary, hasFailed, onHover, onSearch, onRetry, ...map }: DiscoverMapProps) {
  const navigate = useNavigate()
  const [area, setArea] = useState<MapArea | null>(null)
  const [hasMoved, setHasMoved] = useState(false)
  /** The last area searched from this map. It's on screen, so the map must not move. */
  const [ownArea, setOwnArea] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ filters: string; window: PinWindow } | null>(null)
  const filters = JSON.stringify(mapFilters(search))
  // With other filters, the earlier window may not have all pins.
  const window = area && (asked?.filters === filters ? asked.window : pinWindow(area))
  const total = summary?.total ?? Number.POSITIVE_INFINITY
  const pinsQuery = pinsOptions(search, total, window)
  const pins = useQuery({ ...pinsQuery, enabled: summary !== null && pinsQuery.enabled === true })
  const isSettled = !pins.isPlaceholderData && pins.data !== undefined
  const target = search.area && search.area === ownArea ? undefined : mapTarget(search, summary, isSettled ? pins.data.pins : noPins)

  const searchHere = () => {
    if (!area) return
    const next = withArea(search, area, textToFind(search, summary?.place))
    setOwnArea(next.area ?? null)
    setHasMoved(false)
    onSearch(next)
  }

  return (
    <div className="relative size-full">
      <BusinessMap
        {...map}
        pins={pins.data?.pins ?? noPins}
        target={target}
        tiles={tiles}
        onAreaChange={(next) => {
          setArea(next)
          setAsked({
            filters,
            window: window && isSettled && pins.data.pins.every(isBusiness) ? windowWithin(window, next) : pinWindow(next),
          })
          setHasMoved(next.byPerson)
        }}
        onHover={(pin) => onHover(pin?.id ?? null)}
        onNavigate={(href) => void navigate({ to: href })}
      />
      {hasMoved && (
        <Button
          variant="secondary"
          size="sm"
          onClick={searchHere}
          className="absolute! top-3 left-1/2 z-3 -translate-x-1/2 animate-appear rounded-full! bg-raised shadow-lift max-[24rem]:top-24 max-[24rem]:w-max"
        >
          <RotateCw aria-hidden="true" />
          Search this area
        </Button>
      )}
      {(pins.isError || hasFailed) && (
        <p
          role="alert"
          className="absolute inset-x-3 bottom-[calc(var(--covered-below,0px)+2.25rem)] z-3 rounded-input border border-line bg-raised px-3 py-2 text-sm shadow-lift"
        >
          The businesses couldn’t be shown on the map.{' '}
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

/** The list and the map are side by side at this width (Tailwind's `lg`) or more. */
const wide = typeof window === 'undefined' ? null : window.matchMedia('(min-width: 64rem)')

function subscribe(listener: () => void) {
  wide?.addEventListener('change', listener)
  return () => wide?.removeEventListener('change', listener)
}

/** The server assumes a phone, which shows only the list. */
const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => wide?.matches ?? false,
    () => false,
  )

const milesPerDegree = 69

/**
 * The map moves to the search's area, to the surroundings of its place, to its results if they are few, or to its state. Undefined means
 * that it doesn't move.
 */
export function mapTarget({ area }: Pick<DiscoverSearch, 'area'>, summary: Summary | null, pins: readonly MapPin[]): MapTarget | undefined {
  if (area) return areaBox(area)
  if (!summary) return undefined
  const { place, total } = summary
  if (place?.radiusMiles) return around(place, place.radiusMiles)
  if (total <= fewPins && pins.length > 0) return boxOf(pins)
  return place ? { latitude: place.latitude, longitude: place.longitude, zoom: 5.5 } : undefined
}

function around({ latitude, longitude }: { latitude: number; longitude: number }, miles: number): MapBox {
  const height = miles / milesPerDegree
  const width = height / Math.cos((latitude * Math.PI) / 180)
  return { west: longitude - width, south: latitude - height, east: longitude + width, north: latitude + height }
}

/** Never smaller than a town. */
function boxOf(pins: readonly MapPin[]): MapBox {
  const latitudes = pins.map(({ latitude }) => latitude)
  const longitudes = pins.map(({ longitude }) => longitude)
  const margin = 0.05
  return {
    west: Math.min(...longitudes) - margin,
    south: Math.min(...latitudes) - margin,
    east: Math.max(...longitudes) + margin,
    north: Math.max(...latitudes) + margin,
  }
}
