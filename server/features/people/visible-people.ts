import { sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { bylineColumns, toPerson } from './byline.ts'
import { isNotBlocked } from './visibility.ts'

/** By id, whoever of these there is and no block keeps from the viewer. */
export async function visiblePeople(db: Db, viewerId: string, ids: readonly (string | null)[]): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(sql<boolean>`users.id = any(${wanted}::uuid[])`)
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`))
    .execute()
  return new Map(rows.map((row) => [row.id, toPerson(row)]))
}
