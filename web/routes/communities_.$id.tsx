import { createFileRoute } from '@tanstack/react-router'
import { communityOptions } from '#web/entities/communities/communities.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { type CommunitySearch, readCommunitySearch } from '#web/screens/communities/communities-search.ts'
import { CommunityScreen } from '#web/screens/communities/community-screen.tsx'

export const Route = createFileRoute('/communities_/$id')({
  validateSearch: parseLater<CommunitySearch>,
  loader: ({ context, params }) => prefetch(context, communityOptions(params.id)),
  component: CommunityPage,
})

function CommunityPage() {
  const { id } = Route.useParams()
  return <CommunityScreen key={id} id={id} search={readCommunitySearch(Route.useSearch())} />
}
