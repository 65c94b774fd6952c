import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { expectNews } from '#web/entities/notifications/notifications.api.ts'

/** Call when a notification is followed: refetches data older than it. `to` is the notification's link. */
export function useFollowNews(): (to: string) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (to) => expectNews(client, { from: router.latestLocation.pathname, to })
}
