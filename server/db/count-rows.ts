import type { SelectQueryBuilder } from 'kysely'
import type { DB } from './connect.ts'

/** Expects a query without columns. */
export async function countRows<Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, object>): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
