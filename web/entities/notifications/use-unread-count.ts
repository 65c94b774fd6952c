import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listNotifications, markAllNotificationsRead, markNotificationRead } from '#contracts/calls/notifications.ts'
import { call } from '#web/lib/call.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { toast } from '#web/ui/toast-store.ts'
import { refreshNotifications, setUnreadCount, showRead, showUnread, unreadCountOptions } from './notifications.api.ts'

/** In milliseconds. Batches a burst of events into one request. */
const gatherFor = 150

/** Live unread count, at most 100. Also refreshes visible lists. */
export function useUnreadCount(): number {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refreshNotifications(client)
      }, gatherFor)
    }
    const isReading = () => client.isMutating({ mutationKey: readingKey }) > 0
    const stops = [
      onLive('hello', ({ unread }) => {
        const before = client.getQueryData(unreadCountOptions.queryKey)?.count
        if (isReading()) return
        setUnreadCount(client, unread)
        // Something happened while disconnected, or before the count was known.
        if (before !== unread) refresh()
      }),
      onLive('notifications', ({ unread }) => {
        // While marking as read, the mutation's responses are authoritative.
        if (isReading()) return
        setUnreadCount(client, unread)
        refresh()
      }),
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [client])
  return useQuery(unreadCountOptions).data?.count ?? 0
}

const readingKey = ['notifications', 'reading']

/** Marks one notification (by ID) or all of them (null) as read. Optimistic; rolls back with a toast on error. */
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
