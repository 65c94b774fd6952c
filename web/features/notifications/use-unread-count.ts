import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listNotifications } from '../../../contracts/notifications.ts'
import { onLive } from '../../lib/live.ts'
import { setUnreadCount } from './notification-caches.ts'
import { unreadCountOptions } from './notifications.api.ts'
import { readingKey } from './use-reading.ts'

/** A burst of news is fetched once, this many milliseconds after its first word. */
const gatherFor = 150

/** How many notifications are unread, at most 100; live. The lists that are in view follow. */
export function useUnreadCount(): number {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: [listNotifications.path] })
      }, gatherFor)
    }
    const isReading = () => client.isMutating({ mutationKey: readingKey }) > 0
    const stops = [
      onLive('hello', ({ unread }) => {
        const before = client.getQueryData(unreadCountOptions.queryKey)?.count
        if (isReading()) return
        setUnreadCount(client, unread)
        // Something happened while there was no connection.
        if (before !== undefined && before !== unread) refresh()
      }),
      onLive('notifications', ({ unread }) => {
        // While this page itself marks as read, its own answers say how it stands.
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
