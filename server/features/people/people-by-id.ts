import { sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { bylineColumns, type NamedRow, toPerson } from './byline.ts'

/**
 * By id, whoever of these there is, blocked or not: for moderators, for the audit log, and for what one has together with somebody.
 * Where a block matters, `visiblePeople`. `show` says how each is shown: as others see them, where nothing is given.
 */
export async function peopleById(
  db: Db,
  ids: readonly (string | null)[],
  show: (row: NamedRow) => Person = toPerson,
): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(bylineColumns).where(sql<boolean>`users.id = any(${wanted}::uuid[])`).execute()
  return new Map(rows.map((row) => [row.id, show(row)]))
}
