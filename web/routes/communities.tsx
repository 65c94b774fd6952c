import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { CommunitiesScreen } from '#web/screens/communities/communities-screen.tsx'
import { type CommunitiesSearch, readCommunitiesSearch } from '#web/screens/communities/communities-search.ts'

export const Route = createFileRoute('/communities')({ validateSearch: readLater<CommunitiesSearch>, component: Communities })

function Communities() {
  return <CommunitiesScreen search={readCommunitiesSearch(Route.useSearch())} />
}
