import { lazy, Suspense } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { ActivityCard } from './activity-card.tsx'
import { FavoritesGlance } from './favorites-glance.tsx'
import { FeaturedCard } from './featured-card.tsx'
import { Feed } from './feed.tsx'
import type { HomeSearch } from './home-search.ts'
import { TrendingCard } from './trending-card.tsx'
import { WelcomeCard } from './welcome-card.tsx'

// Far below the first screen.
const EventsCard = lazy(async () => ({ default: (await import('./events-card.tsx')).EventsCard }))
const BusinessRow = lazy(async () => ({ default: (await import('./business-row.tsx')).BusinessRow }))

/** On a narrow window the columns stand one below the other, no wider than a feed. */
const column = 'min-w-0 max-lg:mx-auto max-lg:w-full max-lg:max-w-feed'

/** Home of signed-in people: the feed, and beside it what goes on. Visitors and newcomers never get here: the root shows another screen. */
export function HomeScreen({ search }: { search: HomeSearch }) {
  const user = useCurrentUser()
  if (!user) return null
  return (
    <div className="mx-auto grid max-w-page items-start gap-x-8 gap-y-8 px-4 pt-5 pb-16 sm:px-6 sm:pt-8 lg:grid-cols-[minmax(0,42.5rem)_minmax(18rem,1fr)]">
      <div className={`grid grid-cols-[minmax(0,1fr)] gap-6 ${column}`}>
        <WelcomeCard user={user} />
        <Feed type={search.type} />
      </div>
      <aside aria-label="What goes on" className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${column}`}>
        <ActivityCard />
        <Suspense>
          <EventsCard />
        </Suspense>
        <TrendingCard />
        <FeaturedCard />
        <FavoritesGlance />
      </aside>
      {user.location && (
        <div className="min-w-0 lg:col-span-full">
          <Suspense>
            <BusinessRow
              title="Near you"
              description={user.location}
              query={{ near: user.location }}
              search={{ near: user.location }}
              all="See all near you"
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}
