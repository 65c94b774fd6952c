import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BusinessSort, BusinessSummary } from '#contracts/businesses.ts'
import { BusinessCard, BusinessCardSkeleton } from '#web/entities/businesses/business-card.tsx'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { nextOpeningOptions, type Summary } from '#web/entities/directory/directory.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import {
  change,
  isNarrowed,
  isPoint,
  radiusChoices,
  radiusOf,
  sortOf,
  textToFind,
  withoutFilters,
  withPlace,
} from '#web/entities/directory/discover-search.ts'
import { PlaceNotFound } from '#web/entities/directory/search-fields.tsx'
import { openWords } from '#web/entities/locations/hours-words.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { stateName } from '#web/lib/state-names.ts'
import { formatRadius, type Units, useUnits } from '#web/lib/units.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

type ResultsProps = {
  search: DiscoverSearch
  list: UseInfiniteQueryResult<InfiniteData<ListPage<BusinessSummary>>>
  found: Summary | null
  markedIds: readonly (string | null)[]
  onPointed: (id: string | null) => void
  onSearch: (search: DiscoverSearch) => void
}

const grid = 'grid gap-2.5 sm:grid-cols-2 sm:gap-5'

export function Results({ search, list, found, markedIds, onPointed, onSearch }: ResultsProps) {
  if (list.isPending) {
    return (
      <SkeletonGroup label="Loading businesses..." className={grid}>
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <BusinessCardSkeleton key={card} compact />
        ))}
      </SkeletonGroup>
    )
  }
  if (list.isError && !list.data)
    return <Failed search={search} error={list.error} onRetry={() => void list.refetch()} onSearch={onSearch} />
  const businesses = list.data.pages.flatMap(({ items }) => items)
  if (businesses.length === 0) return <Empty search={search} found={found} onSearch={onSearch} />
  return (
    <>
      {/* Dimmed while loading, because these results are from the previous search. */}
      <ul aria-busy={list.isPlaceholderData} className={cx(grid, 'transition-opacity', list.isPlaceholderData && 'opacity-60')}>
        {businesses.map((business) => (
          <li key={business.id} className="min-w-0">
            <BusinessCard
              business={business}
              level={2}
              compact
              isMarked={markedIds.includes(business.id)}
              onPointed={(isPointed) => onPointed(isPointed ? business.id : null)}
            />
          </li>
        ))}
      </ul>
      {businesses.length >= loadMoreFrom && (list.hasNextPage ? <MorePages list={list} /> : <Complete count={businesses.length} />)}
    </>
  )
}

/** Shorter lists don't have Load More. */
const loadMoreFrom = 8

const Complete = ({ count }: { count: number }) => (
  <div className="grid justify-items-center gap-2 pt-6">
    <Button variant="secondary" disabled aria-describedby="list-end">
      Load More
    </Button>
    <p id="list-end" className="text-muted text-sm">
      You’ve seen all {formatNumber(count)} businesses.
    </p>
  </div>
)

type NowhereProps = { search: DiscoverSearch; onSearch: (search: DiscoverSearch) => void }

function Empty({ search, found, onSearch }: NowhereProps & { found: Summary | null }) {
  const radius = found?.place?.radiusMiles ?? radiusOf(search)
  const unit = useUnits().distance
  const wider = search.near && found?.place?.radiusMiles ? radiusChoices.find((miles) => miles > radius) : undefined
  return (
    <EmptyState
      title="No businesses found"
      description={
        <>
          {emptyAdvice(search, found)} {search.open && <NextOpening search={search} />}
        </>
      }
    >
      {search.open && <Button onClick={() => onSearch(change(search, { open: undefined }))}>Include closed businesses</Button>}
      {wider && (
        <Button variant={search.open ? 'secondary' : 'primary'} onClick={() => onSearch(change(search, { radius: wider }))}>
          Search within {formatRadius(wider, unit)}
        </Button>
      )}
      {isNarrowed(search) && (
        <Button variant={search.open || wider ? 'secondary' : 'primary'} onClick={() => onSearch(withoutFilters(search))}>
          Clear filters
        </Button>
      )}
      {/* The list matches text literally, but the search tolerates typos and looks beyond businesses. */}
      {search.search && (
        <Button asChild variant="secondary">
          <Link to="/search" search={{ q: search.search }}>
            Search everything
          </Link>
        </Button>
      )}
    </EmptyState>
  )
}

function NextOpening({ search }: { search: DiscoverSearch }) {
  const now = new Date(useNow())
  const slug = useQuery(nextOpeningOptions(search)).data ?? ''
  const { data: business } = useQuery({ ...businessOptions(slug), enabled: slug !== '' })
  const change = business?.timeZone ? openWords({ openNow: business.openNow, timeZone: business.timeZone }, now)?.change : null
  if (!business || !change?.startsWith('opens ')) return null
  return (
    <>
      Next to open:{' '}
      <Link to="/business/$id" params={{ id: business.slug }} className={textLink}>
        {business.name}
      </Link>
      , {change.replace('opens ', '')}.
    </>
  )
}

function Failed({ search, error, onRetry, onSearch }: NowhereProps & { error: Error; onRetry: () => void }) {
  const fields = error instanceof ApiError ? error.fields : {}
  if (fields.near) {
    return (
      <PlaceNotFound near={search.near}>
        <Button onClick={() => onSearch(withPlace(search, undefined))}>Search everywhere</Button>
      </PlaceNotFound>
    )
  }
  if (fields.sort) {
    return (
      <EmptyState title="No distance to sort by" description={fields.sort}>
        <Button onClick={() => onSearch(change(search, { sort: undefined }))}>Sort by Highest Rated</Button>
      </EmptyState>
    )
  }
  return <ErrorState title="The list couldn’t be loaded" description={messageOf(error)} onRetry={onRetry} />
}

type Place = { label: string; radiusMiles: number | null; otherText: string }
type Found = { total: number; place: Place | null }

/** "Near Denver, CO" if the search names a place. `found` is null while loading. */
export function discoverHeading({ near, area }: DiscoverSearch, found: Found | null): string {
  if (area) return 'Discover'
  if (isPoint(near)) return 'Near your location'
  if (found?.place) return `${found.place.radiusMiles === null ? 'In' : 'Near'} ${found.place.label}`
  // Suggested places have the server's format.
  return !found && near && /, [A-Z]{2}$/.test(near) ? `Near ${near}` : 'Discover'
}

const rankings: Record<BusinessSort, string> = {
  highest_rated: 'Ranked by rating, then license.',
  distance: 'Nearest first.',
  name: 'In alphabetical order.',
  newest: 'Newest first.',
}

/**
 * "214 businesses within 25 miles.", or "Fewer than ten businesses within 50 miles, so here are 12 within 250 miles." if the radius grew.
 */
export function countSentence(search: DiscoverSearch, { total, place }: Found, unit: Units['distance']): string {
  const text = textToFind(search, place)
  const matching = text ? ` ${total === 1 ? 'matches' : 'match'} “${text}”` : ''
  const asked = radiusOf(search)
  if (total === 0 && search.open) return `${noneOpen(search, text, locationPhrase(search, place, unit))}.`
  if (total === 0 && matching) return `No business name or description matches “${text}”${locationPhrase(search, place, unit)}.`
  if (search.near && total > 0 && place?.radiusMiles && place.radiusMiles > asked) {
    const found = `${formatNumber(total)} within ${formatRadius(place.radiusMiles, unit)}`
    const conditions = [search.search && 'match', search.open && 'are known to be open now'].filter(Boolean).join(' and ')
    return `Fewer than ten businesses${conditions && ` ${conditions}`} within ${formatRadius(asked, unit)}, so here ${total === 1 ? 'is' : 'are'} ${found}.`
  }
  return `${formatNumber(total)} ${total === 1 ? 'business' : 'businesses'}${matching}${locationPhrase(search, place, unit)}.`
}

/** `where` starts with a space, unless it's empty. */
function noneOpen({ type, verified }: DiscoverSearch, text: string | undefined, where: string): string {
  const filters = type || verified ? ' that matches these filters' : ''
  return `No business${text ? ` that matches “${text}”` : filters}${where} is known to be open now`
}

function locationPhrase({ area, state }: DiscoverSearch, place: Place | null, unit: Units['distance']): string {
  if (area) return ' in this map area'
  if (place?.radiusMiles) return ` within ${formatRadius(place.radiusMiles, unit)}`
  return state ? ` in ${stateName(state)}` : ''
}

/** Only a place with a radius has a center to measure from. */
export function rankingSentence(search: DiscoverSearch, found: Found | null): string {
  const sort = sortOf(search)
  return sort === 'highest_rated' && found?.place?.radiusMiles ? 'Ranked by rating, then license, then distance.' : rankings[sort]
}

/** Doesn't repeat the sentence above the list, which says what was searched for. */
export function emptyAdvice(search: DiscoverSearch, found: Found | null): string | undefined {
  const text = textToFind(search, found?.place)
  if (search.open) return 'Many listings don’t have hours.'
  if (text) return 'Check the spelling or try fewer words.'
  const advice = [
    ...(search.type || search.verified || search.state ? ['fewer filters'] : []),
    ...(search.near || search.area || found?.place ? ['a larger area'] : []),
  ]
  return advice.length > 0 ? `Try ${advice.join(' or ')}.` : undefined
}
