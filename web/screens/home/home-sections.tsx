import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { BusinessCard, BusinessCardSkeleton } from '#web/entities/businesses/business-card.tsx'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { type BusinessListQuery, businessListOptions, myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { EventRow } from '#web/entities/events/event-row.tsx'
import { followedEventsOptions } from '#web/entities/events/events.api.ts'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { unreadMessagesOptions } from '#web/entities/messages/messages.api.ts'
import { PostCard } from '#web/entities/posts/post-card.tsx'
import { type FeedType, suggestionsOptions } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { counted } from '#web/lib/format.ts'
import { type Near, whereWords } from '#web/lib/near-home.ts'
import { distanceText, useUnits } from '#web/lib/units.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { SideCard } from './side-cards.tsx'

export function EventsCard({ near }: { near: Near }) {
  const query = useQuery(followedEventsOptions)
  return (
    <SideCard
      title="Events"
      more={
        <Link to="/events" className={`${textLink} touch-target shrink-0 text-sm`}>
          {near.near ? `All ${whereWords(near.near)}` : 'All events'}
        </Link>
      }
      query={query}
      failure="Events couldn’t be loaded."
      skeleton={[1, 2].map((row) => <SkeletonRow key={row} />)}
    >
      {(events) =>
        events.length === 0 ? (
          <div className="grid justify-items-start gap-3">
            <p className="text-muted text-sm">Events from businesses you follow appear here.</p>
            <Button asChild variant="secondary" size="sm">
              <Link to="/discover">Discover businesses</Link>
            </Button>
          </div>
        ) : (
          <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1">
            {events.map((event) => (
              <li key={event.id}>
                <EventRow event={event} showsBusiness />
              </li>
            ))}
          </ul>
        )
      }
    </SideCard>
  )
}

export function YourBusinessCard() {
  const query = useQuery(myBusinessesOptions)
  const unread = useQuery(unreadMessagesOptions).data
  const unreadOf = (id: string) => unread?.businesses.find(({ business }) => business.id === id)?.count ?? 0
  const { data: businesses } = query
  if (businesses?.length === 0) return null
  return (
    <SideCard
      title={businesses && businesses.length > 1 ? 'Your businesses' : 'Your business'}
      more={
        businesses &&
        businesses.length > maxBusinesses && (
          <Link to="/business-dashboard" className={`${textLink} touch-target shrink-0 text-sm`}>
            See all {businesses.length}
          </Link>
        )
      }
      query={query}
      failure="Your business couldn’t be loaded."
      skeleton={<SkeletonRow />}
    >
      {(all) => (
        <ul className="grid gap-3">
          {all.slice(0, maxBusinesses).map((business) => (
            <li key={business.id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Avatar id={business.id} name={business.name} imageUrl={business.imageUrl} />
              <div className="grid min-w-0 flex-1 basis-32 justify-items-start gap-0.5">
                <Link
                  to="/business/$id"
                  params={{ id: business.slug }}
                  className="touch-target font-medium wrap-anywhere hover:underline hover:underline-offset-3"
                >
                  {business.label}
                </Link>
                {unreadOf(business.id) > 0 && (
                  <Link
                    to="/messages/{-$id}"
                    params={{ id: undefined }}
                    search={{ inbox: business.id }}
                    className={`${textLink} touch-target text-sm`}
                  >
                    {counted(unreadOf(business.id), 'unread message')}
                    <span className="sr-only"> for {business.label}</span>
                  </Link>
                )}
              </div>
              <Button asChild variant="secondary" size="sm">
                <Link
                  to={business.role === 'staff' ? '/business-dashboard/menu' : '/business-dashboard'}
                  search={{ business: business.slug }}
                >
                  {business.role === 'staff' ? 'Menu' : 'Dashboard'}
                  <span className="sr-only"> for {business.label}</span>
                </Link>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </SideCard>
  )
}

const maxBusinesses = 3

const shown = 4
const cardGrid = 'mt-3 grid gap-2.5 max-sm:[&>*:nth-child(n+4)]:hidden sm:grid-cols-2 sm:gap-4 sm:[&>*:nth-child(n+3)]:hidden'
const lineGrid =
  'mt-3 grid gap-2.5 sm:grid-cols-2 max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[80%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 max-sm:[scrollbar-width:none]'

type BusinessRowProps = {
  title: string
  description: string
  query: BusinessListQuery
  search: Near
  all: string
  hasCards: boolean
}

export function BusinessRow({ title, description, query, search, all, hasCards }: BusinessRowProps) {
  const list = useInfiniteQuery(businessListOptions(query))
  const businesses = list.data?.pages[0]?.items.slice(0, shown)
  if (businesses?.length === 0) return null
  const look = hasCards ? cardGrid : lineGrid
  return (
    <section>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1">
        <div>
          <h2 className="text-xl">{title}</h2>
          <p className="mt-0.5 text-muted text-sm">{description}</p>
        </div>
        <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <Link to="/products" search={search} className={`${textLink} touch-target`}>
            Products
          </Link>
          <Link to="/discover" search={search} className={`${textLink} touch-target inline-flex items-center gap-1 [&_svg]:size-4`}>
            {all}
            <ArrowRight aria-hidden="true" />
          </Link>
        </div>
      </div>
      {list.isPending && (
        <SkeletonGroup label={`Loading ${title}...`} className={look}>
          {[1, 2, 3, 4].map((each) => (hasCards ? <BusinessCardSkeleton key={each} compact /> : <SkeletonRow key={each} />))}
        </SkeletonGroup>
      )}
      {list.isError && !businesses && <LoadError level={3} title="These businesses couldn’t be loaded" query={list} />}
      {businesses && (
        <ul className={look}>
          {businesses.map((business) => (
            <li key={business.id} className="min-w-0 snap-start">
              {hasCards ? <BusinessCard business={business} compact /> : <BusinessLine business={business} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function BusinessLine({ business }: { business: BusinessSummary }) {
  const { openNow, timeZone } = business
  const facts = [businessTypeLabels[business.type], distanceText(business, useUnits().distance) ?? business.location]
  return (
    <Card asChild interactive className="flex h-full items-center gap-3 p-2.5">
      <article>
        <BusinessPicture business={business} className="size-14! shrink-0 rounded-input object-cover" />
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-semibold font-text text-[0.9375rem] tracking-normal">
            <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
              {business.name}
            </Link>
          </h3>
          <p className="truncate text-muted text-sm">{facts.filter(Boolean).join(' · ')}</p>
          {openNow && timeZone && (
            <p className="truncate text-sm">
              <OpenLine location={{ openNow, timeZone }} />
            </p>
          )}
        </div>
      </article>
    </Card>
  )
}

type SuggestionsProps = {
  type: FeedType
  near: Near
  known: readonly string[]
}

/** Labels posts as suggestions, because the viewer doesn't follow the businesses. */
export function Suggestions({ type, near, known }: SuggestionsProps) {
  const { data, error, isError, refetch, isFetching } = useQuery(suggestionsOptions({ type, ...near }))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  const posts = data?.filter(({ id }) => !known.includes(id) && !removed.has(id)) ?? []
  if (isError && !data) {
    return (
      <p role="alert" className="mt-8 flex flex-wrap items-center gap-3 text-muted text-sm">
        Suggestions couldn’t be loaded. {messageOf(error)}
        <Button variant="secondary" size="sm" onClick={() => void refetch()} pending={isFetching}>
          Retry
        </Button>
      </p>
    )
  }
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="suggestions-title" className="mt-10">
      <h2 id="suggestions-title" className="text-xl">
        Discover
      </h2>
      <p className="mt-0.5 text-muted text-sm">Businesses you don’t follow yet.</p>
      <ul {...listFocus} className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {posts.map((post) => (
          <li key={post.id} className="min-w-0">
            <PostCard post={post} where="feed" />
          </li>
        ))}
      </ul>
    </section>
  )
}
