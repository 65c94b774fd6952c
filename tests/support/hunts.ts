import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

let codes = 0
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A unique eight-character code, as on labels. */
const nextCode = (): string => {
  let rest = ++codes
  let code = ''
  for (let i = 0; i < 8; i++) {
    code = letters[rest % 32] + code
    rest = Math.floor(rest / 32)
  }
  return code
}

/** Inserts a hunt directly, without side effects. */
export async function addHunt(db: Db, ownerId: string, details: Partial<Insertable<DB['hunts']>> = {}): Promise<{ id: string }> {
  const id = newId()
  const published = details.visibility === 'public' ? { published_at: new Date() } : {}
  await db
    .insertInto('hunts')
    .values({ id, owner_id: ownerId, hunt_name: 'Blue Dream F2', ...published, ...details })
    .execute()
  return { id }
}

/** Numbered seeds with their plants, in order of number. */
export async function addPlants(
  db: Db,
  huntId: string,
  count: number,
  details: Partial<Insertable<DB['plants']>> = {},
): Promise<{ id: string; genotypeId: string; number: number; code: string }[]> {
  const { last } = await db
    .selectFrom('genotypes')
    .select((eb) => eb.fn.coalesce(eb.fn.max<number>('number'), eb.lit(0)).as('last'))
    .where('hunt_id', '=', huntId)
    .executeTakeFirstOrThrow()
  const plants = Array.from({ length: count }, (_, i) => ({ id: newId(), genotypeId: newId(), number: last + i + 1, code: nextCode() }))
  await db
    .insertInto('genotypes')
    .values(plants.map(({ genotypeId, number }) => ({ id: genotypeId, hunt_id: huntId, number })))
    .execute()
  await db
    .insertInto('plants')
    .values(
      plants.map(({ id, genotypeId, code }) => ({
        id,
        hunt_id: huntId,
        genotype_id: genotypeId,
        kind: 'seed' as const,
        copy: 0,
        code,
        ...details,
      })),
    )
    .execute()
  await db
    .updateTable('hunts')
    .set({ next_number: last + count + 1 })
    .where('id', '=', huntId)
    .execute()
  return plants
}

export const shareHunt = (db: Db, huntId: string, userId: string, access: 'view' | 'write') =>
  db.insertInto('hunt_shares').values({ hunt_id: huntId, user_id: userId, access }).execute()
