import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { businessListOptions } from '#web/entities/businesses/businesses.api.ts'
import { readDiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { DiscoverScreen } from '#web/screens/discover/discover-screen.tsx'

export const Route = createFileRoute('/discover')({
  validateSearch: readDiscoverSearch,
  loaderDeps: ({ search }) => ({ isPlain: Object.values(search).every((value) => value === undefined) }),
  // The list is embedded in the page and available before rendering, to match the server's HTML.
  loader: ({ context, deps }) => {
    if (deps.isPlain) void context.queryClient.prefetchInfiniteQuery(businessListOptions())
  },
  component: Discover,
  codeSplitGroupings: [['loader', 'component']],
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
