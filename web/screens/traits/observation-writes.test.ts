import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { deleteGrowLog, restoreGrowLog } from '#contracts/calls/grow-logs.ts'
import { getHunt, listHuntActivity, listHunts } from '#contracts/calls/hunts.ts'
import { getTraitRecords, listObservations, recordObservations } from '#contracts/calls/observations.ts'
import { listGenotypes, listKeptPhenos } from '#contracts/calls/plants.ts'
import { listPlacements, listRuns } from '#contracts/calls/runs.ts'
import { getLineage } from '#contracts/calls/seed-lots.ts'
import { deleteHarvest, listHarvests, listTraits, recordHarvests, updateHarvest } from '#contracts/calls/traits.ts'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { HarvestChange } from '#contracts/traits.ts'
import { forgetOfflineDb, outboxDb } from '#web/entities/offline/offline-db.ts'
import { bodyOf } from '#web/entities/offline/outbox.ts'

const page = { addEventListener: () => {}, documentElement: { dataset: {} }, getElementById: () => null, visibilityState: 'visible' }
vi.stubGlobal('document', page)
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('window', { isSecureContext: false })
const server = vi.hoisted(() => ({ call: vi.fn() }))
vi.mock('#web/lib/call.ts', async (original) => ({ ...(await original<object>()), call: server.call }))

const { removeLog, undoRemoval } = await import('#web/entities/grow-logs/log-writes.ts')
const { enqueue } = await import('#web/entities/offline/enqueue.ts')
const { connectivity } = await import('#web/entities/offline/reach.ts')
const { requireOutbox, startSync, sync } = await import('#web/entities/offline/sync.ts')
const { harvestPaths, undoCorrection, undoHarvests, undoValues, writeValues } = await import('./observation-writes.ts')

let account = 0
const me = () => `person ${account}`
const isProbe = (call: unknown) => (call as { path: string }).path === getCurrentUser.path
const loseAnswers = () =>
  server.call.mockImplementation(async (call) => (isProbe(call) ? { id: me() } : Promise.reject(new DOMException('', 'TimeoutError'))))
const loseConnection = () => server.call.mockRejectedValue(new TypeError('Failed to fetch'))

beforeEach(async () => {
  account++
  loseConnection()
  connectivity.set('online')
  await startSync(me())
})
afterEach(forgetOfflineDb)
// Otherwise, a retry would run after this file's tests, when `document` no longer exists.
afterAll(async () => {
  server.call.mockImplementation(async () => ({ id: me() }))
  await requireOutbox().clear()
  await sync()
})

const waiting = async () =>
  (await outboxDb.read(me())).map((write) => ({
    method: write.call.method,
    path: write.call.path,
    params: write.input.params,
    body: bodyOf(write),
  }))

/** Sends the pending entries without getting a response, so that they may have arrived. */
async function sendWithoutAnswer(): Promise<void> {
  await sync()
  loseAnswers()
  await requireOutbox().flush()
  loseConnection()
}

const score = { traitId: 't', plantId: 'p', observedOn: '2026-03-02', sameDay: 'correct' as const }
const numeric = (number: number) => ({ kind: 'number' as const, number })
const written = () => writeValues('h', 'Vigor of #7', [{ ...score, value: numeric(8) }])

test('undoes a score that was never sent by discarding it', async () => {
  await undoValues('h', 'Vigor of #7', score, await written(), null)
  expect(await waiting()).toEqual([])
})

test.each([
  ['withdraws a score', null],
  ['restores the score before one', numeric(7)],
])('%s that may have arrived', async (_title, before) => {
  const entry = await written()
  await sendWithoutAnswer()
  await undoValues('h', 'Vigor of #7', score, entry, before)
  const correctsId = before ? null : entry.observationIds[0]
  expect(await waiting()).toMatchObject([{ ...recordObservations, body: { observations: [{ ...score, value: before, correctsId }] } }])
})

test('deletes harvests that may have arrived, and discards those that were never sent', async () => {
  const harvests = [{ id: 'a', plantId: 'p1' }]
  const add = () =>
    enqueue(recordHarvests, { params: { id: 'h' }, body: { harvests, endsPlants: true } } as never, { lane: 'h', title: 'Harvest of #7' })
  const nameOf = () => '#7'
  await undoHarvests('h', { entryId: await add(), harvests }, nameOf)
  expect(await waiting()).toEqual([])
  const entryId = await add()
  await sendWithoutAnswer()
  await undoHarvests('h', { entryId, harvests }, nameOf)
  expect(await waiting()).toEqual([{ ...deleteHarvest, params: { id: 'a' }, body: {} }])
})

test('refreshes the values of a hunt after a score, but not its plants, runs and counts', async () => {
  await written()
  const [{ refreshes, inSeries } = { refreshes: [], inSeries: false }] = await outboxDb.read(me())
  expect(inSeries).toBe(true)
  const isRefreshed = ({ path }: { path: string }) => refreshes.some((each) => path.startsWith(each))
  expect([getTraitRecords, listObservations, listTraits, listHuntActivity].every(isRefreshed)).toBe(true)
  expect([listGenotypes, listRuns, getHunt, listHunts].some(isRefreshed)).toBe(false)
})

test('postpones the refresh only for scores that screens show before it', async () => {
  const second = { ...score, value: numeric(6), sameDay: 'add' as const }
  await writeValues('h', 'Vigor of #7', [{ ...score, value: numeric(8) }, second])
  await writeValues('h', 'Vigor of #7', [second])
  expect((await outboxDb.read(me())).map(({ inSeries }) => inSeries)).toEqual([false, false])
})

test('refreshes the lists that show whether a plant is alive when a harvest changes', () => {
  const paths = [listHarvests, listGenotypes, listKeptPhenos, listPlacements, getLineage].map(({ path }) => path)
  expect(harvestPaths).toEqual(expect.arrayContaining(paths))
})

test('restores the values before a correction that may have arrived, and discards one that was never sent', async () => {
  const [change, before] = [
    { wetGrams: 405, version: 3 },
    { wetGrams: 400, dryGrams: 96 },
  ]
  const correct = (body: HarvestChange) => enqueue(updateHarvest, { params: { id: 'a' }, body }, { lane: 'h', title: 'Harvest of #7' })
  await undoCorrection({ entryId: await correct(change), change, before }, correct)
  expect(await waiting()).toEqual([])
  const entryId = await correct(change)
  await sendWithoutAnswer()
  await undoCorrection({ entryId, change, before }, correct)
  expect(await waiting()).toEqual([{ ...updateHarvest, params: { id: 'a' }, body: { wetGrams: 400, version: 4 } }])
})

test('restores a log whose deletion may have arrived, and discards a deletion that was never sent', async () => {
  const log = { id: 'log', huntId: 'h', version: 2, plant: null, week: null } as GrowLog
  await undoRemoval(log, await removeLog(log))
  expect(await waiting()).toEqual([])
  const entryId = await removeLog(log)
  await sendWithoutAnswer()
  expect(await waiting()).toMatchObject([{ method: deleteGrowLog.method, path: deleteGrowLog.path }])
  await undoRemoval(log, entryId)
  expect(await waiting()).toEqual([{ ...restoreGrowLog, params: { id: 'log' }, body: {} }])
})
