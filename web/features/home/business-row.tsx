import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { SkeletonGroup } from '../../ui/skeleton.tsx'
import { type BusinessListQuery, businessListOptions } from '../businesses/businesses.api.ts'
import { BusinessCard, BusinessCardSkeleton } from '../directory/business-card.tsx'
import type { DiscoverSearch } from '../directory/discover-params.ts'

/** Home shows this many of a list. */
const shown = 4
/** On a phone the cards stand in a row that scrolls sideways. */
const grid =
  'mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4 max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[80%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 max-sm:[scrollbar-width:none]'

type BusinessRowProps = {
  title: string
  description: string
  query: BusinessListQuery
  /** The same list in Discover. */
  search: DiscoverSearch
  /** The words of the link there. */
  all: string
}

/** The first businesses of a list, and the way to the rest. A list that has none leaves no trace. */
export function BusinessRow({ title, description, query, search, all }: BusinessRowProps) {
  const list = useInfiniteQuery(businessListOptions(query))
  const businesses = list.data?.pages[0]?.items.slice(0, shown)
  // The location of a profile is free text; one that is no place has no surroundings.
  const isUnknownPlace = list.error instanceof ApiError && list.error.status === 400
  if (isUnknownPlace || businesses?.length === 0) return null
  return (
    <section>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1">
        <div>
          <h2 className="text-xl">{title}</h2>
          <p className="mt-0.5 text-muted text-sm">{description}</p>
        </div>
        <Link to="/discover" search={search} className={`${textLink} touch-target inline-flex items-center gap-1 text-sm [&_svg]:size-4`}>
          {all}
          <ArrowRight aria-hidden="true" />
        </Link>
      </div>
      {list.isPending && (
        <SkeletonGroup label={`Loading ${title}...`} className={grid}>
          {[1, 2, 3, 4].map((card) => (
            <BusinessCardSkeleton key={card} />
          ))}
        </SkeletonGroup>
      )}
      {list.isError && !businesses && (
        <ErrorState
          level={3}
          title="These businesses could not be loaded"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {businesses && (
        <ul className={grid}>
          {businesses.map((business) => (
            <li key={business.id} className="min-w-0 snap-start">
              <BusinessCard business={business} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
