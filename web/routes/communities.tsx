import { createFileRoute } from '@tanstack/react-router'
import {
  categoryCountsOptions,
  communitiesOptions,
  communityStatsOptions,
  myCommunitiesOptions,
  receivedInvitationsOptions,
} from '#web/entities/communities/communities.api.ts'
import { communityPostsOptions, suggestedOptions, trendingOptions } from '#web/entities/community-posts/community-posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { CommunitiesScreen } from '#web/screens/communities/communities-screen.tsx'
import { type CommunitiesSearch, readCommunitiesSearch } from '#web/screens/communities/communities-search.ts'

export const Route = createFileRoute('/communities')({
  validateSearch: parseLater<CommunitiesSearch>,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const { tab = 'discover', q = '', category, sort = 'featured' } = readCommunitiesSearch(deps)
    if (tab === 'discover') prefetch(context, communitiesOptions({ q, category, sort }), categoryCountsOptions)
    if (tab === 'my') prefetch(context, myCommunitiesOptions, communityStatsOptions, receivedInvitationsOptions)
    if (tab === 'feed') prefetch(context, communityPostsOptions({}), trendingOptions, suggestedOptions)
  },
  component: Communities,
})

function Communities() {
  return <CommunitiesScreen search={readCommunitiesSearch(Route.useSearch())} />
}
