import { createFileRoute } from '@tanstack/react-router'
import { preferencesOptions } from '#web/entities/notifications/notifications.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PreferencesScreen } from '#web/screens/notifications/preferences-screen.tsx'

export const Route = createFileRoute('/notifications_/preferences')({
  loader: ({ context }) => prefetch(context, preferencesOptions),
  component: PreferencesScreen,
})
