import 'fake-indexeddb/auto'
import { InfiniteQueryObserver, infiniteQueryOptions, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { forgetOfflineDb } from './offline-db.ts'

vi.stubGlobal('document', { documentElement: { dataset: {} }, getElementById: () => null })
vi.stubGlobal('window', { isSecureContext: true })
const worker = { register: async () => ({ waiting: null, addEventListener: () => {} }), ready: Promise.resolve({ active: null }) }
vi.stubGlobal('navigator', { onLine: true, serviceWorker: worker })

const { queryClient } = await import('#web/lib/query-client.ts')
const { getCurrentUser } = await import('#contracts/calls/accounts.ts')
const { ApiError } = await import('#web/lib/api-error.ts')
const { cacheOffline, oldestShown, refreshCached } = await import('./cache-offline.ts')
const { readAnswer, setViewer } = await import('./cached-answers.ts')
const { connectivity: reach } = await import('./reach.ts')
const { startCaching } = await import('./shell.ts')

const user = { id: 'a' } as Parameters<typeof startCaching>[0]
const network = vi.fn<() => Promise<unknown>>()
const options = cacheOffline({ queryKey: ['/api/pheno-hunts', {}, {}], queryFn: () => network() })
const read = () => queryClient.fetchQuery({ ...options, staleTime: 0 })
const noNetwork = async () => {
  throw new TypeError('Failed to fetch')
}
const isKeptNow = () => vi.waitFor(async () => expect(await readAnswer('a', '["/api/pheno-hunts",{},{}]')).not.toBeNull())

/** The database on the device needs the other timers. */
function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
const later = <T>(ms: number, data: T) => new Promise<T>((resolve) => setTimeout(() => resolve(data), ms))

beforeEach(() => {
  queryClient.setQueryData([getCurrentUser.path], user)
  network.mockReset()
  reach.set('online')
})
afterEach(async () => {
  queryClient.clear()
  await forgetOfflineDb()
})

test('caches responses that arrived before the device’s owner was known, and shows them offline', async () => {
  network.mockResolvedValue(['Basement'])
  expect(await read()).toEqual(['Basement'])
  startCaching(user)
  await isKeptNow()
  network.mockImplementation(noNetwork)
  expect(await read()).toEqual(['Basement'])
  expect(reach.get()).toBe('offline')
})

describe('a cached response', () => {
  beforeEach(async () => {
    await setViewer({ user, theme: null, isLightsOff: false })
    network.mockResolvedValue(['Basement'])
    await read()
    await isKeptNow()
  })

  test('is replaced by the network’s response', async () => {
    network.mockResolvedValue(['Attic'])
    expect(await read()).toEqual(['Attic'])
  })

  test('is shown if the network doesn’t respond in three seconds, and then refreshed', async () => {
    let answer = (_data: unknown) => {}
    network.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    network.mockResolvedValue(['Attic'])
    const started = Date.now()
    const shown = new QueryObserver(queryClient, { ...options, staleTime: 0 })
    const end = shown.subscribe(() => {})
    await vi.waitFor(() => expect(oldestShown()).not.toBeNull(), { timeout: 6000 })
    expect(Date.now() - started).toBeGreaterThan(2900)
    expect(shown.getCurrentResult().data).toEqual(['Basement'])
    answer(['Attic'])
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toEqual(['Attic']))
    expect(oldestShown()).toBeNull()
    end()
  })

  test('is replaced by a slow response without another request', async () => {
    fakeTimeouts()
    network.mockClear()
    network.mockImplementation(() => later(4000, ['Attic']))
    const shown = new QueryObserver(queryClient, { ...options, staleTime: 0 })
    onTestFinished(shown.subscribe(() => {}))
    await vi.advanceTimersByTimeAsync(3000)
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toEqual(['Basement']), { interval: 5 })
    expect(oldestShown()).not.toBeNull()
    await vi.advanceTimersByTimeAsync(20_000)
    expect([shown.getCurrentResult().data, oldestShown()]).toEqual([['Attic'], null])
    expect(network).toHaveBeenCalledOnce()
  })

  test('gives way to a change made while the network is slow, and is then requested again', async () => {
    fakeTimeouts()
    network.mockClear()
    network.mockImplementationOnce(() => later(4000, ['Basement', 'Attic']))
    network.mockResolvedValue(['Cellar'])
    const shown = new QueryObserver(queryClient, { ...options, staleTime: 0 })
    onTestFinished(shown.subscribe(() => {}))
    await vi.advanceTimersByTimeAsync(3000)
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toEqual(['Basement']), { interval: 5 })
    queryClient.setQueryData(options.queryKey, ['Cellar'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect([shown.getCurrentResult().data, oldestShown()]).toEqual([['Cellar'], null])
    expect(network).toHaveBeenCalledTimes(2)
  })

  test('for one page of a list is replaced by a slow response, without another request', async () => {
    const page = vi.fn<(next: string | null) => Promise<unknown>>()
    const pages = cacheOffline(
      infiniteQueryOptions({
        queryKey: ['/api/grow-logs', {}, {}],
        queryFn: ({ pageParam }) => page(pageParam) as Promise<{ items: string[]; next: string | null }>,
        initialPageParam: null as string | null,
        getNextPageParam: ({ next }) => next,
        staleTime: 0,
      }),
    )
    page.mockImplementation(async (next) => (next ? { items: ['old'], next: null } : { items: ['new'], next: '?2' }))
    const shown = new InfiniteQueryObserver(queryClient, pages)
    onTestFinished(shown.subscribe(() => {}))
    await vi.waitFor(() => expect(shown.getCurrentResult().isSuccess).toBe(true))
    await shown.fetchNextPage()
    await vi.waitFor(async () => expect(await readAnswer('a', '[["/api/grow-logs",{},{}],"?2"]')).not.toBeNull())

    fakeTimeouts()
    page.mockClear()
    page.mockImplementation((next) => later(4000, next ? { items: ['older'], next: null } : { items: ['newer'], next: '?2' }))
    void shown.refetch()
    await vi.advanceTimersByTimeAsync(3000)
    await vi.waitFor(() => expect(page).toHaveBeenCalledTimes(2), { interval: 5 })
    await vi.advanceTimersByTimeAsync(20_000)
    await vi.waitFor(() =>
      expect(shown.getCurrentResult().data?.pages).toEqual([
        { items: ['newer'], next: '?2' },
        { items: ['older'], next: null },
      ]),
    )
    expect(oldestShown()).toBeNull()
    expect(page).toHaveBeenCalledTimes(2)
  })

  test('is refreshed when back online', async () => {
    network.mockImplementation(noNetwork)
    const shown = new QueryObserver(queryClient, { ...options, staleTime: 0 })
    const end = shown.subscribe(() => {})
    await vi.waitFor(() => expect(oldestShown()).not.toBeNull())
    network.mockResolvedValue(['Attic'])
    await refreshCached()
    expect([shown.getCurrentResult().data, oldestShown()]).toEqual([['Attic'], null])
    end()
  })

  test('is dropped when the server returns 404, and doesn’t hide a refusal', async () => {
    network.mockRejectedValue(new ApiError({ status: 404, statusText: '', retryAfter: null }, '{"code":"not_found","message":"No"}'))
    await expect(read()).rejects.toThrow('404')
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })

  test('is hidden from other accounts', async () => {
    queryClient.setQueryData([getCurrentUser.path], { id: 'b' })
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })
})
