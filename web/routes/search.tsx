import { createFileRoute } from '@tanstack/react-router'
import { nearHome } from '#web/lib/near-home.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { facetsOptions, resultsOptions } from '#web/screens/search/search.api.ts'
import { readSearchAddress, type SearchAddress } from '#web/screens/search/search-address.ts'
import { SearchScreen } from '#web/screens/search/search-screen.tsx'

export const Route = createFileRoute('/search')({
  validateSearch: parseLater<SearchAddress>,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const { q, ...filters } = readSearchAddress(deps)
    if (q) prefetch(context, resultsOptions({ q, ...filters }, nearHome(context.user)), facetsOptions({ q, ...filters }))
  },
  component: Search,
})

function Search() {
  return <SearchScreen address={readSearchAddress(Route.useSearch())} />
}
