import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

let count = 0

/** Members without a session or a password, for tests that need many of them and call features directly. */
export async function addPeople(db: Db, total: number, details: Partial<Insertable<DB['users']>> = {}): Promise<string[]> {
  const rows = Array.from({ length: total }, () => ({
    id: newId(),
    email: `added-${++count}-${process.pid}@example.com`,
    first_name: 'Added',
    last_name: `Number ${count}`,
    birthday: '1990-04-01',
    has_completed_onboarding: true,
    ...details,
  }))
  if (rows.length > 0) await db.insertInto('users').values(rows).execute()
  return rows.map((row) => row.id)
}
