import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 500

/** Deletes a person's own notifications, and removes the person from other people's. Deletes those left without an actor. */
export const eraseNotifications: EraseStep = {
  name: 'news',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<{ notification_id: string }>`
        select notification_id from notification_actors where user_id = ${userId}::uuid limit ${batch}::int`.execute(tx)
      const ids = rows.map((row) => row.notification_id)
      await sql`select from notifications where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
      await sql`delete from notification_actors where user_id = ${userId}::uuid and notification_id = any(${ids}::uuid[])`.execute(tx)
      await sql`
        delete from notifications where id = any(${ids}::uuid[])
          and not exists (select from notification_actors where notification_id = notifications.id)`.execute(tx)
      await sql`
        update notifications set actors_count = actors.count, actor_id = actors.latest, created_at = actors.latest_at
        from (
          select notification_id, count(*)::int as count, max(created_at) as latest_at,
            (array_agg(user_id order by created_at desc, user_id desc))[1] as latest
          from notification_actors where notification_id = any(${ids}::uuid[]) group by notification_id) as actors
        where actors.notification_id = notifications.id`.execute(tx)
      // Deletes notifications without an actor list, such as those about posts. Those with a list are updated above, in this batch or a
      // later one.
      const { numAffectedRows = 0n } = await sql`
        delete from notifications where id in (
          select id from notifications where actor_id = ${userId}::uuid
            and not exists (select from notification_actors where notification_id = notifications.id)
          limit ${batch}::int)`.execute(tx)
      const own = await sql`
        delete from notifications where id in (select id from notifications where user_id = ${userId}::uuid limit ${batch}::int)`.execute(
        tx,
      )
      return ids.length + Number(numAffectedRows) + Number(own.numAffectedRows ?? 0)
    }),
}
