import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { Pair } from './merge-tables.ts'

/**
 * Conversations with the business that goes. Someone who wrote to both has one conversation afterwards, with all messages in the order in
 * which they were written. The caller has locked both businesses.
 */
export async function mergeMessages(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  const { rows } = await sql<{ from_id: string; into_id: string }>`
    select moving.id as from_id, present.id as into_id from conversations moving
    join conversations present on present.business_id = ${intoId}::uuid and present.person_id = moving.person_id
    where moving.business_id = ${fromId}::uuid order by present.id`.execute(tx)
  for (const table of ['conversation_sides', 'messages', 'message_deletions'] as const) {
    await tx.updateTable(table).set({ business_id: intoId }).where('business_id', '=', fromId).execute()
  }
  for (const pair of rows) await joinConversations(tx, pair.from_id, pair.into_id)
  await tx.updateTable('conversations').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
}

async function joinConversations(tx: Tx, fromId: string, intoId: string): Promise<void> {
  const both = sql`(${fromId}::uuid, ${intoId}::uuid)`
  await sql`select from conversations where id in ${both} order by id for update`.execute(tx)
  // What a side had deleted up to some number is now deleted message by message, since the numbers change.
  await sql`
    insert into message_deletions (message_id, user_id, business_id)
    select messages.id, sides.user_id, sides.business_id from conversation_sides sides
    join messages on messages.conversation_id = sides.conversation_id and messages.sequence <= sides.cleared_sequence
    where sides.conversation_id in ${both}
    on conflict do nothing`.execute(tx)
  // The first message that a side hasn't read, in either conversation.
  const unread = await unreadBySide(tx, both)
  await sql`update messages set sequence = -sequence + 9007199254740991 where conversation_id = ${intoId}::uuid`.execute(tx)
  await sql`
    with numbered as (select id, row_number() over (order by created_at, id) as place from messages where conversation_id in ${both})
    update messages set conversation_id = ${intoId}::uuid, sequence = numbered.place from numbered where numbered.id = messages.id`.execute(
    tx,
  )
  await sql`
    update conversation_sides present set
      cleared_sequence = 0,
      muted_at = coalesce(present.muted_at, moving.muted_at),
      is_request = present.is_request and moving.is_request,
      last_message_at = greatest(present.last_message_at, moving.last_message_at)
    from conversation_sides moving
    where present.conversation_id = ${intoId}::uuid and moving.conversation_id = ${fromId}::uuid
      and present.user_id is not distinct from moving.user_id`.execute(tx)
  await sql`
    update conversations present set
      last_sequence = (select count(*) from messages where conversation_id = ${intoId}::uuid),
      last_message_at = greatest(present.last_message_at, moving.last_message_at),
      accepted_at = coalesce(present.accepted_at, moving.accepted_at),
      declined_at = case when coalesce(present.accepted_at, moving.accepted_at) is null then present.declined_at end
    from conversations moving where present.id = ${intoId}::uuid and moving.id = ${fromId}::uuid`.execute(tx)
  for (const { user_id, first } of unread) await markUnread(tx, intoId, user_id, first)
  await tx.updateTable('notifications').set({ conversation_id: intoId }).where('conversation_id', '=', fromId).execute()
  await tx.deleteFrom('conversations').where('id', '=', fromId).execute()
}

/** Null is the business's side. */
type Unread = { user_id: string | null; first: string | null }

async function unreadBySide(tx: Tx, both: RawBuilder<unknown>): Promise<Unread[]> {
  const { rows } = await sql<Unread>`
    select sides.user_id, (array_agg(messages.id order by messages.created_at, messages.id) filter (where messages.id is not null))[1] as first
    from conversation_sides sides
    left join messages on messages.conversation_id = sides.conversation_id
      and messages.sequence > greatest(sides.read_sequence, sides.cleared_sequence)
    where sides.conversation_id in ${both} group by sides.user_id`.execute(tx)
  return rows
}

/** Everything before the first unread message counts as read, and nothing that someone hasn't seen. */
async function markUnread(tx: Tx, conversationId: string, userId: string | null, first: string | null): Promise<void> {
  await sql`
    update conversation_sides sides set read_sequence = marks.sequence, unread_count = (
      select count(*) from messages m where m.conversation_id = sides.conversation_id and m.sequence > marks.sequence
        and case when sides.business_id is not null then not m.is_from_business
          else m.is_from_business or m.sender_id is distinct from sides.user_id end)
    from (select coalesce(
      (select sequence - 1 from messages where id = ${first}::uuid),
      (select last_sequence from conversations where id = ${conversationId}::uuid)) as sequence) marks
    where sides.conversation_id = ${conversationId}::uuid and sides.user_id is not distinct from ${userId}::uuid`.execute(tx)
}
