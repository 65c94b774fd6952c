import { type GrowTask, type GrowTaskChange, maxOpenTasks, type NewGrowTask } from '../../../contracts/grow-tasks.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { countOpenTasks, followingTask, insertTask, isGenotypeOf, removeTask, taskFacts, updateTask } from './grow-tasks.queries.ts'
import { requireHunt, requireHuntOfRow } from './hunt-access.ts'
import { today } from './hunt-rules.ts'
import { requireHuntWords } from './hunt-words.ts'
import { readTask } from './list-grow-tasks.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** @throws AppError not_found, forbidden, invalid_input about the genotype, conflict where there are too many, idempotency_mismatch */
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
      await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
      await requireHuntWords(tx, actor, huntId, input)
      await requireGenotype(tx, huntId, input.genotypeId)
      if ((await countOpenTasks(tx, huntId)) >= maxOpenTasks) {
        throw new AppError('conflict', { message: `This hunt has ${maxOpenTasks} open tasks already. Finish or delete some first.` })
      }
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
      return readTask(tx, actor, id)
    }),
  )
}

async function requireGenotype(tx: Tx, huntId: string, genotypeId: string | null): Promise<void> {
  if (genotypeId !== null && !(await isGenotypeOf(tx, huntId, genotypeId))) {
    throw invalidField('genotypeId', 'This plant is not of this hunt')
  }
}

/** @throws AppError not_found, forbidden, invalid_input, conflict when somebody changed it meanwhile */
export async function changeGrowTask(ctx: Ctx, actor: Actor, taskId: string, input: GrowTaskChange): Promise<GrowTask> {
  return inTransaction(ctx.db, async (tx) => {
    const task = await holdTask(tx, actor, taskId)
    if (task.version !== input.version) {
      throw new AppError('conflict', { message: 'Somebody changed this task meanwhile. Load it again to see what is new.' })
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

/** Of a task that repeats, the next comes with it: once, however often this is called. @throws AppError not_found, forbidden */
export async function doGrowTask(ctx: Ctx, actor: Actor, taskId: string): Promise<{ task: GrowTask; next: GrowTask | null }> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const task = await holdTask(tx, actor, taskId)
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
          due_on: nextDue(task.due_on, task.every_days, today(now)),
          every_days: task.every_days,
          follows_id: taskId,
          created_at: now,
        })
      }
    }
    return { task: await readTask(tx, actor, taskId), next: nextId === null ? null : await readTask(tx, actor, nextId) }
  })
}

/** Days are written with four digits. */
const lastDay = Date.parse('9999-12-31')

/** The first day of its rhythm after the day on which it was done: what was missed does not pile up. */
export function nextDue(dueOn: string, everyDays: number, doneOn: string): string {
  const due = Date.parse(dueOn) / 86_400_000
  const late = Math.max(0, Date.parse(doneOn) / 86_400_000 - due)
  return today(new Date(Math.min(lastDay, (due + everyDays * (Math.floor(late / everyDays) + 1)) * 86_400_000)))
}

/** The next one goes with it, unless somebody did or changed that since. @throws AppError not_found, forbidden */
export async function undoGrowTask(ctx: Ctx, actor: Actor, taskId: string): Promise<GrowTask> {
  return inTransaction(ctx.db, async (tx) => {
    const task = await holdTask(tx, actor, taskId)
    if (task.done_at !== null) {
      await updateTask(tx, taskId, { done_at: null, done_by: null })
      const next = await followingTask(tx, taskId)
      if (next?.done_at === null && next.version === 1) await removeTask(tx, next.id)
    }
    return readTask(tx, actor, taskId)
  })
}

/** @throws AppError not_found, forbidden */
export async function deleteGrowTask(ctx: Ctx, actor: Actor, taskId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await holdTask(tx, actor, taskId)
    await removeTask(tx, taskId)
  })
}

/** A task that the actor may change. Its hunt is held for update, so that doing it twice at once makes one next. @throws AppError not_found, forbidden */
async function holdTask(tx: Tx, actor: Actor, taskId: string) {
  const before = await taskFacts(tx, taskId)
  await requireHuntOfRow(tx, actor, before, 'Task not found.', 'write', { lock: 'update' })
  const task = await taskFacts(tx, taskId)
  if (!task) throw notFound('Task not found.')
  return task
}
