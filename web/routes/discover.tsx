import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { businessListOptions } from '../features/businesses/businesses.api.ts'
import { readDiscoverSearch } from '../features/directory/discover-params.ts'
import { DiscoverScreen } from '../features/directory/discover-screen.tsx'

export const Route = createFileRoute('/discover')({
  validateSearch: readDiscoverSearch,
  loaderDeps: ({ search }) => ({ isPlain: Object.values(search).every((value) => value === undefined) }),
  // The list comes with the page, and is there before the screen is drawn: it goes on with the HTML that the server made of it.
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
