import { createFileRoute } from '@tanstack/react-router'
import { favoritesOptions } from '#web/entities/businesses/businesses.api.ts'
import { followedEventsOptions } from '#web/entities/events/events.api.ts'
import { feedOptions } from '#web/entities/posts/posts.api.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { activityOptions, featuredOptions, trendingOptions } from '#web/screens/home/home.api.ts'
import { HomeScreen } from '#web/screens/home/home-screen.tsx'
import { readHomeSearch } from '#web/screens/home/home-search.ts'

export const Route = createFileRoute('/')({
  validateSearch: readHomeSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const near = nearHome(context.user)
    const lists = [trendingOptions(near), featuredOptions(near)]
    prefetch(context, feedOptions(deps.type), activityOptions, ...lists, followedEventsOptions, favoritesOptions)
  },
  component: Home,
})

function Home() {
  return <HomeScreen search={Route.useSearch()} />
}
