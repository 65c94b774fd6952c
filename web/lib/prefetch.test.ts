import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { prefetch, prefetchThen } from './prefetch.ts'

const one = queryOptions({ queryKey: ['one'], queryFn: async () => 1 })
const pages = infiniteQueryOptions({
  queryKey: ['pages'],
  queryFn: async ({ pageParam }) => [pageParam],
  initialPageParam: 'first',
  getNextPageParam: () => null,
})
const failing = queryOptions({ queryKey: ['failing'], queryFn: () => Promise.reject(new Error('offline')), retry: false })

test('fetches queries and lists into the cache, and leaves errors for the screen to handle', async () => {
  const queryClient = new QueryClient()
  prefetch({ queryClient, showsPage: true }, one, pages, failing)
  expect(queryClient.isFetching()).toBe(3)
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(queryClient.getQueryData(one.queryKey)).toBe(1)
  expect(queryClient.getQueryData(pages.queryKey)?.pages).toEqual([['first']])
  expect(queryClient.getQueryState(failing.queryKey)?.status).toBe('error')
})

test('starts no queries if another screen replaces the page', () => {
  const queryClient = new QueryClient()
  prefetch({ queryClient, showsPage: false }, one)
  expect(queryClient.isFetching()).toBe(0)
})

test('starts dependent queries with the result, but not after an error or on another screen', async () => {
  const queryClient = new QueryClient()
  const after = (value: number) => [queryOptions({ queryKey: ['after', value], queryFn: async () => value + 1 })]
  prefetchThen({ queryClient, showsPage: true }, one, after)
  prefetchThen({ queryClient, showsPage: true }, failing, after)
  await vi.waitFor(() => expect(queryClient.getQueryData(['after', 1])).toBe(2))
  expect(queryClient.getQueryState(failing.queryKey)?.status).toBe('error')

  const elsewhere = new QueryClient()
  prefetchThen({ queryClient: elsewhere, showsPage: false }, one, after)
  expect(elsewhere.isFetching()).toBe(0)
})
