import type { Tx } from '../../db/connect.ts'

/** Holds a business until the transaction ends: of two claims at once, the second sees what became of the first. */
export const lockBusiness = (tx: Tx, id: string) =>
  tx
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'is_demo', 'claimed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** From now on it is its owner who says what stands there; imports write its standing in the register alone. */
export const setClaimed = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable('businesses')
    .set((eb) => ({ claimed_at: eb.fn.coalesce('claimed_at', eb.val(now)), updated_at: now }))
    .where('id', '=', id)
    .execute()
