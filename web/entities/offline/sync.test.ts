import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { recordObservations } from '#contracts/calls/observations.ts'
import { forgetOfflineDb, outboxDb } from './offline-db.ts'

const page = { addEventListener: () => {}, documentElement: { dataset: {} }, getElementById: () => null, visibilityState: 'visible' }
vi.stubGlobal('document', page)
const windowListeners = new Map<string, () => void>()
vi.stubGlobal('addEventListener', (event: string, listener: () => void) => windowListeners.set(event, listener))
vi.stubGlobal('navigator', { onLine: true })
const server = vi.hoisted(() => ({ call: vi.fn() }))
vi.mock('#web/lib/call.ts', () => server)

const { enqueue } = await import('./enqueue.ts')
const { connectivity: reach } = await import('./reach.ts')
const { requireOutbox, startSync, sync, syncStore } = await import('./sync.ts')

const isProbe = (call: unknown) => (call as { path: string }).path === getCurrentUser.path
const write = (plantId: string) =>
  enqueue(recordObservations, { params: { id: 'h1' }, body: { observations: [{ id: plantId }] } } as never, { lane: 'h1', title: plantId })
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

test('shows an entry by the time it is stored, so the next step can build on it', async () => {
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

test('notices the server again in a browser that doesn’t allow storage', async () => {
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
