import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { peopleById as readPeople, toPerson } from '#server/features/people/index.ts'

/** By id, with real names: moderators must see whose hidden profile it is. */
export const peopleById = (db: Db, ids: readonly (string | null)[]): Promise<Map<string, Person>> =>
  readPeople(db, ids, (row) => toPerson({ ...row, profile_moderation: null }))

export const named = (people: ReadonlyMap<string, Person>, id: string | null): { id: string; name: string } | null => {
  const person = id === null ? undefined : people.get(id)
  return person ? { id: person.id, name: person.name } : null
}
