import { useQueryClient } from '@tanstack/react-query'
import { getUnreadCount, listNotifications } from '../../../contracts/notifications.ts'

/** For whoever follows a notification: it tells of something newer than what is kept here, on this very page or on another one. */
export function useFollowNews(): () => void {
  const client = useQueryClient()
  return () =>
    void client.invalidateQueries({
      // How much of them is read is kept by `useReading`.
      predicate: ({ queryKey: [path] }) => path !== listNotifications.path && path !== getUnreadCount.path,
    })
}
