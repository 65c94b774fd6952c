import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { businessTypePluralLabels, businessTypes } from '#contracts/business-types.ts'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { radiusChoices } from '#web/entities/directory/discover-search.ts'
import { PlaceField, PlaceNotFound, usePlace } from '#web/entities/directory/search-fields.tsx'
import type { ListPage } from '#web/lib/call.ts'
import { stateName } from '#web/lib/state-names.ts'
import { distanceText, formatRadius, radiusText, useUnits } from '#web/lib/units.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { MorePages, useFirstItems } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { countedTogether, countText, HitPicture, hitFacts, kinds, MarkedText, sum } from './hits.tsx'
import { facetsOptions } from './search.api.ts'
import { change, defaultRadius, filtersOf, isFiltered, type SearchAddress } from './search-address.ts'

type SearchResultsProps = {
  address: SearchAddress & { q: string }
  list: UseInfiniteQueryResult<InfiniteData<ListPage<SearchHit>>>
  facets: SearchFacets | undefined
  placeError: string | null
  onAddress: (address: SearchAddress) => void
  onFollow: () => void
}

export function SearchResults({ address, list, facets, placeError, onAddress, onFollow }: SearchResultsProps) {
  const isLoading = useFirstItems(list)
  if (isLoading) {
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
      <PlaceNotFound near={address.place}>
        <Button onClick={() => onAddress(change(address, { place: undefined, radius: undefined }))}>Search everywhere</Button>
      </PlaceNotFound>
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
  if (hits.length === 0 && !list.hasNextPage) return <Nothing address={address} facets={facets} onAddress={onAddress} />
  return (
    <>
      {address.kind === 'product' && (
        <p className="pb-3 text-sm">
          <Link to="/products" search={{ q: address.q, near: address.place }} className={textLink}>
            Compare prices and shops near {address.place ?? 'you'}
          </Link>
        </p>
      )}
      {hits.length > 0 && (
        <Card asChild className="overflow-clip">
          {/* Dimmed while loading, because these results are from the previous search. */}
          <ul
            aria-busy={list.isPlaceholderData}
            className={cx('divide-y divide-line transition-opacity', list.isPlaceholderData && 'opacity-60')}
          >
            {hits.map((hit) => (
              <ResultRow
                key={`${hit.kind} ${hit.id}`}
                hit={hit}
                facets={isFiltered(address) ? undefined : facets}
                showsKind={address.kind === undefined}
                onFollow={onFollow}
              />
            ))}
          </ul>
        </Card>
      )}
      <MorePages list={list} />
      {facets?.productAge && !list.hasNextPage && address.kind === undefined && (
        <p className="pt-4 text-center text-muted text-sm">Matching products are shown only to people {facets.productAge} or older.</p>
      )}
    </>
  )
}

type NothingProps = Pick<SearchResultsProps, 'address' | 'facets' | 'onAddress'>

function Nothing({ address, facets, onAddress }: NothingProps) {
  const { q, kind } = address
  const elsewhere = kind && facets ? sum(countedTogether(facets.kinds).filter((each) => each.kind !== kind)) : { count: 0, isCapped: false }
  const what = kind ? `No ${kinds[kind].many.toLowerCase()} match` : 'Nothing matches'
  const minimumAge = kind === undefined || kind === 'product' ? facets?.productAge : null
  return (
    <EmptyState
      title="Nothing found"
      description={
        minimumAge
          ? `Products match “${q}”, but products are shown only to people ${minimumAge} or older.`
          : `${what} “${q}”${isFiltered(address) ? ' with these filters' : ''}. Try fewer or different words. Small typos are OK.`
      }
    >
      {isFiltered(address) && <Button onClick={() => onAddress(withoutFilters(address))}>Clear filters</Button>}
      {elsewhere.count > 0 && (
        <Button variant={isFiltered(address) ? 'secondary' : 'primary'} onClick={() => onAddress(change(address, { kind: undefined }))}>
          Show {countText(elsewhere)} {elsewhere.count === 1 ? 'result of another type' : 'results of other types'}
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
  /** Undefined while loading, or if filters leave out results. */
  facets: SearchFacets | undefined
  showsKind: boolean
  onFollow: () => void
}

function ResultRow({ hit, facets, showsKind, onFollow }: ResultRowProps) {
  const { kind, title, path, matched, snippet, rating, createdAt, isDemo, isClosed } = hit
  const distance = distanceText(
    { distanceMiles: hit.distanceMiles, pin: hit.precision && { precision: hit.precision } },
    useUnits().distance,
  )
  const facts = [hitFacts(hit), distance].filter(Boolean).join(' · ')
  return (
    <li className="relative flex gap-4 px-4 py-4 transition-colors hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:-outline-offset-2 has-[.card-link:focus-visible]:outline-focus sm:px-5">
      <HitPicture hit={hit} size="lg" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-4">
          <h2 className="min-w-0 font-semibold font-text text-base tracking-normal wrap-anywhere">
            <ActionLink href={path} onClick={onFollow} className={cardLink}>
              <MarkedText text={title} ranges={matched} />
            </ActionLink>
          </h2>
          {showsKind && <KindWord kind={kind} className="max-sm:hidden" />}
        </div>
        {(facts || createdAt || isDemo || isClosed || showsKind) && (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
            {/* In narrow rows, the first line only has the name. */}
            {showsKind && <KindWord kind={kind} className="sm:hidden" />}
            {facts}
            {createdAt && (
              <>
                {facts && <span aria-hidden="true">·</span>}
                <Ago at={createdAt} />
              </>
            )}
            {isClosed && <Badge variant="clay">Closed</Badge>}
            {isDemo && <Badge variant="neutral">Demo</Badge>}
          </p>
        )}
        {rating && rating.count > 0 && <Stars rating={rating.average} count={rating.count} className="mt-1.5" />}
        {snippet && <p className="mt-1.5 line-clamp-2 max-w-text text-[0.9375rem] text-muted wrap-anywhere">{snippet}</p>}
        {kind === 'strain' && <StrainLinks name={title} facets={facets} />}
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

function StrainLinks({ name, facets }: { name: string; facets: SearchFacets | undefined }) {
  const isFound = (kind: SearchHit['kind']) => !facets || countedTogether(facets.kinds).some((each) => each.kind === kind && each.count > 0)
  const links = [
    ...(isFound('product') ? [{ text: 'Products', to: '/search', search: { q: name, kind: 'product' } } as const] : []),
    ...(isFound('post') ? [{ text: 'Posts', to: '/search', search: { q: name, kind: 'post' } } as const] : []),
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

type SearchFiltersProps = {
  address: SearchAddress & { q: string }
  placeError: string | null
  onChange: (address: SearchAddress) => void
}

export function SearchFilters({ address, placeError, onChange }: SearchFiltersProps) {
  // Count the options of each filter as if that filter weren't set.
  const states = useQuery(facetsOptions({ ...address, state: undefined })).data?.states
  const types = useQuery(facetsOptions({ ...address, type: undefined })).data?.businessTypes
  const { kind, place, radius = defaultRadius, state, type } = address
  const unit = useUnits().distance
  const applies = filtersOf(kind)
  const where = usePlace(place ?? '', (chosen) => onChange(change(address, { place: chosen || undefined, radius: undefined })))
  // Show filters that are set, even if they don't apply to this kind.
  const shows = { place: applies.place || place, state: applies.business || state, type: applies.business || type }
  if (!(shows.place || shows.state || shows.type)) return null
  return (
    <form
      aria-label="Filters"
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        where.submit()
      }}
    >
      {shows.place && (
        <div className="w-full sm:w-64">
          <PlaceField place={where} label={<span className="sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:mt-2.25">
        {place && !placeError && (
          <Choice
            label="Distance"
            text={`Within ${radiusText(radius, unit)}`}
            choices={radiusChoices.map((miles) => ({ value: String(miles), text: `Within ${formatRadius(miles, unit)}` }))}
            current={String(radius)}
            onChoose={(value) => onChange(change(address, { radius: Number(value) === defaultRadius ? undefined : Number(value) }))}
          />
        )}
        {shows.state && (
          <Choice
            label="State"
            text={state ? stateName(state) : 'Any state'}
            isOn={state !== undefined}
            choices={[
              { value: '', text: 'Any state' },
              ...withCurrent(
                states?.map((each) => ({ value: each.state, text: `${stateName(each.state)} (${countText(each)})` })),
                state,
                stateName,
              ),
            ]}
            current={state ?? ''}
            onChoose={(value) => onChange(change(address, { state: value || undefined }))}
          />
        )}
        {shows.type && (
          <Choice
            label="Type of business"
            text={type ? businessTypePluralLabels[type] : 'Any type'}
            isOn={type !== undefined}
            choices={[
              { value: '', text: 'Any type' },
              ...businessTypes.map((each) => {
                const counted = types?.find(({ businessType }) => businessType === each)
                return { value: each, text: `${businessTypePluralLabels[each]}${counted ? ` (${countText(counted)})` : ''}` }
              }),
            ]}
            current={type ?? ''}
            onChoose={(value) => onChange(change(address, { type: businessTypes.find((each) => each === value) }))}
          />
        )}
        {isFiltered(address) && (
          <button
            type="button"
            className="touch-target min-h-9 rounded-tag px-1.5 font-medium text-leaf text-sm hover:underline hover:underline-offset-3"
            onClick={() => onChange(withoutFilters(address))}
          >
            Clear filters
          </button>
        )}
      </div>
    </form>
  )
}

const withoutFilters = (address: SearchAddress): SearchAddress =>
  change(address, { place: undefined, radius: undefined, state: undefined, type: undefined })

type Option = { value: string; text: string }

/** The current option may be missing from the list. */
function withCurrent(options: Option[] = [], current: string | undefined, textOf: (value: string) => string): Option[] {
  if (!current || options.some(({ value }) => value === current)) return options
  return [{ value: current, text: textOf(current) }, ...options]
}

type ChoiceProps = { label: string; text: string; isOn?: boolean; choices: Option[]; current: string; onChoose: (value: string) => void }

const Choice = ({ label, text, isOn = false, choices, current, onChoose }: ChoiceProps) => (
  <ChoiceMenu label={label} choices={choices} current={current} onChoose={onChoose}>
    <button type="button" className={chipClass(isOn)}>
      <span className="sr-only">{label}: </span>
      {text}
      <ChevronDown aria-hidden="true" />
    </button>
  </ChoiceMenu>
)
