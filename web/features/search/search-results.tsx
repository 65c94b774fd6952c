import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SearchFacets, SearchHit } from '../../../contracts/search.ts'
import { messageOf } from '../../lib/api-error.ts'
import type { ListPage } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { SkeletonGroup } from '../../ui/skeleton.tsx'
import { countText, sum } from './counts.ts'
import { kinds } from './kinds.ts'
import { ResultRow, ResultRowSkeleton } from './result-row.tsx'
import { change, isFiltered, type SearchAddress } from './search-address.ts'
import { withoutFilters } from './search-filters.tsx'

type SearchResultsProps = {
  address: SearchAddress & { q: string }
  list: UseInfiniteQueryResult<InfiniteData<ListPage<SearchHit>>>
  facets: SearchFacets | undefined
  placeError: string | null
  onAddress: (address: SearchAddress) => void
  /** A result was followed. */
  onFollow: () => void
}

export function SearchResults({ address, list, facets, placeError, onAddress, onFollow }: SearchResultsProps) {
  if (list.isPending) {
    return (
      <Card>
        <SkeletonGroup label="Searching..." className="divide-y divide-line">
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <ResultRowSkeleton key={row} />
          ))}
        </SkeletonGroup>
      </Card>
    )
  }
  if (placeError) {
    return (
      <EmptyState title="We do not know this place" description={`“${address.place}” is not a city, state or ZIP code that we know.`}>
        <Button onClick={() => onAddress(change(address, { place: undefined, radius: undefined }))}>Search everywhere</Button>
      </EmptyState>
    )
  }
  if (!list.data || (list.isError && list.isPlaceholderData)) {
    return (
      <Card>
        <ErrorState
          title="The results could not be loaded"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      </Card>
    )
  }
  const hits = list.data.pages.flatMap(({ items }) => items)
  if (hits.length === 0) return <Nothing address={address} facets={facets} onAddress={onAddress} />
  return (
    <>
      <Card asChild className="overflow-clip">
        {/* What is shown while the next answer is on its way belongs to the search before. */}
        <ul
          aria-busy={list.isPlaceholderData}
          className={cx('divide-y divide-line transition-opacity', list.isPlaceholderData && 'opacity-60')}
        >
          {hits.map((hit) => (
            <ResultRow key={`${hit.kind} ${hit.id}`} hit={hit} showsKind={address.kind === undefined} onFollow={onFollow} />
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </>
  )
}

type NothingProps = Pick<SearchResultsProps, 'address' | 'facets' | 'onAddress'>

/** Nothing fits: what may help, and where else to look. */
function Nothing({ address, facets, onAddress }: NothingProps) {
  const { q, kind } = address
  const elsewhere = kind && facets ? sum(facets.kinds.filter((each) => each.kind !== kind)) : { count: 0, isCapped: false }
  const what = kind ? `No ${kinds[kind].many.toLowerCase()} match` : 'Nothing matches'
  return (
    <EmptyState
      title="Nothing found"
      description={`${what} “${q}”${isFiltered(address) ? ' with these filters' : ''}. Try fewer or other words; small typos do not matter.`}
    >
      {isFiltered(address) && <Button onClick={() => onAddress(withoutFilters(address))}>Clear filters</Button>}
      {elsewhere.count > 0 && (
        <Button variant={isFiltered(address) ? 'secondary' : 'primary'} onClick={() => onAddress(change(address, { kind: undefined }))}>
          Show {countText(elsewhere)} of other kinds
        </Button>
      )}
      <Button asChild variant="secondary">
        <Link to="/discover">Discover</Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/communities">Communities</Link>
      </Button>
    </EmptyState>
  )
}
