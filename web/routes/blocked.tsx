import { createFileRoute } from '@tanstack/react-router'
import { blockedPeopleOptions } from '#web/entities/people/people.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { BlockedScreen } from '#web/screens/people/blocked-and-muted-screens.tsx'

export const Route = createFileRoute('/blocked')({
  loader: ({ context }) => prefetch(context, blockedPeopleOptions),
  component: BlockedScreen,
})
