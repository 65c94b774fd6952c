import { createFileRoute } from '@tanstack/react-router'
import { readSearchAddress, type SearchAddress } from '../features/search/search-address.ts'
import { SearchScreen } from '../features/search/search-screen.tsx'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/search')({ validateSearch: readLater<SearchAddress>, component: Search })

function Search() {
  return <SearchScreen address={readSearchAddress(Route.useSearch())} />
}
