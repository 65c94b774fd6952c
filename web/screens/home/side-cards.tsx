import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { type Near, whereWords } from '#web/lib/near-home.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { featuredOptions, trendingOptions } from './home.api.ts'

type SideCardProps<Data> = {
  title: string
  description?: string
  more?: ReactNode
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching'> & { refetch: () => unknown }
  skeleton: ReactNode
  /** "Trending couldn’t be loaded." */
  failure: string
  children: (data: Data) => ReactNode
}

export function SideCard<Data>({ title, description, more, query, skeleton, failure, children }: SideCardProps<Data>) {
  const { data } = query
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody>
          <div className="mb-3">
            <div className="flex items-baseline justify-between gap-4">
              <h2 className="text-lg">{title}</h2>
              {more}
            </div>
            {description && <p className="mt-0.5 text-muted text-sm">{description}</p>}
          </div>
          {query.isPending && <SkeletonGroup label={`Loading ${title}...`}>{skeleton}</SkeletonGroup>}
          {!query.isPending && data === undefined && (
            <div role="alert" className="grid justify-items-start gap-3 text-muted text-sm">
              {failure} {messageOf(query.error)}
              <Button variant="secondary" size="sm" onClick={() => void query.refetch()} pending={query.isFetching}>
                Retry
              </Button>
            </div>
          )}
          {data !== undefined && children(data)}
        </CardBody>
      </section>
    </Card>
  )
}

/** " near Denver" if the list is limited to the person's region. */
const placeOf = (businesses: readonly { isNearby: boolean }[] | undefined, { near }: Near): string =>
  near && businesses?.some(({ isNearby }) => isNearby) ? ` ${whereWords(near)}` : ''

const featuredCount = 4
const grid = 'grid grid-cols-2 gap-3 sm:max-lg:grid-cols-4'

export function FeaturedCard({ near }: { near: Near }) {
  const query = useQuery(featuredOptions(near))
  return (
    <SideCard
      title="Featured Businesses"
      description={`Top rated${placeOf(query.data, near)}, among businesses with enough reviews.`}
      more={
        <Link to="/discover" className={`${textLink} touch-target shrink-0 text-sm`}>
          See all
        </Link>
      }
      query={query}
      failure="These businesses couldn’t be loaded."
      skeleton={
        <span className={grid}>
          {[1, 2, 3, 4].map((card) => (
            <Skeleton key={card} className="h-36" />
          ))}
        </span>
      }
    >
      {(businesses) =>
        businesses.length === 0 ? (
          <p className="text-muted text-sm">No business has enough reviews yet. Review one you’ve been to.</p>
        ) : (
          <ul className={grid}>
            {businesses.slice(0, featuredCount).map((business) => (
              <li
                key={business.id}
                className="relative overflow-clip rounded-input border border-line transition-colors hover:border-edge has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus"
              >
                <BusinessPicture business={business} className="aspect-[16/10]! object-cover" />
                <div className="grid grid-cols-[minmax(0,1fr)] gap-1 p-2 sm:p-2.5">
                  <h3 className="line-clamp-2 font-semibold font-text text-sm tracking-normal">
                    <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
                      {business.name}
                    </Link>
                  </h3>
                  <p className="truncate text-muted text-xs">{business.location ?? 'Location not set'}</p>
                  <Stars
                    rating={business.averageRating}
                    count={business.totalRatings}
                    className="flex-wrap max-sm:gap-x-1 max-sm:gap-y-0 max-sm:text-xs max-sm:[&>svg]:h-3"
                  />
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </SideCard>
  )
}

const trendingCount = 3

export function TrendingCard({ near }: { near: Near }) {
  const query = useQuery(trendingOptions(near))
  return (
    <SideCard
      title={`Trending${placeOf(query.data, near)}`}
      description="The most engagement in the last two weeks."
      query={query}
      failure="Trending couldn’t be loaded."
      skeleton={[1, 2, 3].map((row) => <SkeletonRow key={row} />)}
    >
      {(businesses) =>
        businesses.length === 0 ? (
          <p className="text-muted text-sm">
            No recent activity. This list is based on likes, comments, follows, favorites and reviews from the last two weeks.
          </p>
        ) : (
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {businesses.slice(0, trendingCount).map((business, index) => (
              <li
                key={business.id}
                className="relative -mx-2 flex items-center gap-3 rounded-input p-2 hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus"
              >
                <span aria-hidden="true" className="w-4 shrink-0 text-center font-display text-lg text-muted tabular-nums">
                  {index + 1}
                </span>
                <span className="block size-11 shrink-0 overflow-clip rounded-input">
                  <BusinessPicture business={business} className="size-full! aspect-square! object-cover" />
                </span>
                <div className="min-w-0">
                  <h3 className="truncate font-semibold font-text text-[0.9375rem] tracking-normal">
                    <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
                      {business.name}
                    </Link>
                  </h3>
                  <p className="text-muted text-sm">{business.reason}</p>
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </SideCard>
  )
}
