import { createFileRoute } from '@tanstack/react-router'
import { notificationsOptions, unreadCountOptions } from '#web/entities/notifications/notifications.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { NotificationsScreen } from '#web/screens/notifications/notifications-screen.tsx'

export const Route = createFileRoute('/notifications')({
  loader: ({ context }) => prefetch(context, notificationsOptions, unreadCountOptions),
  component: NotificationsScreen,
})
