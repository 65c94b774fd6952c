import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { type EventSearch, foundEventsOptions, withHome } from '#web/entities/events/events.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { flagParam, textParam, wholeParam } from '#web/lib/search-params.ts'
import { EventsScreen } from '#web/screens/events/events-screen.tsx'

export const Route = createFileRoute('/events')({
  validateSearch: (given: Record<string, unknown>): EventSearch => ({
    near: textParam(given.near, 120),
    radius: wholeParam(given.radius, 1, 500),
    everywhere: flagParam(given.everywhere),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, foundEventsOptions(withHome(deps, context.user))),
  component: Events,
})

function Events() {
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <EventsScreen
      search={withHome(Route.useSearch(), useCurrentUser())}
      onSearch={(search) => void navigate({ search, resetScroll: false })}
    />
  )
}
