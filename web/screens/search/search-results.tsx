import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { distanceText } from '#web/entities/directory/distance-text.ts'
import type { ListPage } from '#web/lib/call.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { HitPicture, MarkedText } from './hit-picture.tsx'
import { change, isFiltered, type SearchAddress } from './search-address.ts'
import { withoutFilters } from './search-filters.tsx'
import { countText, hitFacts, hitPath, kinds, sum } from './search-words.ts'

type SearchResultsProps = {
  address: SearchAddress & { q: string }
  list: UseInfiniteQueryResult<InfiniteData<ListPage<SearchHit>>>
  facets: SearchFacets | undefined
  placeError: string | null
  onAddress: (address: SearchAddress) => void
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
      <EmptyState title="We don’t know this place" description={`“${address.place}” isn’t a city, state or ZIP code that we know.`}>
        <Button onClick={() => onAddress(change(address, { place: undefined, radius: undefined }))}>Search everywhere</Button>
      </EmptyState>
    )
  }
  if (!list.data || (list.isError && list.isPlaceholderData)) {
    return (
      <Card>
        <LoadError title="The results couldn’t be loaded" query={list} />
      </Card>
    )
  }
  const hits = list.data.pages.flatMap(({ items }) => items)
  if (hits.length === 0) return <Nothing address={address} facets={facets} onAddress={onAddress} />
  return (
    <>
      <Card asChild className="overflow-clip">
        {/* Dimmed while loading: these results are from the previous search. */}
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

function Nothing({ address, facets, onAddress }: NothingProps) {
  const { q, kind } = address
  const elsewhere = kind && facets ? sum(facets.kinds.filter((each) => each.kind !== kind)) : { count: 0, isCapped: false }
  const what = kind ? `No ${kinds[kind].many.toLowerCase()} match` : 'Nothing matches'
  return (
    <EmptyState
      title="Nothing found"
      description={`${what} “${q}”${isFiltered(address) ? ' with these filters' : ''}. Try fewer or different words. Small typos are OK.`}
    >
      {isFiltered(address) && <Button onClick={() => onAddress(withoutFilters(address))}>Clear filters</Button>}
      {elsewhere.count > 0 && (
        <Button variant={isFiltered(address) ? 'secondary' : 'primary'} onClick={() => onAddress(change(address, { kind: undefined }))}>
          Show {countText(elsewhere)} of other types
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

type ResultRowProps = {
  hit: SearchHit
  /** Left out if the list has only one kind. */
  showsKind: boolean
  onFollow: () => void
}

function ResultRow({ hit, showsKind, onFollow }: ResultRowProps) {
  const { kind, title, matched, snippet, rating, createdAt, isDemo } = hit
  const distance = distanceText({ distanceMiles: hit.distanceMiles, pin: null }, useUnits().distance)
  const facts = [hitFacts(hit), distance].filter(Boolean).join(' · ')
  return (
    <li className="relative flex gap-4 px-4 py-4 transition-colors hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:-outline-offset-2 has-[.card-link:focus-visible]:outline-focus sm:px-5">
      <HitPicture hit={hit} size="lg" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-4">
          <h2 className="min-w-0 font-semibold font-text text-base tracking-normal wrap-anywhere">
            <ActionLink href={hitPath(hit)} onClick={onFollow} className={cardLink}>
              <MarkedText text={title} ranges={matched} />
            </ActionLink>
          </h2>
          {showsKind && <KindWord kind={kind} className="max-sm:hidden" />}
        </div>
        {(facts || createdAt || isDemo || showsKind) && (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
            {/* On narrow rows the first line is for the name. */}
            {showsKind && <KindWord kind={kind} className="sm:hidden" />}
            {facts}
            {createdAt && (
              <>
                {facts && <span aria-hidden="true">·</span>}
                <Ago at={createdAt} />
              </>
            )}
            {isDemo && <Badge variant="neutral">Demo</Badge>}
          </p>
        )}
        {rating && rating.count > 0 && <Stars rating={rating.average} count={rating.count} className="mt-1.5" />}
        {snippet && <p className="mt-1.5 line-clamp-2 max-w-text text-[0.9375rem] text-muted wrap-anywhere">{snippet}</p>}
        {kind === 'strain' && <StrainLinks name={title} />}
      </div>
    </li>
  )
}

function KindWord({ kind, className }: { kind: SearchHit['kind']; className: string }) {
  const { one, Icon } = kinds[kind]
  return (
    <span className={cx('flex shrink-0 items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5', className)}>
      <Icon aria-hidden="true" />
      {one}
    </span>
  )
}

/** Strains have no page of their own, so link to related content. */
function StrainLinks({ name }: { name: string }) {
  const links = [
    { text: 'Products', to: '/search', search: { q: name, kind: 'product' } },
    { text: 'Posts', to: '/search', search: { q: name, kind: 'post' } },
    { text: 'Shared hunts', to: '/pheno-hunt', search: { tab: 'community', search: name } },
  ] as const
  return (
    <p className="relative z-1 mt-2.5 flex flex-wrap gap-2">
      {links.map(({ text, ...link }) => (
        <Link key={text} {...link} className={chipClass(false)}>
          {text}
          <span className="sr-only"> of {name}</span>
        </Link>
      ))}
    </p>
  )
}

function ResultRowSkeleton() {
  return (
    <span className="flex gap-4 px-4 py-4 sm:px-5">
      <Skeleton className="size-14 shrink-0" />
      <span className="grid flex-1 content-start gap-2.5 pt-1">
        <Skeleton className="h-4 w-2/5" />
        <SkeletonText lines={2} />
      </span>
    </span>
  )
}
