import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../contracts/notifications.ts'

// The page's boot data does not exist outside of a page.
vi.mock('../../lib/boot.ts', () => ({ boot: { answers: [] } }))

const { expectNews, showRead, showUnread } = await import('./notification-caches.ts')
const { latestNotificationsOptions, notificationsOptions, unreadCountOptions } = await import('./notifications.api.ts')

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

test('one that is read is read in the page and behind the bell, and the badge falls by one', () => {
  showRead(client, 'a')
  expect(read(notificationsOptions)).toEqual(['a', 'b'])
  expect(read(latestNotificationsOptions)).toEqual(['a', 'b'])
  expect(count()).toBe(11)
})

test('reading what is read already changes nothing', () => {
  showRead(client, 'b')
  expect(read(notificationsOptions)).toEqual(['b'])
  expect(count()).toBe(12)
})

test('all at once empties the badge, whatever is not loaded', () => {
  showRead(client, null)
  expect(read(notificationsOptions)).toEqual(['a', 'b', 'c'])
  expect(count()).toBe(0)
})

test('a refusal brings back exactly what was unread', () => {
  const before = showRead(client, null)
  showUnread(client, before)
  expect(read(notificationsOptions)).toEqual(['b'])
  expect(read(latestNotificationsOptions)).toEqual(['b'])
  expect(count()).toBe(12)
})

test('followed to another screen, nothing is asked for the one that is left, and each asks anew when it is opened', async () => {
  const queryFn = vi.fn(async () => 'read')
  client.setQueryData(['/api/feed'], 'kept')
  const options = { queryKey: ['/api/feed'], queryFn, staleTime: Number.POSITIVE_INFINITY }
  const leave = new QueryObserver(client, options).subscribe(() => undefined)
  expectNews(client, { from: '/', to: '/post/1#comment-2' })
  expect(queryFn).not.toHaveBeenCalled()
  leave()
  const leaveAgain = new QueryObserver(client, options).subscribe(() => undefined)
  expect(queryFn).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))

  // On the screen that is open it is told there and then.
  expectNews(client, { from: '/post/1', to: '/post/1#comment-2' })
  expect(queryFn).toHaveBeenCalledTimes(2)
  expect(client.getQueryState(notificationsOptions.queryKey)?.isInvalidated).toBe(false)
  leaveAgain()
})
