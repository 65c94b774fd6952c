import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getNotificationPreferences, getUnreadCount, listNotifications, type Notification } from '../../../contracts/notifications.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<Notification>) => next

/** All of them, page by page. */
export const notificationsOptions = infiniteQueryOptions({
  queryKey: queryKey(listNotifications),
  queryFn: ({ pageParam, signal }) => callPage(listNotifications, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
})

/** What the bell shows. */
const latest = { limit: 5 }
export const latestNotificationsOptions = infiniteQueryOptions({
  queryKey: queryKey(listNotifications, { query: latest }),
  queryFn: ({ pageParam, signal }) => callPage(listNotifications, { query: latest }, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
})

export const unreadCountOptions = queryOptions({
  queryKey: queryKey(getUnreadCount),
  queryFn: ({ signal }) => call(getUnreadCount, {}, { signal }),
})

export const preferencesOptions = queryOptions({
  queryKey: queryKey(getNotificationPreferences),
  queryFn: ({ signal }) => call(getNotificationPreferences, {}, { signal }),
})
