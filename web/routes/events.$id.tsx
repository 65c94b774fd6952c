import { createFileRoute } from '@tanstack/react-router'
import { EventScreen } from '#web/screens/events/event-screen.tsx'

export const Route = createFileRoute('/events/$id')({ component: Event })

function Event() {
  const { id } = Route.useParams()
  return <EventScreen key={id} id={id} />
}
