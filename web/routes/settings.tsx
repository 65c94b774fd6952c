import { createFileRoute } from '@tanstack/react-router'
import { messageSettingsOptions } from '#web/entities/messages/messages.api.ts'
import { preferencesOptions } from '#web/entities/notifications/notifications.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { SettingsScreen } from '#web/screens/settings/settings-screen.tsx'

export const Route = createFileRoute('/settings')({
  loader: ({ context }) => prefetch(context, preferencesOptions, messageSettingsOptions),
  component: SettingsScreen,
})
