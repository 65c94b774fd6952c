import { createFileRoute } from '@tanstack/react-router'
import { CommunitiesScreen } from '../features/communities/communities-screen.tsx'
import { type CommunitiesSearch, readCommunitiesSearch } from '../features/communities/communities-search.ts'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/communities')({ validateSearch: readLater<CommunitiesSearch>, component: Communities })

function Communities() {
  return <CommunitiesScreen search={readCommunitiesSearch(Route.useSearch())} />
}
