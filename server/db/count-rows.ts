import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB, Db } from './connect.ts'

/** Expects a query without columns. */
export async function countRows<Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, object>): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** Stops counting at `max`. Expects a query without columns. */
export async function countUpTo<Table extends keyof DB>(
  db: Db,
  query: SelectQueryBuilder<DB, Table, object>,
  max: number,
): Promise<number> {
  const some = query.select(sql<number>`1`.as('one')).limit(max).as('some')
  const { count } = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
