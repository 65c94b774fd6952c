import fs from 'node:fs'
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSourceFiles } from '../../tests/support/source-files.ts'
import { askAgainLater, othersChange, queryClient } from './query-client.ts'

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

describe('the query defaults of the specification', () => {
  beforeEach(() => onlineManager.setOnline(true))
  afterEach(() => {
    vi.useRealTimers()
    focusManager.setFocused(undefined)
  })

  /** Shows an answer, as a screen does that is opened and left. */
  function screenOf(queryFn: () => Promise<unknown>, meta?: typeof othersChange) {
    const observer = new QueryObserver(queryClient, { queryKey: ['counted'], queryFn, ...(meta && { meta }) })
    return { observer, open: () => observer.subscribe(() => {}) }
  }

  test('an answer is asked for once: not again after a year, on focus, or when its screen is opened again', async () => {
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
    askAgainLater()
    open()()
    await vi.advanceTimersByTimeAsync(1000)
    expect(queryFn).toHaveBeenCalledOnce()
  })

  test('what others change is asked for again when its screen is opened again, and not before', async () => {
    const queryFn = vi.fn(async () => 'answer')
    const { observer, open } = screenOf(queryFn, othersChange)
    const close = open()
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('answer'))
    // On screen, it stays.
    askAgainLater()
    open()()
    expect(queryFn).toHaveBeenCalledOnce()
    close()
    askAgainLater()
    expect(queryFn).toHaveBeenCalledOnce()
    const closeAgain = open()
    await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
    closeAgain()
  })

  test('a query and a mutation that fail are not tried again', async () => {
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

  /** Where something is under way that no live event tells of: what asks at intervals, and while what. */
  const polls = [
    'web/features/blind-panels/panels.api.ts', // a panel is open, and tasters hand in cards
    'web/features/menus/import-screen.tsx', // an import is running
    'web/features/moderation/moderation.api.ts', // other moderators decide
    'web/features/own-data/own-data.api.ts', // an export is being made
  ]

  test('no screen has other rules, but for four that wait for something', () => {
    const sources = readSourceFiles()
      .filter(({ path }) => /^web\/(?!lib\/query-client\.).*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
      .map(({ path }) => ({ path, text: fs.readFileSync(path, 'utf8') }))
    const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
    expect(using(/refetchInterval/)).toEqual(polls)
    expect(using(/refetchOnWindowFocus|refetchOnReconnect|\bretry: (true|false|\d)/)).toEqual([])
    // 0: asked for whenever it is shown. Nothing in between.
    expect(using(/staleTime(?!: 0[,\s}])/)).toEqual([])
  })
})
