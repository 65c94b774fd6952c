import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 20

/**
 * Deletes the person's messages for both sides; the other side's messages stay with them. Deletes conversations left empty.
 * Replies on behalf of a business belong to the business.
 */
export const eraseMessages: EraseStep = {
  name: 'messages',
  async eraseSome({ db }, { id: userId }) {
    const { rows } = await sql<{ id: string }>`
      select id from conversations where person_id = ${userId}::uuid or other_id = ${userId}::uuid limit ${batch}::int`.execute(db)
    for (const { id } of rows) {
      await inTransaction(db, async (tx) => {
        await sql`select from conversations where id = ${id}::uuid for update`.execute(tx)
        await sql`
          delete from messages where conversation_id = ${id}::uuid and sender_id = ${userId}::uuid and not is_from_business`.execute(tx)
        await sql`delete from conversation_sides where conversation_id = ${id}::uuid and user_id = ${userId}::uuid`.execute(tx)
        await sql`
          delete from conversations
          where id = ${id}::uuid and not exists (select from messages where messages.conversation_id = conversations.id)`.execute(tx)
        await sql`
          update conversations set
            person_id = case when person_id = ${userId}::uuid then null else person_id end,
            other_id = case when other_id = ${userId}::uuid then null else other_id end,
            last_message_at = (select max(created_at) from messages where messages.conversation_id = conversations.id)
          where id = ${id}::uuid`.execute(tx)
        // The other side has nothing unread anymore: only its own messages are left.
        await sql`
          update conversation_sides set unread_count = 0, is_request = false, last_message_at = (
            select max(created_at) from messages
            where messages.conversation_id = conversation_sides.conversation_id and messages.sequence > cleared_sequence)
          where conversation_id = ${id}::uuid`.execute(tx)
      })
    }
    return rows.length
  },
}
