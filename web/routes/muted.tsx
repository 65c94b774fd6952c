import { createFileRoute } from '@tanstack/react-router'
import { mutedPeopleOptions } from '#web/entities/people/people.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { MutedScreen } from '#web/screens/people/blocked-and-muted-screens.tsx'

export const Route = createFileRoute('/muted')({
  loader: ({ context }) => prefetch(context, mutedPeopleOptions),
  component: MutedScreen,
})
