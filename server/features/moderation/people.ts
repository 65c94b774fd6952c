import { sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { bylineColumns, toPerson } from '../people/index.ts'

/** By id, under the names that they gave: whoever moderates has to know whose hidden profile it is. */
export async function peopleById(db: Db, ids: readonly (string | null)[]): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(bylineColumns).where(sql<boolean>`users.id = any(${wanted}::uuid[])`).execute()
  return new Map(rows.map((row) => [row.id, toPerson({ ...row, profile_moderation: null })]))
}

export const named = (people: ReadonlyMap<string, Person>, id: string | null): { id: string; name: string } | null => {
  const person = id === null ? undefined : people.get(id)
  return person ? { id: person.id, name: person.name } : null
}
