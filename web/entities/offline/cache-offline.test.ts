import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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
const { reach } = await import('./reach.ts')
const { startKeeping } = await import('./shell.ts')

const user = { id: 'a' } as Parameters<typeof startKeeping>[0]
const network = vi.fn<() => Promise<unknown>>()
const options = cacheOffline({ queryKey: ['/api/pheno-hunts', {}, {}], queryFn: () => network() })
const read = () => queryClient.fetchQuery({ ...options, staleTime: 0 })
const noNetwork = async () => {
  throw new TypeError('Failed to fetch')
}
const isKeptNow = () => vi.waitFor(async () => expect(await readAnswer('a', '["/api/pheno-hunts",{},{}]')).not.toBeNull())

beforeEach(() => {
  queryClient.setQueryData([getCurrentUser.path], user)
  network.mockReset()
  reach.set('online')
})
afterEach(async () => {
  queryClient.clear()
  await forgetOfflineDb()
})

test('caches answers that arrived before the device’s owner was known, and shows them offline', async () => {
  network.mockResolvedValue(['Basement'])
  expect(await read()).toEqual(['Basement'])
  startKeeping(user)
  await isKeptNow()
  network.mockImplementation(noNetwork)
  expect(await read()).toEqual(['Basement'])
  expect(reach.get()).toBe('offline')
})

describe('a cached answer', () => {
  beforeEach(async () => {
    await setViewer({ user, theme: null, isLightsOff: false })
    network.mockResolvedValue(['Basement'])
    await read()
    await isKeptNow()
  })

  test('gives way to the network', async () => {
    network.mockResolvedValue(['Attic'])
    expect(await read()).toEqual(['Attic'])
  })

  test('is shown if the network does not respond in three seconds, and then refreshed', async () => {
    let answer = (_data: unknown) => {}
    network.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    network.mockResolvedValue(['Attic'])
    const started = Date.now()
    // A query on screen.
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

  test('is dropped when the server returns 404, while a refusal stays a refusal', async () => {
    network.mockRejectedValue(new ApiError({ status: 404, statusText: '', retryAfter: null }, '{"code":"not_found","message":"No"}'))
    await expect(read()).rejects.toThrow('404')
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })

  test('is invisible to another account', async () => {
    queryClient.setQueryData([getCurrentUser.path], { id: 'b' })
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })
})
