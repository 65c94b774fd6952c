import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { recordObservations } from '#contracts/calls/observations.ts'
import { cacheAnswer, setViewer } from './cached-answers.ts'
import { forgetOfflineDb, outboxDb } from './offline-db.ts'

const pageListeners = new Map<string, () => void>()
const page = {
  addEventListener: (event: string, listener: () => void) => pageListeners.set(event, listener),
  documentElement: { dataset: {} },
  getElementById: () => null,
  visibilityState: 'visible',
}
vi.stubGlobal('document', page)
const windowListeners = new Map<string, () => void>()
vi.stubGlobal('addEventListener', (event: string, listener: () => void) => windowListeners.set(event, listener))
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('window', { isSecureContext: false })
const server = vi.hoisted(() => ({ call: vi.fn() }))
vi.mock('#web/lib/call.ts', () => server)

const { ApiError } = await import('#web/lib/api-error.ts')
const { queryClient } = await import('#web/lib/query-client.ts')
const { cacheOffline, refreshCached } = await import('./cache-offline.ts')
const { enqueue } = await import('./enqueue.ts')
const { connectivity: reach } = await import('./reach.ts')
const { requireOutbox, startSync, sync, syncNow, syncStore } = await import('./sync.ts')

const isProbe = (call: unknown) => (call as { path: string }).path === getCurrentUser.path
const write = (plantId: string, refreshes: readonly string[] = [], inSeries = false) => {
  const input = { params: { id: 'h1' }, body: { observations: [{ id: plantId }] } }
  return enqueue(recordObservations, input as never, { lane: 'h1', title: plantId, refreshes, inSeries })
}
const shown = () => [...syncStore.get().arrived, ...syncStore.get().waiting].map(({ title }) => title)

let account = 0
beforeEach(async () => {
  reach.set('online')
  server.call.mockReset()
  await startSync(`person ${++account}`)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await forgetOfflineDb()
})
// A retry would run after this file, without its `document`.
afterAll(async () => {
  server.call.mockImplementation(async () => ({ id: `person ${account}` }))
  reach.set('offline')
  await sync()
  await refreshCached()
  await sync()
})

test('shows an entry as soon as it is stored, so the next step can build on it', async () => {
  server.call.mockRejectedValue(new TypeError('Failed to fetch'))
  await write('#1')
  expect(shown()).toEqual(['#1'])
  await write('#2')
  expect(shown()).toEqual(['#1', '#2'])
})

test('shows an entry added during an older read of the storage until the lists include it', async () => {
  server.call.mockRejectedValue(new TypeError('Failed to fetch'))
  await write('#1')
  await vi.waitFor(() => expect(reach.get()).toBe('offline'))

  const read = outboxDb.read
  let finishRead = () => {}
  vi.spyOn(outboxDb, 'read').mockImplementationOnce(async (of) => {
    const stored = await read(of)
    await new Promise<void>((done) => {
      finishRead = done
    })
    return stored
  })
  await requireOutbox().hurry()
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  const seen: string[][] = []
  const stop = syncStore.subscribe(() => {
    if (syncStore.get().arrived.length > 0) finishRead()
    seen.push(shown())
  })
  await sync()
  stop()
  expect(seen.at(-1)).toEqual([])
  const whileSending = seen.slice(0, -1)
  expect(whileSending.length).toBeGreaterThan(2)
  for (const titles of whileSending) expect(titles).toEqual(['#1'])
})

test('sends an entry that is waiting after a server error when the person asks to sync', async () => {
  const failed = new ApiError({ status: 500, statusText: '', retryAfter: '300' }, '{"code":"internal","message":"Something went wrong."}')
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : Promise.reject(failed)))
  await write('#1')
  await vi.waitFor(() => expect(syncStore.get().waiting).toMatchObject([{ failures: 1 }]))
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  await sync()
  expect(shown()).toEqual(['#1'])
  await syncNow()
  expect(shown()).toEqual([])
})

test('waits before sending again if an entry gets no response although the server responds to probes', async () => {
  server.call.mockRejectedValue(new TypeError('Failed to fetch'))
  await write('#1')
  await vi.waitFor(() => expect(reach.get()).toBe('offline'))
  await sync()
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : Promise.reject(new TypeError())))
  server.call.mockClear()
  void sync()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(server.call.mock.calls.filter(([call]) => !isProbe(call))).toHaveLength(1)
  expect(reach.get()).toBe('offline')
})

test('detects that the server is back, even in a browser that refuses storage', async () => {
  const notAllowed = new DOMException('Not allowed', 'SecurityError')
  vi.spyOn(outboxDb, 'read').mockRejectedValue(notAllowed)
  vi.spyOn(outboxDb, 'update').mockRejectedValue(notAllowed)
  server.call.mockImplementation(async () => ({ id: `person ${account}` }))
  await sync()
  reach.set('offline')
  await sync()
  expect(reach.get()).toBe('online')
  reach.set('offline')
  windowListeners.get('online')?.()
  await vi.waitFor(() => expect(reach.get()).toBe('online'))
})

/** Shows a list from the device, because the server fails to return it. */
async function showStoredList(list: () => Promise<string[]>) {
  const id = `person ${account}`
  queryClient.setQueryData([getCurrentUser.path], { id })
  await setViewer({ user: { id } as never, theme: null, isLightsOff: false })
  await cacheAnswer(id, '["/api/scores"]', [])
  const observer = new QueryObserver(queryClient, cacheOffline({ queryKey: ['/api/scores'], queryFn: list, staleTime: 0 }))
  onTestFinished(observer.subscribe(() => {}))
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual([]))
  return observer
}

test('waits before retrying a list that fails although the server responds', async () => {
  server.call.mockImplementation(async () => ({ id: `person ${account}` }))
  const list = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  await showStoredList(list)
  list.mockClear()
  reach.set('online')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(list).toHaveBeenCalledOnce()
  expect(reach.get()).toBe('offline')
})

test('shows a delivered entry until the list that lacks it is replaced', async () => {
  const list = vi.fn(async (): Promise<string[]> => [])
  const observer = await showStoredList(list)
  list.mockRejectedValue(new TypeError('Failed to fetch'))
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  await write('#1', ['/api/scores'])
  await vi.waitFor(async () => expect(await outboxDb.read(`person ${account}`)).toEqual([]))
  await sync()
  expect([observer.getCurrentResult().data, shown()]).toEqual([[], ['#1']])

  list.mockResolvedValue(['#1'])
  await refreshCached()
  expect([observer.getCurrentResult().data, shown()]).toEqual([['#1'], []])
})

/** A list on screen, which has been fetched once. */
async function showList() {
  const list = vi.fn(async (): Promise<string[]> => [])
  const observer = new QueryObserver(queryClient, { queryKey: ['/api/scores', account], queryFn: list })
  onTestFinished(observer.subscribe(() => {}))
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
  return list
}

test('sends a series of scores while their list is being refetched, and refetches it again once they pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  const sent = () => server.call.mock.calls.filter(([call]) => !isProbe(call)).length
  const list = await showList()
  const slow = Promise.withResolvers<string[]>()
  list.mockReturnValueOnce(slow.promise)
  for (let count = 1; count <= 20; count++) {
    await write(`#${count}`, ['/api/scores'], true)
    await vi.waitFor(() => expect(sent()).toBe(count))
    vi.advanceTimersByTime(300)
  }
  expect(list).toHaveBeenCalledTimes(2)
  expect(shown()).toHaveLength(20)

  slow.resolve([])
  await vi.waitFor(() => expect(shown()).toHaveLength(19))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(list).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(2_000)
  await vi.waitFor(() => expect(shown()).toEqual([]))
  expect(list).toHaveBeenCalledTimes(3)
})

test('refetches the list of a long series every half minute and when the page is hidden', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  const list = await showList()
  for (let count = 1; count <= 18; count++) {
    await write(`#${count}`, ['/api/scores'], true)
    await sync()
    await vi.advanceTimersByTimeAsync(4_000)
  }
  // It was called for the screen, after the first score, and twice in the 72 seconds since.
  expect(list).toHaveBeenCalledTimes(4)
  page.visibilityState = 'hidden'
  onTestFinished(() => {
    page.visibilityState = 'visible'
  })
  pageListeners.get('visibilitychange')?.()
  await vi.waitFor(() => expect(shown()).toEqual([]))
})

test('refetches the list of other entries immediately', async () => {
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: `person ${account}` } : {}))
  const list = await showList()
  for (const title of ['#1', '#2']) {
    await write(title, ['/api/scores'])
    await sync()
    expect(shown()).toEqual([])
  }
  expect(list).toHaveBeenCalledTimes(3)
})

test('refetches once for all entries that another tab has sent, but not while hidden', async () => {
  const list = await showList()
  const other = new BroadcastChannel('outbox')
  onTestFinished(() => other.close())
  for (let count = 0; count < 20; count++) other.postMessage(['/api/scores'])
  await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2), { timeout: 3_000 })
  page.visibilityState = 'hidden'
  onTestFinished(() => {
    page.visibilityState = 'visible'
  })
  other.postMessage(['/api/scores'])
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(list).toHaveBeenCalledTimes(2)
  page.visibilityState = 'visible'
  pageListeners.get('visibilitychange')?.()
  await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(3), { timeout: 3_000 })
})
