import fs from 'node:fs'
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSourceFiles } from '#tests/support/source-files.ts'
import { markSharedDataStale, othersChange, queryClient } from './query-client.ts'

const unreachable = async () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => onlineManager.setOnline(false))
afterEach(() => {
  onlineManager.setOnline(true)
  queryClient.clear()
})

test('fails a query offline instead of waiting for a connection', async () => {
  const observer = new QueryObserver(queryClient, { queryKey: ['unreachable'], queryFn: unreachable })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' }))
  stop()
})

test('fails a mutation offline instead of waiting for a connection', async () => {
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: unreachable })
  mutation.execute(undefined).catch(() => {})
  await vi.waitFor(() => expect(mutation.state).toMatchObject({ status: 'error', isPaused: false }))
})

describe('a query with the specified defaults', () => {
  beforeEach(() => onlineManager.setOnline(true))
  afterEach(() => {
    vi.useRealTimers()
    focusManager.setFocused(undefined)
  })

  /** Subscribes to a query like a screen that opens and closes. */
  function screenOf(queryFn: () => Promise<unknown>, meta?: typeof othersChange) {
    const observer = new QueryObserver(queryClient, { queryKey: ['counted'], queryFn, ...(meta && { meta }) })
    return { observer, open: () => observer.subscribe(() => {}) }
  }

  test('is never refetched, not even after a year, on focus, or on remount', async () => {
    vi.useFakeTimers()
    const queryFn = vi.fn(async () => 'answer')
    const { observer, open } = screenOf(queryFn)
    const close = open()
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('answer'))
    focusManager.setFocused(false)
    await vi.advanceTimersByTimeAsync(365 * 86_400_000)
    focusManager.setFocused(true)
    await vi.advanceTimersByTimeAsync(1000)
    close()
    markSharedDataStale()
    open()()
    await vi.advanceTimersByTimeAsync(1000)
    expect(queryFn).toHaveBeenCalledOnce()
  })

  test('refetches other people’s data on remount but not before', async () => {
    const queryFn = vi.fn(async () => 'answer')
    const { observer, open } = screenOf(queryFn, othersChange)
    const close = open()
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('answer'))
    markSharedDataStale()
    open()()
    expect(queryFn).toHaveBeenCalledOnce()
    close()
    markSharedDataStale()
    expect(queryFn).toHaveBeenCalledOnce()
    const closeAgain = open()
    await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
    closeAgain()
  })

  test('refetches after a first fetch that began before an invalidation', async () => {
    const answers = ['before the change', 'after the change']
    const first = Promise.withResolvers<string | undefined>()
    const queryFn = vi.fn(async () => (queryFn.mock.calls.length === 1 ? first.promise : answers[1]))
    const { observer, open } = screenOf(queryFn)
    const close = open()
    const invalidated = queryClient.invalidateQueries({ queryKey: ['counted'] })
    first.resolve(answers[0])
    await invalidated
    await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 'after the change', isStale: false }))
    expect(queryFn).toHaveBeenCalledTimes(2)
    close()
  })

  test('refetches only once after several invalidations during the first fetch', async () => {
    const first = Promise.withResolvers<string>()
    const queryFn = vi.fn(async () => (queryFn.mock.calls.length === 1 ? first.promise : 'after the changes'))
    const { observer, open } = screenOf(queryFn)
    const close = open()
    const invalidated = [1, 2, 3].map(() => queryClient.invalidateQueries({ queryKey: ['counted'] }))
    first.resolve('before the changes')
    await Promise.all(invalidated)
    await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 'after the changes', isStale: false }))
    expect(queryFn).toHaveBeenCalledTimes(2)
    close()
  })

  test('doesn’t refetch what a loader was fetching when its screen opened', async () => {
    const answer = Promise.withResolvers<string>()
    const queryFn = vi.fn(() => answer.promise)
    const loading = queryClient.fetchQuery({ queryKey: ['counted'], queryFn, meta: othersChange })
    markSharedDataStale()
    answer.resolve('answer')
    await loading
    await new Promise((resolve) => setTimeout(resolve))
    const close = screenOf(queryFn, othersChange).open()
    expect(queryClient.getQueryState(['counted'])).toMatchObject({ data: 'answer', isInvalidated: false })
    expect(queryFn).toHaveBeenCalledOnce()
    close()
  })

  test('keeps a loader’s answer stale if it was invalidated during the fetch', async () => {
    const first = Promise.withResolvers<string>()
    const loading = queryClient.fetchQuery({ queryKey: ['counted'], queryFn: () => first.promise })
    const invalidated = queryClient.invalidateQueries({ queryKey: ['counted'] })
    first.resolve('before the change')
    await Promise.all([loading, invalidated])
    expect(queryClient.getQueryState(['counted'])).toMatchObject({ data: 'before the change', isInvalidated: true })
  })

  test('never retries after a failure, and neither does a mutation', async () => {
    vi.useFakeTimers()
    const fail = vi.fn(async () => Promise.reject(new Error('500')))
    const { observer, open } = screenOf(fail)
    const close = open()
    await vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('error'))
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(fail).toHaveBeenCalledOnce()
    close()
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: fail })
    await expect(mutation.execute(undefined)).rejects.toThrow('500')
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(fail).toHaveBeenCalledTimes(2)
  })
})

/** No live event announces these changes, so the queries poll. Each comment names the reason. */
const polls = [
  'web/entities/directory/directory.api.ts', // businesses open and close
  'web/screens/blind-panels/panels.api.ts', // a panel is open, and testers send in cards
  'web/screens/climate/climate.api.ts', // sensors send readings
  'web/screens/menus/connections-screen.tsx', // a sync is running
  'web/screens/menus/import-screen.tsx', // an import is running
  'web/screens/menus/menu-source-section.tsx', // a menu is being fetched
  'web/screens/menus/webhooks-section.tsx', // deliveries are due
  'web/screens/moderation/moderation.api.ts', // other moderators decide
  'web/screens/settings/export-row.tsx', // an export is being made
]

test('lets only the listed queries poll, and none retry or refetch on focus', () => {
  const sources = readSourceFiles()
    .filter(({ path }) => /^web\/(?!lib\/query-client\.).*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map(({ path }) => ({ path, text: fs.readFileSync(path, 'utf8') }))
  const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
  expect(using(/refetchInterval/)).toEqual(polls)
  expect(using(/refetchOnWindowFocus|refetchOnReconnect|\bretry: (true|false|\d)/)).toEqual([])
  // 0 refetches whenever a screen shows the data. Other values are only in query-client.ts.
  expect(using(/staleTime(?!: 0[,\s}])/)).toEqual([])
})
