import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'

const unreachable = async () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => onlineManager.setOnline(false))
afterEach(() => {
  onlineManager.setOnline(true)
  queryClient.clear()
})

test('a query fails while offline instead of waiting for a connection', async () => {
  const observer = new QueryObserver(queryClient, { queryKey: ['unreachable'], queryFn: unreachable })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' }))
  stop()
})

test('a change fails while offline instead of waiting for a connection', async () => {
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: unreachable })
  mutation.execute(undefined).catch(() => {})
  await vi.waitFor(() => expect(mutation.state).toMatchObject({ status: 'error', isPaused: false }))
})

test('the query defaults of the specification: never stale, fetched again by nothing, no retries', () => {
  expect(queryClient.getDefaultOptions()).toMatchObject({
    queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchInterval: false, retry: false },
    mutations: { retry: false },
  })
})
