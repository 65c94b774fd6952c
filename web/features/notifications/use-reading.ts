// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listNotifications, markAllNotificationsRead, markNotificationRead } from '../../../contracts/notifications.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { setUnreadCount, showRead, showUnread } from './notification-caches.ts'

export const readingKey = ['notifications', 'reading']

/** Marks one notification (its id) or all of them (null) as read, shown at once; taken back with a message when the server refuses. */
export function useReading() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: readingKey,
    scope: { id: readingKey.join(':') },
    mutationFn: (id: string | null) => (id === null ? call(markAllNotificationsRead, {}) : call(markNotificationRead, { params: { id } })),
    onMutate: (id) => {
      // A list on its way still says that it is unread.
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
      // What was cancelled, and what came in between.
      if (client.isMutating({ mutationKey: readingKey }) === 1) void client.invalidateQueries({ queryKey: [listNotifications.path] })
    },
  })
  return { markRead: (id: string) => mutate(id), markAllRead: () => mutate(null) }
}
