import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLive } from '#web/lib/live.ts'
import { refreshNotifications, setUnreadCount, unreadCountOptions } from './notifications.api.ts'
import { readingKey } from './use-reading.ts'

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
        // Something happened while disconnected.
        if (before !== undefined && before !== unread) refresh()
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
