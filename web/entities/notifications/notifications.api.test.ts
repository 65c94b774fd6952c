import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { LiveEvents } from '#contracts/live.ts'
import type { Notification } from '#contracts/notifications.ts'
import {
  followNotifications,
  invalidateOlderData,
  latestNotificationsOptions,
  notificationsOptions,
  sendTimeZone,
  showRead,
  showUnread,
  unreadCountOptions,
} from './notifications.api.ts'

const live = vi.hoisted(() => new Map<string, (data: unknown) => void>())
vi.mock('#web/lib/live-connection.ts', () => ({
  onLive: (event: string, listener: (data: unknown) => void) => {
    live.set(event, listener)
    return () => live.delete(event)
  },
}))

const item = (id: string, isRead = false) => ({ id, isRead }) as Notification
const pages = (...lists: Notification[][]) => ({ pages: lists.map((items) => ({ items, next: null })), pageParams: lists.map(() => null) })

let client: QueryClient
const read = (options: typeof notificationsOptions | typeof latestNotificationsOptions) =>
  client
    .getQueryData(options.queryKey)
    ?.pages.flatMap(({ items }) => items)
    .filter(({ isRead }) => isRead)
    .map(({ id }) => id)
const count = () => client.getQueryData(unreadCountOptions.queryKey)?.count

beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(notificationsOptions.queryKey, pages([item('a'), item('b', true)], [item('c')]))
  client.setQueryData(latestNotificationsOptions.queryKey, pages([item('a'), item('b', true)]))
  client.setQueryData(unreadCountOptions.queryKey, { count: 12 })
})

test('sends the device’s time zone once per account, and again only if that failed', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  const fetched = vi.fn(async () => new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', fetched)
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  for (const account of ['ann', 'ann', 'ann', 'ben']) await sendTimeZone(account)
  expect(fetched).toHaveBeenCalledTimes(3)
  expect(fetched).toHaveBeenLastCalledWith(
    expect.stringContaining('/api/notification-preferences/device-time-zone'),
    expect.objectContaining({ method: 'PUT', body: JSON.stringify({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }) }),
  )
  vi.unstubAllGlobals()
})

test('marks an item as read on the page and in the bell’s list, and lowers the badge by one', () => {
  showRead(client, 'a')
  expect(read(notificationsOptions)).toEqual(['a', 'b'])
  expect(read(latestNotificationsOptions)).toEqual(['a', 'b'])
  expect(count()).toBe(11)
})

test('changes nothing for an item that was already read', () => {
  showRead(client, 'b')
  expect(read(notificationsOptions)).toEqual(['b'])
  expect(count()).toBe(12)
})

test('clears the badge for all items, even unloaded ones', () => {
  showRead(client, null)
  expect(read(notificationsOptions)).toEqual(['a', 'b', 'c'])
  expect(count()).toBe(0)
})

test('restores exactly the unread items after a failure', () => {
  const before = showRead(client, null)
  showUnread(client, before)
  expect(read(notificationsOptions)).toEqual(['b'])
  expect(read(latestNotificationsOptions)).toEqual(['b'])
  expect(count()).toBe(12)
})

test('refetches nothing for the screen that is closing, and fetches fresh data for each screen that opens', async () => {
  const queryFn = vi.fn(async () => 'read')
  client.setQueryData(['/api/feed'], 'kept')
  const options = { queryKey: ['/api/feed'], queryFn, staleTime: Number.POSITIVE_INFINITY }
  const leave = new QueryObserver(client, options).subscribe(() => undefined)
  invalidateOlderData(client, { from: '/', to: '/post/1#comment-2' })
  expect(queryFn).not.toHaveBeenCalled()
  leave()
  const leaveAgain = new QueryObserver(client, options).subscribe(() => undefined)
  expect(queryFn).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))

  invalidateOlderData(client, { from: '/post/1', to: '/post/1#comment-2' })
  expect(queryFn).toHaveBeenCalledTimes(2)
  expect(client.getQueryState(notificationsOptions.queryKey)?.isInvalidated).toBe(false)
  leaveAgain()
})

test('refetches the list when the page reconnects, even if the count is the same', async () => {
  const hello = (state: LiveEvents['hello']) => live.get('hello')?.(state)
  const isOutdated = () => client.getQueryState(notificationsOptions.queryKey)?.isInvalidated
  vi.useFakeTimers()
  const stop = followNotifications(client)
  try {
    hello({ unread: 12, unreadMessages: 0 })
    await vi.runAllTimersAsync()
    expect(isOutdated()).toBe(false)
    hello({ unread: 12, unreadMessages: 0 })
    await vi.runAllTimersAsync()
    expect(isOutdated()).toBe(true)
  } finally {
    stop()
    vi.useRealTimers()
  }
})
