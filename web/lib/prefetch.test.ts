import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { prefetch } from './prefetch.ts'

const one = queryOptions({ queryKey: ['one'], queryFn: async () => 1 })
const pages = infiniteQueryOptions({
  queryKey: ['pages'],
  queryFn: async ({ pageParam }) => [pageParam],
  initialPageParam: 'first',
  getNextPageParam: () => null,
})
const failing = queryOptions({ queryKey: ['failing'], queryFn: () => Promise.reject(new Error('offline')), retry: false })

test('starts queries and lists under their own keys, and leaves errors to the screen', async () => {
  const queryClient = new QueryClient()
  prefetch({ queryClient, showsPage: true }, one, pages, failing)
  expect(queryClient.isFetching()).toBe(3)
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(queryClient.getQueryData(one.queryKey)).toBe(1)
  expect(queryClient.getQueryData(pages.queryKey)?.pages).toEqual([['first']])
  expect(queryClient.getQueryState(failing.queryKey)?.status).toBe('error')
})

test('starts nothing if another screen is shown in place of the page', () => {
  const queryClient = new QueryClient()
  prefetch({ queryClient, showsPage: false }, one)
  expect(queryClient.isFetching()).toBe(0)
})
