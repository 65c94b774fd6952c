import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetOfflineDb } from './offline-db.ts'

vi.mock('../../lib/boot.ts', () => ({ boot: { user: null, answers: [] }, brand: {} }))
vi.stubGlobal('document', { documentElement: { dataset: {} }, getElementById: () => null })
vi.stubGlobal('window', { isSecureContext: true })
const worker = { register: async () => ({ waiting: null, addEventListener: () => {} }), ready: Promise.resolve({ active: null }) }
vi.stubGlobal('navigator', { onLine: true, serviceWorker: worker })

const { queryClient } = await import('../../lib/query-client.ts')
const { currentUserCall } = await import('../../lib/current-user-call.ts')
const { ApiError } = await import('../../lib/api-error.ts')
const { keepOffline, oldestShown, refreshKept } = await import('./keep-offline.ts')
const { readAnswer, setViewer } = await import('./kept-answers.ts')
const { getReach, reportReach } = await import('./reach.ts')
const { startKeeping } = await import('./shell.ts')

const user = { id: 'a' } as Parameters<typeof startKeeping>[0]
const network = vi.fn<() => Promise<unknown>>()
const options = keepOffline({ queryKey: ['/api/pheno-hunts', {}, {}], queryFn: () => network() })
const read = () => queryClient.fetchQuery({ ...options, staleTime: 0 })
const noNetwork = async () => {
  throw new TypeError('Failed to fetch')
}
const isKeptNow = () => vi.waitFor(async () => expect(await readAnswer('a', '["/api/pheno-hunts",{},{}]')).not.toBeNull())

beforeEach(() => {
  queryClient.setQueryData([currentUserCall.path], user)
  network.mockReset()
  reportReach('online')
})
afterEach(async () => {
  queryClient.clear()
  await forgetOfflineDb()
})

test('that came before it was known whose device this is, is kept all the same, and shown without a network', async () => {
  network.mockResolvedValue(['Basement'])
  expect(await read()).toEqual(['Basement'])
  startKeeping(user)
  await isKeptNow()
  network.mockImplementation(noNetwork)
  expect(await read()).toEqual(['Basement'])
  expect(getReach()).toBe('offline')
})

describe('once it is kept', () => {
  beforeEach(async () => {
    await setViewer({ user, theme: null, isLightsOff: false })
    network.mockResolvedValue(['Basement'])
    await read()
    await isKeptNow()
  })

  test('the network is asked first, and what it says is shown', async () => {
    network.mockResolvedValue(['Attic'])
    expect(await read()).toEqual(['Attic'])
  })

  test('what was read last is shown where the network does not answer in three seconds; when it does, it is read anew', async () => {
    let answer = (_data: unknown) => {}
    network.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    network.mockResolvedValue(['Attic'])
    const started = Date.now()
    // A query that a screen shows.
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

  test('what is shown without a network is read anew when there is one', async () => {
    network.mockImplementation(noNetwork)
    const shown = new QueryObserver(queryClient, { ...options, staleTime: 0 })
    const end = shown.subscribe(() => {})
    await vi.waitFor(() => expect(oldestShown()).not.toBeNull())
    network.mockResolvedValue(['Attic'])
    await refreshKept()
    expect([shown.getCurrentResult().data, oldestShown()]).toEqual([['Attic'], null])
    end()
  })

  test('what the server says is not there is not kept either, and a refusal is a refusal', async () => {
    network.mockRejectedValue(new ApiError({ status: 404, statusText: '', retryAfter: null }, '{"code":"not_found","message":"No"}'))
    await expect(read()).rejects.toThrow('404')
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })

  test('another account sees nothing of it', async () => {
    queryClient.setQueryData([currentUserCall.path], { id: 'b' })
    network.mockImplementation(noNetwork)
    await expect(read()).rejects.toThrow('Failed to fetch')
  })
})
