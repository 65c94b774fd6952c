import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { businessListOptions } from '#web/entities/businesses/businesses.api.ts'
import { summaryOptions } from '#web/entities/directory/directory.api.ts'
import { readDiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { listQuery, withDefaultPlace } from '#web/entities/directory/discover-search.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DiscoverScreen } from '#web/screens/discover/discover-screen.tsx'

export const Route = createFileRoute('/discover')({
  validateSearch: readDiscoverSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const search = withDefaultPlace(deps, context.user)
    prefetch(context, businessListOptions(listQuery(search)), summaryOptions(search))
  },
  component: Discover,
})

function Discover() {
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <DiscoverScreen
      search={withDefaultPlace(Route.useSearch(), useCurrentUser())}
      onSearch={(search, { replace = false } = { replace: false }) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
