import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'

/** Prevents the business from being deleted until the transaction ends. */
export const lockBusiness = (tx: Tx, businessId: string) =>
  tx.selectFrom('businesses').select('id').where('id', '=', businessId).where('moderation', 'is', null).forKeyShare().executeTakeFirst()

/** Idempotent. */
export const addFavorite = (tx: Tx, favorite: { id: string; userId: string; businessId: string; now: Date }) =>
  tx
    .insertInto('favorites')
    .values({ id: favorite.id, user_id: favorite.userId, business_id: favorite.businessId, created_at: favorite.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'business_id']).doNothing())
    .execute()

export const removeFavorite = (tx: Tx, userId: string, businessId: string) =>
  tx.deleteFrom('favorites').where('user_id', '=', userId).where('business_id', '=', businessId).execute()

export const favoriteRows = (db: Db, userId: string, after: readonly [createdAt: string, id: string] | null, limit: number) =>
  db
    .selectFrom('favorites')
    .select(['id', 'business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
