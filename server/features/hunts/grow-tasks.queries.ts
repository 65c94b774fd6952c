import { type Insertable, sql, type Updateable } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { bylineColumns, isNotBlocked } from '#server/features/people/index.ts'

type After = readonly [dueOn: string, id: string] | null
type Part = { until: string | null; after: After; limit: number }

/** Sorts before every task. */
const beginning = ['0001-01-01', '00000000-0000-0000-0000-000000000000'] as const
const lastDay = '9999-12-31'

const openPart = ({ until, after, limit }: Part) => {
  const [dueOn, id] = after ?? beginning
  return sql`hunt_tasks.done_at is null and hunt_tasks.due_on <= ${until ?? lastDay}::date
    and (hunt_tasks.due_on, hunt_tasks.id) > (${dueOn}::date, ${id}::uuid)
    order by hunt_tasks.due_on, hunt_tasks.id limit ${limit}`
}

/** Open tasks of all active hunts the person can write in, longest overdue first; reads at most a page of each hunt. */
export async function ownTaskKeys(db: Db, personId: string, part: Part): Promise<{ id: string; due_on: string }[]> {
  const person = sql`${personId}::uuid`
  const { rows } = await sql<{ id: string; due_on: string }>`
    select tasks.id, tasks.due_on from (
      select id from hunts where owner_id = ${person} and is_active
      union
      select hunts.id from hunt_shares join hunts on hunts.id = hunt_shares.hunt_id
      where hunt_shares.user_id = ${person} and hunt_shares.access = 'write' and hunts.is_active
        and ${isNotBlocked(person, sql`hunts.owner_id`)}
    ) as mine cross join lateral (
      select hunt_tasks.id, hunt_tasks.due_on from hunt_tasks where hunt_tasks.hunt_id = mine.id and ${openPart(part)}
    ) as tasks
    order by tasks.due_on, tasks.id limit ${part.limit}`.execute(db)
  return rows
}

/** Open tasks of a hunt. The caller must have checked write access. */
export async function taskKeysOfHunt(db: Db, huntId: string, part: Part): Promise<{ id: string; due_on: string }[]> {
  const { rows } = await sql<{ id: string; due_on: string }>`
    select id, due_on from hunt_tasks where hunt_id = ${huntId}::uuid and ${openPart(part)}`.execute(db)
  return rows
}

export type TaskRow = Awaited<ReturnType<typeof taskRows>>[number]

/** Unordered. The caller must have checked write access to their hunts. */
export const taskRows = (db: Db, viewerId: string, ids: readonly string[]) =>
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

export const taskFacts = (db: Db, taskId: string) =>
  db
    .selectFrom('hunt_tasks')
    .select(['id', 'hunt_id', 'genotype_id', 'title', 'due_on', 'every_days', 'done_at', 'version'])
    .where('id', '=', taskId)
    .executeTakeFirst()

export const insertTask = (tx: Tx, row: Insertable<DB['hunt_tasks']>) => tx.insertInto('hunt_tasks').values(row).execute()

/** Increments the version. */
export const updateTask = (tx: Tx, taskId: string, changes: Updateable<DB['hunt_tasks']>) =>
  tx
    .updateTable('hunt_tasks')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', taskId)
    .execute()

export const removeTask = (tx: Tx, taskId: string) => tx.deleteFrom('hunt_tasks').where('id', '=', taskId).execute()

export const followingTask = (tx: Tx, taskId: string) =>
  tx.selectFrom('hunt_tasks').select(['id', 'done_at', 'version']).where('follows_id', '=', taskId).executeTakeFirst()

export async function countOpenTasks(tx: Tx, huntId: string): Promise<number> {
  return countRows(tx.selectFrom('hunt_tasks').where('hunt_id', '=', huntId).where('done_at', 'is', null))
}

export const isGenotypeOf = async (tx: Tx, huntId: string, genotypeId: string): Promise<boolean> =>
  (await tx.selectFrom('genotypes').select('id').where('id', '=', genotypeId).where('hunt_id', '=', huntId).executeTakeFirst()) !==
  undefined
