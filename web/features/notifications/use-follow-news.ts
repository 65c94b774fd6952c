import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { expectNews } from './notification-caches.ts'

/** For whoever follows a notification: it tells of something newer than what is kept here. `to` is where it leads. */
export function useFollowNews(): (to: string) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (to) => expectNews(client, { from: router.latestLocation.pathname, to })
}
