import type { Parsed } from '../../../contracts/endpoint.ts'
import type { listGrowTasks as contract, GrowTask } from '../../../contracts/grow-tasks.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { toPerson } from '../people/index.ts'
import { ownTaskKeys, type TaskRow, taskKeysOfHunt, taskRows } from './grow-tasks.queries.ts'
import { requireHunt } from './hunt-access.ts'

type Query = Parsed<(typeof contract)['query']>

/** Open tasks, the longest due first. @throws AppError not_found, forbidden about the hunt */
export async function listGrowTasks(db: Db, actor: Actor, { huntId, until, limit, cursor }: Query): Promise<Page<GrowTask>> {
  if (huntId !== undefined) await requireHunt(db, actor, huntId, 'write')
  const [dueOn, id] = decodeCursor(cursor, ['time', 'id']) ?? []
  const after = dueOn === undefined || id === undefined ? null : ([dueOn.slice(0, 10), id] as const)
  const part = { until: until ?? null, after, limit: limit + 1 }
  const keys = huntId === undefined ? await ownTaskKeys(db, actor.id, part) : await taskKeysOfHunt(db, huntId, part)
  const page = toPage(keys, limit, (row) => [`${row.due_on}T00:00:00.000Z`, row.id])
  return {
    items: await readTasks(
      db,
      actor,
      page.items.map((row) => row.id),
    ),
    nextCursor: page.nextCursor,
  }
}

/** @throws AppError not_found */
export async function readTask(db: Db, actor: Actor, taskId: string): Promise<GrowTask> {
  const [task] = await readTasks(db, actor, [taskId])
  if (!task) throw notFound('Task not found.')
  return task
}

async function readTasks(db: Db, actor: Actor, ids: readonly string[]): Promise<GrowTask[]> {
  if (ids.length === 0) return []
  const rows = new Map((await taskRows(db, actor.id, ids)).map((row) => [row.task_id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toGrowTask(row)] : []
  })
}

const toGrowTask = (row: TaskRow): GrowTask => ({
  id: row.task_id,
  huntId: row.hunt_id,
  huntName: row.hunt_name,
  genotype: row.genotype_id === null ? null : { id: row.genotype_id, number: row.genotype_number ?? 0, label: row.genotype_label ?? '' },
  title: row.title,
  dueOn: row.due_on,
  everyDays: row.every_days,
  doneAt: row.done_at?.toISOString() ?? null,
  doneBy: row.id === null ? null : toPerson({ ...row, id: row.id, is_profile_public: row.is_profile_public ?? false }),
  version: row.version,
})
