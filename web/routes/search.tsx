import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { readSearchAddress, type SearchAddress } from '#web/screens/search/search-address.ts'
import { SearchScreen } from '#web/screens/search/search-screen.tsx'

export const Route = createFileRoute('/search')({ validateSearch: readLater<SearchAddress>, component: Search })

function Search() {
  return <SearchScreen address={readSearchAddress(Route.useSearch())} />
}
