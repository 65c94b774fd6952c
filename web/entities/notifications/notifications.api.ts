import { type InfiniteData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import {
  getNotificationPreferences,
  getUnreadCount,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  setDeviceTimeZone,
} from '#contracts/calls/notifications.ts'
import type { Notification } from '#contracts/notifications.ts'
import { call, callOptions, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { toast } from '#web/ui/toast-store.ts'

export const notificationsOptions = pagesOptions(listNotifications, {})

const latest = { limit: 5 }
export const latestNotificationsOptions = pagesOptions(listNotifications, { query: latest })

export const unreadCountOptions = callOptions(getUnreadCount, {})

export const preferencesOptions = callOptions(getNotificationPreferences, {})

const zoneKey = 'time-zone-account'

/**
 * Digests and quiet hours follow the time zone of the first device on which a person uses the site, until they choose another. A browser
 * sends it once per account.
 */
export async function sendTimeZone(account: string): Promise<void> {
  try {
    if (localStorage.getItem(zoneKey) === account) return
    await call(setDeviceTimeZone, { body: { timeZone: localTimeZone() } })
    localStorage.setItem(zoneKey, account)
  } catch {
    // It is sent again on the next page load.
  }
}

type Pages = InfiniteData<ListPage<Notification>>

function mapNotifications(client: QueryClient, change: (notification: Notification) => Notification): void {
  client.setQueriesData<Pages>(
    { queryKey: [listNotifications.path] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) },
  )
}

function unreadIds(client: QueryClient): Set<string> {
  const lists = client.getQueriesData<Pages>({ queryKey: [listNotifications.path] })
  const all = lists.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? [])
  return new Set(all.filter(({ isRead }) => !isRead).map(({ id }) => id))
}

export function setUnreadCount(client: QueryClient, count: number): void {
  client.setQueryData(unreadCountOptions.queryKey, { count })
}

export type ReadBefore = { ids: ReadonlySet<string>; count: number | undefined }

/** A null `id` means all. */
export function showRead(client: QueryClient, id: string | null): ReadBefore {
  const unread = unreadIds(client)
  const ids = id === null ? unread : new Set(unread.has(id) ? [id] : [])
  const count = client.getQueryData(unreadCountOptions.queryKey)?.count
  mapNotifications(client, (each) => (ids.has(each.id) ? { ...each, isRead: true } : each))
  if (count !== undefined) setUnreadCount(client, id === null ? 0 : Math.max(0, count - ids.size))
  return { ids, count }
}

export function showUnread(client: QueryClient, { ids, count }: ReadBefore): void {
  mapNotifications(client, (each) => (ids.has(each.id) ? { ...each, isRead: false } : each))
  if (count !== undefined) setUnreadCount(client, count)
}

/**
 * Invalidates cached data, which may be older than the notification. Refetches immediately if the notification leads to the current screen,
 * but not for a screen that the person is leaving.
 */
export function invalidateOlderData(client: QueryClient, { from, to }: { from: string; to: string }): void {
  void client.invalidateQueries({
    // `useMarkRead` updates the read state in these.
    predicate: ({ queryKey: [path] }) => path !== listNotifications.path && path !== getUnreadCount.path,
    refetchType: screenAt(from) === screenAt(to) ? 'active' : 'none',
  })
  // Every screen shows moderators' decisions about the viewer, so refetch those now.
  void refreshCalls(client, [getCurrentUser])
}

/** "/messages/1" and "/messages/2" are the same screen with the same list. */
const screenAt = (address: string): string | undefined => /^\/([^/?#]*)/.exec(address)?.[1]

export const refreshNotifications = (client: QueryClient): Promise<void> => refreshCalls(client, [listNotifications])

/** Call the returned function with the link of a notification that a person opens. It invalidates older cached data. */
export function useOpenNotification(): (to: string) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (to) => invalidateOlderData(client, { from: router.latestLocation.pathname, to })
}

/** In milliseconds. Batches a burst of events into one request. */
const gatherFor = 150

/** The live count, at most 100. Also refreshes visible lists of notifications. */
export function useUnreadCount(): number {
  const client = useQueryClient()
  useEffect(() => followNotifications(client), [client])
  return useQuery(unreadCountOptions).data?.count ?? 0
}

export function followNotifications(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void refreshNotifications(client)
    }, gatherFor)
  }
  const isReading = () => client.isMutating({ mutationKey: readingKey }) > 0
  let wasConnected = false
  const stops = [
    onLive('hello', ({ unread }) => {
      const before = client.getQueryData(unreadCountOptions.queryKey)?.count
      // After a reconnection, notifications may have arrived even if the count is the same. On the first connection, compare counts.
      const mayBeOutdated = wasConnected || before !== unread
      wasConnected = true
      if (isReading()) return
      setUnreadCount(client, unread)
      if (mayBeOutdated) refresh()
    }),
    onLive('notifications', ({ unread }) => {
      // While marking as read, trust only the mutation's responses.
      if (isReading()) return
      setUnreadCount(client, unread)
      refresh()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

const readingKey = ['notifications', 'reading']

export function useMarkRead() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: readingKey,
    scope: { id: readingKey.join(':') },
    mutationFn: (id: string | null) => (id === null ? call(markAllNotificationsRead, {}) : call(markNotificationRead, { params: { id } })),
    onMutate: (id) => {
      // The response to a pending list request would undo this, so cancel the request.
      void client.cancelQueries({ queryKey: [listNotifications.path] })
      return showRead(client, id)
    },
    onError: (_error, id, before) => {
      if (before) showUnread(client, before)
      toast({
        title: 'Error',
        description:
          id === null
            ? 'Your notifications couldn’t be marked as read. Try again.'
            : 'The notification couldn’t be marked as read. Try again.',
        variant: 'destructive',
      })
    },
    onSuccess: ({ count }) => {
      if (client.isMutating({ mutationKey: readingKey }) === 1) setUnreadCount(client, count)
    },
    onSettled: () => {
      // Refetch canceled queries and anything that arrived in between.
      if (client.isMutating({ mutationKey: readingKey }) === 1) void refreshNotifications(client)
    },
  })
  return { markRead: (id: string) => mutate(id), markAllRead: () => mutate(null) }
}
