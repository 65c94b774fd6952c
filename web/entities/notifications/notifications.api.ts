import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { getNotificationPreferences, getUnreadCount, listNotifications } from '#contracts/calls/notifications.ts'
import type { Notification } from '#contracts/notifications.ts'
import { callOptions, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'

export const notificationsOptions = pagesOptions(listNotifications, {})

const latest = { limit: 5 }
export const latestNotificationsOptions = pagesOptions(listNotifications, { query: latest })

export const unreadCountOptions = callOptions(getUnreadCount, {})

export const preferencesOptions = callOptions(getNotificationPreferences, {})

type Pages = InfiniteData<ListPage<Notification>>

/** Updates the page's list and the bell's. */
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

/** Marks one notification (`id`) or all of them (null) as read. */
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
 * Invalidates cached data that is older than a notification, so that screens refetch when opened. If the notification leads to the
 * current screen, refetches at once; a screen being left has no need to.
 */
export function expectNews(client: QueryClient, { from, to }: { from: string; to: string }): void {
  void client.invalidateQueries({
    // `useReading` maintains the read state of these.
    predicate: ({ queryKey: [path] }) => path !== listNotifications.path && path !== getUnreadCount.path,
    refetchType: screenAt(from) === screenAt(to) ? 'active' : 'none',
  })
  // Every screen shows moderators' decisions about the viewer.
  void refreshCalls(client, [getCurrentUser])
}

/** "/messages/1" and "/messages/2" are the same screen with the same list. */
const screenAt = (address: string): string | undefined => /^\/([^/?#]*)/.exec(address)?.[1]

export const refreshNotifications = (client: QueryClient): Promise<void> => refreshCalls(client, [listNotifications])

/** Call when a notification is followed: refetches data older than it. `to` is the notification's link. */
export function useFollowNews(): (to: string) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (to) => expectNews(client, { from: router.latestLocation.pathname, to })
}
