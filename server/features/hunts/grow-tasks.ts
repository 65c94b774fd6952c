import { type Insertable, sql, type Updateable } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listGrowTasks as contract } from '#contracts/grow-tasks.endpoints.ts'
import { type GrowTask, type GrowTaskChange, maxOpenTasks, type NewGrowTask } from '#contracts/hunts.ts'
import { dayMs } from '#contracts/time.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bylineColumns, isNotBlocked, toPersonOrNull } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { firstUuid, newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireHunt, requireHuntOfRow } from './hunt-access.ts'
import { requireHuntWords } from './hunt-words.ts'
import { requireDayPassed, today } from './write-hunts.ts'

type Query = Parsed<(typeof contract)['query']>

/** Open tasks, longest overdue first. @throws AppError not_found or forbidden about the hunt, invalid_input about the cursor */
export async function listGrowTasks(db: Db, actor: Actor, { huntId, until, limit, cursor }: Query): Promise<Page<GrowTask>> {
  if (huntId !== undefined) await requireHunt(db, actor, huntId, 'write')
  const [dueOn, id] = decodeCursor(cursor, ['time', 'id']) ?? []
  const after = dueOn === undefined || id === undefined ? null : ([dueOn.slice(0, 10), id] as const)
  const part = { until: until ?? null, after, limit: limit + 1 }
  const keys = huntId === undefined ? await ownTaskKeys(db, actor.id, part) : await taskKeysOfHunt(db, huntId, part)
  const page = toPage(keys, limit, (row) => [`${row.due_on}T00:00:00.000Z`, row.id])
  return {
    items: await readTasks(db, actor, idsOf(page.items)),
    nextCursor: page.nextCursor,
  }
}

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
  doneBy: toPersonOrNull(row),
  version: row.version,
})

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * @throws AppError not_found, forbidden, muted, invalid_input about the genotype or refused text, conflict at the limit of tasks,
 * idempotency_mismatch
 */
export async function createGrowTask(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  input: NewGrowTask,
  idempotency: IdempotencyKey | null,
): Promise<GrowTask> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Locked for update, so that concurrent calls can't exceed the limit of open tasks.
      await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
      await requireHuntWords(tx, actor, huntId, input)
      await requireGenotype(tx, huntId, input.genotypeId)
      const id = newId()
      await insertTask(tx, {
        id,
        hunt_id: huntId,
        genotype_id: input.genotypeId,
        title: input.title,
        due_on: input.dueOn,
        every_days: input.everyDays,
        created_at: now,
      })
      await requireFewOpenTasks(tx, huntId)
      return readTask(tx, actor, id)
    }),
  )
}

/** Call this after opening a task. @throws AppError conflict */
async function requireFewOpenTasks(tx: Tx, huntId: string): Promise<void> {
  if ((await countOpenTasks(tx, huntId)) > maxOpenTasks) {
    throw new AppError('conflict', { message: `A hunt can have up to ${maxOpenTasks} open tasks. Finish or delete some first.` })
  }
}

async function requireGenotype(tx: Tx, huntId: string, genotypeId: string | null): Promise<void> {
  if (genotypeId !== null && !(await isGenotypeOf(tx, huntId, genotypeId))) {
    throw invalidField('genotypeId', 'This plant isn’t in this hunt')
  }
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict if the task was changed in the meantime */
export async function updateGrowTask(ctx: Ctx, actor: Actor, taskId: string, input: GrowTaskChange): Promise<GrowTask> {
  return inTransaction(ctx.db, async (tx) => {
    const task = await lockTask(tx, actor, taskId)
    if (task.version !== input.version) {
      throw new AppError('conflict', { message: 'This task was changed in the meantime. Reload it to see what’s new.' })
    }
    await requireHuntWords(tx, actor, task.hunt_id, input)
    await requireGenotype(tx, task.hunt_id, input.genotypeId ?? null)
    await updateTask(tx, taskId, {
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(input.dueOn === undefined ? {} : { due_on: input.dueOn }),
      ...(input.everyDays === undefined ? {} : { every_days: input.everyDays }),
      ...(input.genotypeId === undefined ? {} : { genotype_id: input.genotypeId }),
    })
    return readTask(tx, actor, taskId)
  })
}

/** Completes a task, and creates the next one if it recurs. Idempotent. */
export async function completeGrowTask(
  ctx: Ctx,
  actor: Actor,
  taskId: string,
  given: string | undefined,
): Promise<{ task: GrowTask; next: GrowTask | null }> {
  const now = ctx.clock.now()
  const doneOn = given ?? today(now)
  requireDayPassed('doneOn', doneOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const task = await lockTask(tx, actor, taskId)
    let nextId = (await followingTask(tx, taskId))?.id ?? null
    if (task.done_at === null) {
      await updateTask(tx, taskId, { done_at: now, done_by: actor.id })
      if (task.every_days !== null && nextId === null) {
        nextId = newId()
        await insertTask(tx, {
          id: nextId,
          hunt_id: task.hunt_id,
          genotype_id: task.genotype_id,
          title: task.title,
          due_on: nextDue(task.due_on, task.every_days, doneOn),
          every_days: task.every_days,
          follows_id: taskId,
          created_at: now,
        })
      }
    }
    return { task: await readTask(tx, actor, taskId), next: nextId === null ? null : await readTask(tx, actor, nextId) }
  })
}

const lastDay = Date.parse('9999-12-31')

/** The first recurrence after both `dueOn` and `doneOn`, so that missed days don't pile up. */
export function nextDue(dueOn: string, everyDays: number, doneOn: string): string {
  const due = Date.parse(dueOn) / dayMs
  const late = Math.max(0, Date.parse(doneOn) / dayMs - due)
  return today(new Date(Math.min(lastDay, (due + everyDays * (Math.floor(late / everyDays) + 1)) * dayMs)))
}

/**
 * Reopens a task and deletes the next task, unless that one has been completed or changed.
 * @throws AppError not_found, forbidden, conflict if the hunt has too many open tasks
 */
export async function reopenGrowTask(ctx: Ctx, actor: Actor, taskId: string): Promise<GrowTask> {
  return inTransaction(ctx.db, async (tx) => {
    const task = await lockTask(tx, actor, taskId)
    if (task.done_at !== null) {
      await updateTask(tx, taskId, { done_at: null, done_by: null })
      const next = await followingTask(tx, taskId)
      if (next?.done_at === null && next.version === 1) await removeTask(tx, next.id)
      await requireFewOpenTasks(tx, task.hunt_id)
    }
    return readTask(tx, actor, taskId)
  })
}

export async function deleteGrowTask(ctx: Ctx, actor: Actor, taskId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockTask(tx, actor, taskId)
    await removeTask(tx, taskId)
  })
}

/**
 * Locks the hunt for update, so that completing a task twice creates only one next task, and concurrent calls can't exceed the limit of
 * open tasks.
 */
async function lockTask(tx: Tx, actor: Actor, taskId: string) {
  const before = await taskFacts(tx, taskId)
  await requireHuntOfRow(tx, actor, before, 'Task not found.', 'write', { lock: 'update' })
  const task = await taskFacts(tx, taskId)
  if (!task) throw notFound('Task not found.')
  return task
}

type After = readonly [dueOn: string, id: string] | null
type Part = { until: string | null; after: After; limit: number }

const beginning = ['0001-01-01', firstUuid] as const
const endOfDays = '9999-12-31'

const openPart = ({ until, after, limit }: Part) => {
  const [dueOn, id] = after ?? beginning
  return sql`hunt_tasks.done_at is null and hunt_tasks.due_on <= ${until ?? endOfDays}::date
    and (hunt_tasks.due_on, hunt_tasks.id) > (${dueOn}::date, ${id}::uuid)
    order by hunt_tasks.due_on, hunt_tasks.id limit ${limit}`
}

/** Open tasks of all active hunts the person can write in, longest overdue first; reads at most a page of each hunt. */
async function ownTaskKeys(db: Db, personId: string, part: Part): Promise<{ id: string; due_on: string }[]> {
  const person = sql`${personId}::uuid`
  const { rows } = await sql<{ id: string; due_on: string }>`
    select tasks.id, tasks.due_on from (
      select id from hunts where owner_id = ${person} and is_active
      union
      select hunts.id from hunt_shares join hunts on hunts.id = hunt_shares.hunt_id
      where hunt_shares.user_id = ${person} and hunt_shares.access = 'write' and hunts.is_active
        and hunts.moderation is null and ${isNotBlocked(person, sql`hunts.owner_id`)}
    ) as mine cross join lateral (
      select hunt_tasks.id, hunt_tasks.due_on from hunt_tasks where hunt_tasks.hunt_id = mine.id and ${openPart(part)}
    ) as tasks
    order by tasks.due_on, tasks.id limit ${part.limit}`.execute(db)
  return rows
}

/** Doesn't check access. */
async function taskKeysOfHunt(db: Db, huntId: string, part: Part): Promise<{ id: string; due_on: string }[]> {
  const { rows } = await sql<{ id: string; due_on: string }>`
    select id, due_on from hunt_tasks where hunt_id = ${huntId}::uuid and ${openPart(part)}`.execute(db)
  return rows
}

type TaskRow = Awaited<ReturnType<typeof taskRows>>[number]

/** Unordered. Doesn't check access to their hunts. */
const taskRows = (db: Db, viewerId: string, ids: readonly string[]) =>
  db
    .selectFrom('hunt_tasks')
    .innerJoin('hunts', 'hunts.id', 'hunt_tasks.hunt_id')
    .leftJoin('genotypes', 'genotypes.id', 'hunt_tasks.genotype_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'hunt_tasks.done_by').on(isNotBlocked(sql`${viewerId}::uuid`, sql`hunt_tasks.done_by`)),
    )
    .select(bylineColumns)
    .select([
      'hunt_tasks.id as task_id',
      'hunt_tasks.hunt_id',
      'hunts.hunt_name',
      'hunt_tasks.genotype_id',
      'genotypes.number as genotype_number',
      'genotypes.label as genotype_label',
      'hunt_tasks.title',
      'hunt_tasks.due_on',
      'hunt_tasks.every_days',
      'hunt_tasks.done_at',
      'hunt_tasks.version',
    ])
    .where(sql<boolean>`hunt_tasks.id = any(${ids}::uuid[])`)
    .execute()

const taskFacts = (db: Db, taskId: string) =>
  db
    .selectFrom('hunt_tasks')
    .select(['id', 'hunt_id', 'genotype_id', 'title', 'due_on', 'every_days', 'done_at', 'version'])
    .where('id', '=', taskId)
    .executeTakeFirst()

const insertTask = (tx: Tx, row: Insertable<DB['hunt_tasks']>) => tx.insertInto('hunt_tasks').values(row).execute()

const updateTask = (tx: Tx, taskId: string, changes: Updateable<DB['hunt_tasks']>) =>
  tx
    .updateTable('hunt_tasks')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', taskId)
    .execute()

const removeTask = (tx: Tx, taskId: string) => tx.deleteFrom('hunt_tasks').where('id', '=', taskId).execute()

const followingTask = (tx: Tx, taskId: string) =>
  tx.selectFrom('hunt_tasks').select(['id', 'done_at', 'version']).where('follows_id', '=', taskId).executeTakeFirst()

async function countOpenTasks(tx: Tx, huntId: string): Promise<number> {
  return countRows(tx.selectFrom('hunt_tasks').where('hunt_id', '=', huntId).where('done_at', 'is', null))
}

const isGenotypeOf = async (tx: Tx, huntId: string, genotypeId: string): Promise<boolean> =>
  (await tx.selectFrom('genotypes').select('id').where('id', '=', genotypeId).where('hunt_id', '=', huntId).executeTakeFirst()) !==
  undefined
