import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { List, Map as MapIcon } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { businessListOptions } from '../businesses/businesses.api.ts'
import { summaryOptions } from './directory.api.ts'
import { DiscoverMap } from './discover-map.tsx'
import type { DiscoverSearch } from './discover-params.ts'
import { change, listQuery, withPlace } from './discover-search.ts'
import { FilterBar } from './filter-bar.tsx'
import { countSentence, discoverHeading, rankingSentence } from './result-words.ts'
import { Results } from './results.tsx'
import { SearchFields } from './search-fields.tsx'
import { useIsWide } from './use-is-wide.ts'

type DiscoverScreenProps = {
  search: DiscoverSearch
  /** Writes the address. `replace` is for typing, which must not fill the history. */
  onSearch: (search: DiscoverSearch, options?: { replace: boolean }) => void
}

/** The directory: a list and a map of the same search, side by side where there is room. */
export function DiscoverScreen({ search, onSearch }: DiscoverScreenProps) {
  const isWide = useIsWide()
  const showsMap = search.view === 'map'
  const list = useInfiniteQuery({ ...businessListOptions(listQuery(search)), placeholderData: (previous) => previous })
  const summary = useQuery(summaryOptions(search))
  const found = summary.data ?? null
  const unit = useUnits().distance
  const [pointedInList, setPointedInList] = useState<string | null>(null)
  const [pointedOnMap, setPointedOnMap] = useState<string | null>(null)
  const [selectedId, setSelectedId] = useState<string | null>(null)

  const hasResults = (list.data?.pages[0]?.items.length ?? 0) > 0
  const placeError = list.error instanceof ApiError ? (list.error.fields.near ?? null) : null
  const select = (id: string | null) => {
    setSelectedId(id)
    if (id && isWide) document.getElementById(`business-${id}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <div className="mx-auto grid max-w-page items-start gap-x-7 px-4 pt-6 pb-12 sm:px-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
      <div className="min-w-0">
        <h1 className="text-2xl sm:text-3xl">{discoverHeading(search, found)}</h1>
        <p role="status" className="mt-1.5 min-h-[1.5em] text-[0.9375rem] text-muted">
          {found && `${countSentence(search, found, unit)} `}
          {/* The map of a phone needs the room, and shows no ranks. */}
          <span className={cx(showsMap && 'max-lg:hidden')}>{rankingSentence(search)}</span>
        </p>
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4">
          <SearchFields
            text={search.search ?? ''}
            near={search.near ?? ''}
            placeError={placeError}
            onText={(text) => onSearch(change(search, { search: text || undefined }), { replace: true })}
            onPlace={(near) => onSearch(withPlace(search, near || undefined))}
          />
          <FilterBar search={search} hasCenter={Boolean(found?.place?.radiusMiles)} onChange={onSearch} />
        </div>
        <div className={cx('mt-5', showsMap && 'max-lg:hidden')}>
          <Results
            search={search}
            list={list}
            found={found}
            markedIds={[pointedOnMap, selectedId]}
            onPointed={setPointedInList}
            onSearch={onSearch}
          />
        </div>
      </div>
      {(isWide || showsMap) && (
        <div
          className={cx(
            'overflow-clip rounded-card border border-line max-lg:mt-5 max-lg:h-[max(22rem,calc(100dvh-21rem))] lg:sticky lg:top-20 lg:h-[calc(100dvh-7rem)] lg:min-h-80',
          )}
        >
          <DiscoverMap
            search={search}
            summary={summary.isPlaceholderData ? null : found}
            hasFailed={summary.isError && placeError === null}
            hoveredId={pointedInList}
            selectedId={selectedId}
            onHover={setPointedOnMap}
            onSelect={select}
            onSearch={onSearch}
            onRetry={() => void summary.refetch()}
          />
        </div>
      )}
      {(showsMap || hasResults) && (
        <ViewToggle showsMap={showsMap} onToggle={() => onSearch(change(search, { view: showsMap ? undefined : 'map' }))} />
      )}
    </div>
  )
}

/** On a narrow screen, list or map; afloat within the thumb's reach. */
function ViewToggle({ showsMap, onToggle }: { showsMap: boolean; onToggle: () => void }) {
  return (
    <div className="pointer-events-none sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom)+1rem)] z-20 mt-6 flex justify-center md:bottom-6 lg:hidden">
      <Button
        className="pointer-events-auto rounded-full! px-5 shadow-lift"
        onClick={() => {
          onToggle()
          window.scrollTo({ top: 0 })
        }}
      >
        {showsMap ? <List aria-hidden="true" /> : <MapIcon aria-hidden="true" />}
        {showsMap ? 'List' : 'Map'}
      </Button>
    </div>
  )
}
