import { changeGrowLog, createGrowLog, createGrowLogs, deleteGrowLog } from '#contracts/calls/grow-logs.ts'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { PendingWrite } from '#web/entities/offline/use-outbox.ts'

export type Pending = {
  /** New logs and batches missing from the list, newest first. */
  fresh: PendingWrite[]
  changes: ReadonlyMap<string, PendingWrite>
  deleted: ReadonlySet<string>
}

export function pendingOf(writes: readonly PendingWrite[], logs: readonly GrowLog[]): Pending {
  const known = new Set(logs.map(({ id }) => id))
  const isKnown = ({ body }: PendingWrite) =>
    [body, ...(Array.isArray(body.logs) ? body.logs : [])].some((each) => known.has(String((each as { id?: unknown }).id)))
  const of = ({ path, method }: { path: string; method: string }) =>
    writes.filter((write) => write.path === path && write.method === method)
  return {
    // A write may briefly be both pending and listed.
    fresh: [...new Map([...of(createGrowLog), ...of(createGrowLogs)].map((write) => [write.id, write])).values()]
      .filter((write) => !isKnown(write))
      .sort((a, b) => b.createdAt - a.createdAt),
    changes: new Map(of(changeGrowLog).map((write) => [write.params.id ?? '', write])),
    deleted: new Set(of(deleteGrowLog).flatMap(({ params, hold }) => (hold || !params.id ? [] : [params.id]))),
  }
}

export function withChange(log: GrowLog, change: PendingWrite | undefined): GrowLog {
  if (!change || change.hold) return log
  const { version: _version, plantId: _plantId, mediaIds: _mediaIds, ...said } = change.body
  const stated = said.week === undefined ? {} : { isWeekStated: said.week !== null, week: (said.week as number | null) ?? log.week }
  return { ...log, ...said, ...stated }
}
