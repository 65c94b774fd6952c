import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'

/** Returns false if there already was one. */
export async function insertPersonFollow(tx: Tx, followerId: string, personId: string, now: Date): Promise<boolean> {
  const added = await tx
    .insertInto('person_follows')
    .values({ follower_id: followerId, person_id: personId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst()
  return added !== undefined
}

/** Returns false if there was none. */
export async function deletePersonFollow(tx: Tx, followerId: string, personId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('person_follows')
    .where('follower_id', '=', followerId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  return removed !== undefined
}

type BusinessFollow = { userId: string; businessId: string; isImplied: boolean; now: Date }

/** An explicit follow makes an implied one explicit, but not vice versa. Returns false if there already was one. */
export async function insertBusinessFollow(tx: Tx, { userId, businessId, isImplied, now }: BusinessFollow): Promise<boolean> {
  const added = await tx
    .insertInto('business_follows')
    .values({ user_id: userId, business_id: businessId, is_implied: isImplied, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added) return true
  if (!isImplied) {
    await tx
      .updateTable('business_follows')
      .set({ is_implied: false })
      .where('user_id', '=', userId)
      .where('business_id', '=', businessId)
      .where('is_implied', '=', true)
      .execute()
  }
  return false
}

/** Returns false if there was none. `only: 'implied'` spares an explicit follow. */
export async function deleteBusinessFollow(tx: Tx, userId: string, businessId: string, only?: 'implied'): Promise<boolean> {
  const removed = await tx
    .deleteFrom('business_follows')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .$if(only === 'implied', (query) => query.where('is_implied', '=', true))
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

export async function blocksBetween(tx: Tx, viewerId: string, personId: string): Promise<{ byViewer: boolean; byPerson: boolean }> {
  const rows = await tx
    .selectFrom('person_blocks')
    .select('blocker_id')
    .where(sql<boolean>`(blocker_id, blocked_id) in ((${viewerId}::uuid, ${personId}::uuid), (${personId}::uuid, ${viewerId}::uuid))`)
    .execute()
  return {
    byViewer: rows.some((row) => row.blocker_id === viewerId),
    byPerson: rows.some((row) => row.blocker_id === personId),
  }
}

/** Which of the two has blocked the other; 'person' if both have. */
export async function businessBlock(db: Db, userId: string, businessId: string): Promise<'person' | 'business' | null> {
  const { rows } = await sql<{ by_person: boolean; by_business: boolean }>`
    select exists (select from business_blocks where user_id = ${userId}::uuid and business_id = ${businessId}::uuid) as by_person,
      exists (select from business_person_blocks where person_id = ${userId}::uuid and business_id = ${businessId}::uuid) as by_business`.execute(
    db,
  )
  return rows[0]?.by_person ? 'person' : rows[0]?.by_business ? 'business' : null
}

export async function isSubscribed(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const subscription = await tx
    .selectFrom('subscriptions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return subscription !== undefined
}

/** Prevents the business from being deleted until the transaction ends. */
export const lockBusiness = (tx: Tx, businessId: string) =>
  tx.selectFrom('businesses').select('id').where('id', '=', businessId).where('moderation', 'is', null).forKeyShare().executeTakeFirst()
