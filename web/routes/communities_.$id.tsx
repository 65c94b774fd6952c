import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { type CommunitySearch, readCommunitySearch } from '#web/screens/communities/communities-search.ts'
import { CommunityScreen } from '#web/screens/communities/community-screen.tsx'

export const Route = createFileRoute('/communities_/$id')({ validateSearch: readLater<CommunitySearch>, component: CommunityPage })

function CommunityPage() {
  const { id } = Route.useParams()
  return <CommunityScreen key={id} id={id} search={readCommunitySearch(Route.useSearch())} />
}
