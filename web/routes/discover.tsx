import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { readDiscoverSearch } from '../features/directory/discover-params.ts'
import { DiscoverScreen } from '../features/directory/discover-screen.tsx'

export const Route = createFileRoute('/discover')({ validateSearch: readDiscoverSearch, component: Discover })

function Discover() {
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <DiscoverScreen
      search={Route.useSearch()}
      onSearch={(search, { replace = false } = { replace: false }) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
