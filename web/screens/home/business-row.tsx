import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { BusinessCard, BusinessCardSkeleton } from '#web/entities/businesses/business-card.tsx'
import { type BusinessListQuery, businessListOptions } from '#web/entities/businesses/businesses.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const shown = 4
/** On phones the cards scroll sideways. */
const grid =
  'mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4 max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[80%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 max-sm:[scrollbar-width:none]'

type BusinessRowProps = {
  title: string
  description: string
  query: BusinessListQuery
  search: DiscoverSearch
  all: string
}

/** The first businesses of a list, linking to the rest. Renders nothing for an empty list. */
export function BusinessRow({ title, description, query, search, all }: BusinessRowProps) {
  const list = useInfiniteQuery(businessListOptions(query))
  const businesses = list.data?.pages[0]?.items.slice(0, shown)
  if (businesses?.length === 0) return null
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
          title="These businesses couldn’t be loaded"
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
