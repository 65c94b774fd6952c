import { createFileRoute } from '@tanstack/react-router'
import { type CommunitySearch, readCommunitySearch } from '../features/communities/communities-search.ts'
import { CommunityScreen } from '../features/communities/community-screen.tsx'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/communities_/$id')({ validateSearch: readLater<CommunitySearch>, component: CommunityPage })

function CommunityPage() {
  const { id } = Route.useParams()
  return <CommunityScreen key={id} id={id} search={readCommunitySearch(Route.useSearch())} />
}
