import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { getUnreadCount, listNotifications, type Notification } from '../../../contracts/notifications.ts'
import type { ListPage } from '../../lib/call.ts'
import { currentUserCall } from '../../lib/current-user-call.ts'
import { unreadCountOptions } from './notifications.api.ts'

type Pages = InfiniteData<ListPage<Notification>>

/** In the page's list and in the bell's. */
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

/** What a change of the lists has to know to take itself back. */
export type ReadBefore = { ids: ReadonlySet<string>; count: number | undefined }

/** Shows one notification (`id`) or all of them (null) as read. */
export function showRead(client: QueryClient, id: string | null): ReadBefore {
  const unread = unreadIds(client)
  const ids = id === null ? unread : new Set(unread.has(id) ? [id] : [])
  const count = client.getQueryData(unreadCountOptions.queryKey)?.count
  mapNotifications(client, (each) => (ids.has(each.id) ? { ...each, isRead: true } : each))
  if (count !== undefined) setUnreadCount(client, id === null ? 0 : Math.max(0, count - ids.size))
  return { ids, count }
}

/** Takes {@link showRead} back. */
export function showUnread(client: QueryClient, { ids, count }: ReadBefore): void {
  mapNotifications(client, (each) => (ids.has(each.id) ? { ...each, isRead: false } : each))
  if (count !== undefined) setUnreadCount(client, count)
}

/**
 * What is kept is older than what a notification tells of: each screen asks anew when it is opened. Only where the notification leads to the
 * screen that is open already, that asks at once; one that is left has nothing to ask for any more.
 */
export function expectNews(client: QueryClient, { from, to }: { from: string; to: string }): void {
  void client.invalidateQueries({
    // How much of them is read is kept by `useReading`.
    predicate: ({ queryKey: [path] }) => path !== listNotifications.path && path !== getUnreadCount.path,
    refetchType: screenAt(from) === screenAt(to) ? 'active' : 'none',
  })
  // On every screen: what moderators decided about somebody stands there.
  void client.invalidateQueries({ queryKey: [currentUserCall.path] })
}

/** "/messages/1" and "/messages/2" are one screen, with one list beside them. */
const screenAt = (address: string): string | undefined => /^\/([^/?#]*)/.exec(address)?.[1]
