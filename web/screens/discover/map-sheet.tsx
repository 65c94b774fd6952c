import { useQuery } from '@tanstack/react-query'
import { List } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { BusinessCard, BusinessCardSkeleton } from '#web/entities/businesses/business-card.tsx'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { change, listQuery } from '#web/entities/directory/discover-search.ts'
import type { BusinessMapProps, MapPin } from '#web/entities/map/index.tsx'
import { BottomSheet } from '#web/ui/bottom-sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { type SheetStop, stopHeights } from '#web/ui/sheet-stops.ts'

type MapPlace = Required<Pick<BusinessMapProps, 'covered' | 'cards' | 'onGroup' | 'onSelect'>>

type MapSheetProps = {
  search: DiscoverSearch
  /** The business whose pin was pressed. */
  selected: MapPin | null
  /** The loaded results. */
  listed: readonly BusinessSummary[]
  status: ReactNode
  results: ReactNode
  map: (place: { [Key in keyof MapPlace]: NonNullable<MapPlace[Key]> }) => ReactNode
  onSearch: (search: DiscoverSearch, options?: { replace: boolean }) => void
}

const stopNames: Record<SheetStop, string> = { peek: 'Show the map', half: 'Show map and list', full: 'Show the list' }

/**
 * The map with the results as a sheet over it, for phones. A pressed pin shows its card in the sheet; scrolling there doesn't move the map.
 */
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

  // New results start at the top; the first ones stay where Back left them.
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
        // Behind the whole list, the map stays as it was.
        covered: stopHeights[stop === 'full' ? 'half' : stop],
        cards: 'groups',
        onSelect: (pin) => pin && setStop('half'),
        // The names of the group open on the map.
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
