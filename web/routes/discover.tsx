import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { businessListOptions } from '#web/entities/businesses/businesses.api.ts'
import { summaryOptions } from '#web/entities/directory/directory.api.ts'
import { readDiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { listQuery } from '#web/entities/directory/discover-search.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DiscoverScreen } from '#web/screens/discover/discover-screen.tsx'

export const Route = createFileRoute('/discover')({
  validateSearch: readDiscoverSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, businessListOptions(listQuery(deps)), summaryOptions(deps)),
  component: Discover,
})

function Discover() {
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <DiscoverScreen
      search={Route.useSearch()}
      onSearch={(search, { replace = false } = { replace: false }) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
