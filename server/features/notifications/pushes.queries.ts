import type { Insertable } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'

export const saveSubscription = (tx: Tx, row: Insertable<DB['push_subscriptions']>) =>
  tx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ user_id: row.user_id, p256dh: row.p256dh, auth: row.auth, created_at: row.created_at }),
    )
    .execute()

export const deleteOldest = (tx: Tx, userId: string, max: number) =>
  tx
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .execute()

export const removeSubscription = (db: Db, userId: string, endpoint: string) =>
  db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()

export const forgetSubscription = (db: Db, id: string) => db.deleteFrom('push_subscriptions').where('id', '=', id).execute()

export async function subscriptionIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** A browser's push subscription, if it still belongs to this person. */
export const findSubscription = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
