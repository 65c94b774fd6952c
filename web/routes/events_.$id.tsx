import { createFileRoute } from '@tanstack/react-router'
import { eventOptions } from '#web/entities/events/events.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { EventScreen } from '#web/screens/events/event-screen.tsx'

export const Route = createFileRoute('/events_/$id')({
  loader: ({ context, params }) => prefetch(context, eventOptions(params.id)),
  component: Event,
})

function Event() {
  const { id } = Route.useParams()
  return <EventScreen key={id} id={id} />
}
