import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#web/lib/prefetch.ts'
import { countsOptions, logOptions } from '#web/screens/moderation/moderation.api.ts'
import { ModerationLogScreen } from '#web/screens/moderation/moderation-log-screen.tsx'

export const Route = createFileRoute('/moderation-log')({
  loader: ({ context }) => prefetch(context, countsOptions, logOptions),
  component: ModerationLogScreen,
})
