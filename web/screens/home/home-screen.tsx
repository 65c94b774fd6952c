import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { favoritesOptions } from '#web/entities/businesses/businesses.api.ts'
import { listQuery } from '#web/entities/directory/discover-search.ts'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { type FeedType, feedOptions } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { isBusinessUser, useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Near, nearHome } from '#web/lib/near-home.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { activityOptions } from './home.api.ts'
import type { HomeSearch } from './home-search.ts'
import { NewPostsPill, useNewPosts } from './new-posts-pill.tsx'
import { FeaturedCard, SideCard, TrendingCard } from './side-cards.tsx'

// Most people don't see these first, so they load separately.
const EventsCard = lazy(async () => ({ default: (await import('./home-sections.tsx')).EventsCard }))
const YourBusinessCard = lazy(async () => ({ default: (await import('./home-sections.tsx')).YourBusinessCard }))
const BusinessRow = lazy(async () => ({ default: (await import('./home-sections.tsx')).BusinessRow }))
const ConfirmEmailBanner = lazy(async () => ({ default: (await import('#web/entities/accounts/check-email.tsx')).ConfirmEmailBanner }))

/** On narrow screens, columns stack and are no wider than the feed. */
const column = 'min-w-0 max-lg:mx-auto max-lg:w-full max-lg:max-w-feed'

/** The root shows visitors and newcomers another screen. */
export function HomeScreen({ search }: { search: HomeSearch }) {
  const user = useCurrentUser()
  // Shoppers who follow no one see larger cards of nearby businesses. Following one of them must not change the page.
  const [isNew] = useState(user?.followingCount === 0 && !isBusinessUser(user))
  if (!user) return null
  const near = nearHome(user)
  return (
    <div className="mx-auto grid max-w-page items-start gap-x-8 gap-y-8 px-4 pt-5 pb-16 sm:px-6 sm:pt-8 lg:grid-cols-[minmax(0,42.5rem)_minmax(18rem,1fr)]">
      <div className={`grid grid-cols-[minmax(0,1fr)] gap-6 ${column}`}>
        <WelcomeCard user={user} />
        {!user.isEmailVerified && (
          <Suspense>
            <ConfirmEmailBanner email={user.email} />
          </Suspense>
        )}
        {isBusinessUser(user) && (
          <Suspense>
            <YourBusinessCard />
          </Suspense>
        )}
        <NearYou user={user} hasCards={isNew} />
        <Feed type={search.type} near={near} />
      </div>
      <aside aria-label="Activity" className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${column}`}>
        <ActivityCard />
        <Suspense>
          <EventsCard near={near} />
        </Suspense>
        <TrendingCard near={near} />
        <FeaturedCard near={near} />
        <FavoritesGlance />
      </aside>
    </div>
  )
}

const grid = 'grid grid-cols-2 gap-2 sm:max-lg:grid-cols-4'
const counts = [
  { name: 'likes', label: 'Likes' },
  { name: 'comments', label: 'Comments' },
  { name: 'reviews', label: 'Reviews' },
  { name: 'favorites', label: 'Favorites' },
] as const

function ActivityCard() {
  const query = useQuery(activityOptions)
  return (
    <SideCard
      title="Your activity"
      query={query}
      failure="Your activity couldn’t be loaded."
      skeleton={
        <span className={grid}>
          {counts.map(({ name }) => (
            <Skeleton key={name} className="h-15" />
          ))}
        </span>
      }
    >
      {(activity) => (
        <dl className={grid}>
          {counts.map(({ name, label }) => (
            <div key={name} className="flex flex-col-reverse rounded-input bg-sunk px-3 py-2">
              <dt className="font-normal! text-muted text-sm">{label}</dt>
              <dd className="font-display text-xl tabular-nums">{formatNumber(activity[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </SideCard>
  )
}

const shown = 3

function FavoritesGlance() {
  const list = useInfiniteQuery(favoritesOptions)
  const favorites = list.data?.pages[0]?.items.slice(0, shown)
  return (
    <Card asChild>
      <section>
        <CardBody>
          <div className="mb-1 flex items-baseline justify-between gap-4">
            <h2 className="text-lg">Your favorites</h2>
            {favorites && favorites.length > 0 && (
              <Link to="/favorites" className={`${textLink} touch-target text-sm`}>
                See all
              </Link>
            )}
          </div>
          {list.isPending && (
            <SkeletonGroup label="Loading your favorites...">
              {[1, 2, 3].map((row) => (
                <SkeletonRow key={row} />
              ))}
            </SkeletonGroup>
          )}
          {list.isError && !favorites && (
            <div role="alert" className="grid justify-items-start gap-3 pt-2 text-muted text-sm">
              Your favorites couldn’t be loaded. {messageOf(list.error)}
              <Button variant="secondary" size="sm" onClick={() => void list.refetch()} pending={list.isFetching}>
                Retry
              </Button>
            </div>
          )}
          {favorites?.length === 0 && (
            <div className="grid justify-items-start gap-3 pt-2">
              <p className="text-muted text-sm">No Favorites Yet. Tap the heart on any business to save it here.</p>
              <Button asChild variant="secondary" size="sm">
                <Link to="/discover">Discover businesses</Link>
              </Button>
            </div>
          )}
          <ul className="grid grid-cols-[minmax(0,1fr)] empty:hidden">
            {favorites?.map(({ business }) => (
              <FavoriteLine key={business.id} business={business} />
            ))}
          </ul>
        </CardBody>
      </section>
    </Card>
  )
}

function FavoriteLine({ business }: { business: BusinessSummary }) {
  return (
    <li className="relative -mx-2 flex items-center gap-3 rounded-input p-2 hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus">
      <BusinessPicture business={business} className="size-12! shrink-0 rounded-input object-cover" />
      <div className="min-w-0">
        <h3 className="truncate font-semibold font-text text-[0.9375rem] tracking-normal">
          <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
            {business.name}
          </Link>
        </h3>
        <p className="truncate text-muted text-sm">
          {businessTypeLabels[business.type]} · {business.location ?? 'Location not set'}
        </p>
      </div>
    </li>
  )
}

const Suggestions = lazy(async () => ({ default: (await import('./home-sections.tsx')).Suggestions }))

/** With fewer posts than this, suggestions follow even if there are more pages. */
const thin = 5

const filters: { label: string; type: FeedType }[] = [
  { label: 'All', type: undefined },
  { label: 'Farms', type: 'farm' },
  { label: 'Dispensaries', type: 'dispensary' },
]

function Feed({ type, near }: { type: FeedType; near: Near }) {
  const list = useInfiniteQuery(feedOptions(type))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  const news = useNewPosts(type)
  const heading = useRef<HTMLHeadingElement>(null)
  const posts = list.data?.pages.flatMap(({ items }) => items).filter(({ id }) => !removed.has(id)) ?? null

  async function showNew() {
    await news.show()
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <section aria-labelledby="feed-title" className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 ref={heading} id="feed-title" tabIndex={-1} className="scroll-mt-20 text-xl">
          Your feed
        </h2>
        <nav aria-label="Feed" className="flex gap-2">
          {filters.map((filter) => (
            <Link
              key={filter.label}
              to="/"
              search={filter.type ? { type: filter.type } : {}}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              className={chipClass(filter.type === type)}
            >
              {filter.label}
            </Link>
          ))}
        </nav>
      </div>
      <NewPostsPill count={news.count} onShow={showNew} />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {list.isPending && (
          <SkeletonGroup label="Loading your feed..." className="grid gap-4">
            <PostSkeleton />
            <PostSkeleton />
            <PostSkeleton />
          </SkeletonGroup>
        )}
        {list.isError && !posts && <LoadError level={3} title="Your feed couldn’t be loaded" query={list} />}
        {posts?.length === 0 && !list.hasNextPage && (
          // Short, because suggestions follow.
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line border-dashed px-4 py-4 sm:px-5">
            <div>
              <h3 className="text-base">No posts in your feed yet.</h3>
              <p className="text-muted text-sm">Follow businesses and people to see their posts here.</p>
            </div>
            <Button asChild size="sm">
              <Link to="/discover">Discover</Link>
            </Button>
          </div>
        )}
        {posts && posts.length > 0 && (
          <ul {...listFocus} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {posts.map((post) => (
              <li key={post.id} className="min-w-0">
                <PostCard post={post} where="feed" />
              </li>
            ))}
          </ul>
        )}
        <MorePages list={list} text="Load More Posts" failure="More posts couldn’t be loaded." />
      </div>
      {posts && (posts.length < thin || !list.hasNextPage) && (
        <Suspense>
          <Suggestions type={type} near={near} known={posts.map(({ id }) => id)} />
        </Suspense>
      )}
    </section>
  )
}

/** Without a location that the server recognizes, asks for one. */
function NearYou({ user, hasCards }: { user: CurrentUser; hasCards: boolean }) {
  const { location } = user
  const { near } = nearHome(user)
  if (near) {
    return (
      <Suspense fallback={<div className={hasCards ? 'min-h-102 sm:min-h-115' : 'min-h-38 sm:min-h-58'} />}>
        <BusinessRow
          title="Near you"
          description={near}
          query={listQuery({ near })}
          search={{ near }}
          all="See all near you"
          hasCards={hasCards}
        />
      </Suspense>
    )
  }
  return (
    <section className="grid justify-items-start gap-3">
      <h2 className="text-xl">Near you</h2>
      <p className="-mt-2.5 text-muted text-sm">
        {location
          ? `We couldn’t find “${location}”. Enter a US city to see the businesses around it.`
          : 'Enter your city to see the businesses around it.'}
      </p>
      <Button asChild variant="secondary" size="sm">
        <Link to="/settings" hash="profile">
          Set your city
        </Link>
      </Button>
    </section>
  )
}

function WelcomeCard({ user }: { user: CurrentUser }) {
  const hiddenFollows = useQuery(activityOptions).data?.hiddenFollows ?? 0
  const name = ownDisplayName(user)
  return (
    <Card className="relative isolate">
      <Hills />
      <CardBody className="grid gap-4 sm:gap-5 sm:p-6">
        <div className="flex items-center gap-3.5">
          <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} size="lg" />
          <h1 data-title="Home" className="min-w-0 text-xl wrap-anywhere sm:text-2xl">
            Welcome, {name}
          </h1>
        </div>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <dl className="flex gap-7">
            <Count value={user.followingCount - hiddenFollows}>
              <Link to="/people/$id/$list" params={{ id: user.id, list: 'following' }} className={countLink}>
                Following
              </Link>
            </Count>
            <Count value={user.followersCount}>
              <Link to="/people/$id/$list" params={{ id: user.id, list: 'followers' }} className={countLink}>
                Followers
              </Link>
            </Count>
          </dl>
          <Button asChild className="max-md:hidden">
            <Link to="/create-post">
              <PenLine aria-hidden="true" />
              Create Post
            </Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

const countLink =
  'rounded-tag after:absolute after:-inset-x-2 after:-inset-y-1 after:rounded-input hover:underline hover:underline-offset-3 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus'

function Count({ value, children }: { value: number; children: ReactNode }) {
  return (
    <div className="relative flex flex-col-reverse">
      <dt className="font-normal! text-muted text-sm">{children}</dt>
      <dd className="font-display text-2xl tabular-nums">{formatNumber(value)}</dd>
    </div>
  )
}

function Hills() {
  return (
    <svg
      viewBox="0 0 640 240"
      preserveAspectRatio="xMaxYMax slice"
      data-cover="farm"
      aria-hidden="true"
      className="absolute inset-0 -z-1 size-full opacity-60"
    >
      <circle cx="540" cy="104" r="30" fill="var(--cover-sun)" className="max-sm:hidden" />
      <path d="M0 214c120-34 230-20 330-4s210 6 310-62v92H0z" fill="var(--cover-sky)" />
      <path d="M0 232c140-24 250-18 360-8s200-8 280-38v54H0z" fill="var(--cover-far)" />
    </svg>
  )
}
