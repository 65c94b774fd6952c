import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { bylineColumns, toPerson } from '../people/index.ts'

/** Who owns each of these, by its id; what nobody owns is not among them. */
export async function ownersOf(
  db: Db,
  kind: 'business' | 'community',
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const thing = sql.ref<string>(`members.${kind}_id`)
  const rows = await db
    .selectFrom('users')
    .innerJoin(sql<{ user_id: string; role: string }>`${sql.table(`${kind}_members`)}`.as('members'), 'members.user_id', 'users.id')
    .select(bylineColumns)
    .select(thing.as('thing_id'))
    .where(sql<boolean>`${thing} = any(${ids}::uuid[])`)
    .where('members.role', '=', 'owner')
    .execute()
  return new Map(
    rows.map((row) => {
      const { id, name } = toPerson(row)
      return [row.thing_id, { id, name }]
    }),
  )
}
