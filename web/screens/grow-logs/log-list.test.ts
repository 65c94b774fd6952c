import { expect, test } from 'vitest'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { growthOptions, logsOptions, photosOptions, plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import type { PendingWrite } from '#web/entities/offline/use-outbox.ts'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'
import { pendingOf, withChange } from './log-list.tsx'

const write = (details: Partial<PendingWrite>): PendingWrite => ({
  ...{ id: 'w', status: 'waiting', method: 'POST', path: '/api/grow-logs', params: {}, body: {}, title: '', labels: {} },
  ...{ subjects: [], createdAt: 1, photos: [], hold: null },
  ...details,
})
const log = { id: 'known', heightCm: 40, week: 5, isWeekStated: false } as GrowLog

test('never shows a log twice, even while it is both pending and listed', () => {
  const fresh = write({ id: 'new', body: { id: 'new' }, createdAt: 2 })
  const batch = write({ id: 'b', path: '/api/grow-logs/batch', body: { logs: [{ id: 'x' }] }, createdAt: 3 })
  const arrived = write({ id: 'known', body: { id: 'known' }, status: 'arrived' })
  const arrivedBatch = write({ id: 'c', path: '/api/grow-logs/batch', body: { logs: [{ id: 'known' }] } })
  expect(pendingOf([arrived, fresh, { ...fresh, status: 'arrived' }, batch, arrivedBatch], [log]).fresh.map(({ id }) => id)).toEqual([
    'b',
    'new',
  ])
})

test('assigns changes and deletions to their logs, and still shows a log if its change needs attention', () => {
  const change = write({
    method: 'PATCH',
    path: '/api/grow-logs/:id',
    params: { id: 'known' },
    body: { heightCm: 44, version: 1, mediaIds: [] },
  })
  const deletion = write({ method: 'DELETE', path: '/api/grow-logs/:id', params: { id: 'known' } })
  const pending = pendingOf([change, deletion], [log])
  expect(pending.changes.get('known')).toBe(change)
  expect([...pending.deleted]).toEqual(['known'])
  expect(withChange(log, change)).toEqual({ ...log, heightCm: 44 })
  const hold = { kind: 'conflict' as const, message: '', theirs: {} }
  expect(withChange(log, { ...change, hold })).toBe(log)
  expect(pendingOf([{ ...deletion, hold }], [log]).deleted.size).toBe(0)
})

test('shows several changes to a log as one, or only the first that needs attention', () => {
  const change = (id: string, body: Record<string, unknown>, rest: Partial<PendingWrite> = {}) =>
    write({ id, method: 'PATCH', path: '/api/grow-logs/:id', params: { id: 'known' }, body: { ...body, version: 1 }, ...rest })
  const changeOf = (...writes: PendingWrite[]) => pendingOf(writes, [log]).changes.get('known')
  const [taller, later] = [change('1', { heightCm: 44 }), change('2', { notes: 'Stretching' })]
  expect(withChange(log, changeOf(taller, later))).toEqual({ ...log, heightCm: 44, notes: 'Stretching' })
  const held = { ...taller, hold: { kind: 'refused' as const, message: '', fields: {} } }
  expect(changeOf(held, later)).toBe(held)
  expect(changeOf(later, held)).toBe(held)
})

test('marks lists that include collaborators’ data as stale when another screen opens', () => {
  const all = [logsOptions('h'), growthOptions('h'), plantsOptions('h'), photosOptions('h')]
  for (const options of all)
    queryClient
      .getQueryCache()
      .build(queryClient, queryClient.defaultQueryOptions(options as never))
      .setData([] as never)
  markSharedDataStale()
  expect(all.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, true, true])
})
