import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listNotifications, markAllNotificationsRead, markNotificationRead } from '#contracts/notifications.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { refreshNotifications, setUnreadCount, showRead, showUnread } from './notifications.api.ts'

export const readingKey = ['notifications', 'reading']

/** Marks one notification (by id) or all of them (null) as read. Optimistic; rolls back with a toast on error. */
export function useReading() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: readingKey,
    scope: { id: readingKey.join(':') },
    mutationFn: (id: string | null) => (id === null ? call(markAllNotificationsRead, {}) : call(markNotificationRead, { params: { id } })),
    onMutate: (id) => {
      // A pending list response would still say unread.
      void client.cancelQueries({ queryKey: [listNotifications.path] })
      return showRead(client, id)
    },
    onError: (_error, id, before) => {
      if (before) showUnread(client, before)
      toast({
        title: 'Error',
        description: id === null ? 'Failed to mark all as read' : 'Failed to mark as read',
        variant: 'destructive',
      })
    },
    onSuccess: ({ count }) => {
      if (client.isMutating({ mutationKey: readingKey }) === 1) setUnreadCount(client, count)
    },
    onSettled: () => {
      // Refetch what was canceled or arrived in between.
      if (client.isMutating({ mutationKey: readingKey }) === 1) void refreshNotifications(client)
    },
  })
  return { markRead: (id: string) => mutate(id), markAllRead: () => mutate(null) }
}
