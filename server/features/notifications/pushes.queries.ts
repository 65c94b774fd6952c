import type { Insertable } from 'kysely'
import type { DB, Db, Tx } from '../../db/connect.ts'

export const saveSubscription = (tx: Tx, row: Insertable<DB['push_subscriptions']>) =>
  tx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ user_id: row.user_id, p256dh: row.p256dh, auth: row.auth, created_at: row.created_at }),
    )
    .execute()

export const keepNewest = (tx: Tx, userId: string, most: number) =>
  tx
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .execute()

export const removeSubscription = (db: Db, userId: string, endpoint: string) =>
  db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()

export const forgetSubscription = (db: Db, id: string) => db.deleteFrom('push_subscriptions').where('id', '=', id).execute()

export async function subscriptionIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** Where a browser takes pushes, if it still is this person's. */
export const findSubscription = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
