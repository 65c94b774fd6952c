import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { retryOn } from '#server/db/transaction.ts'
import { type MayReadMedia, syncMediaUses } from '#server/features/media/index.ts'
import { isDeletedFor, isParticipant, sharesInbox } from './conversation.queries.ts'
import type { ConversationView } from './conversation.ts'

const columns = [
  'messages.id',
  'messages.sequence',
  'messages.conversation_id',
  'messages.sender_id',
  'messages.is_from_business',
  'messages.content',
  'messages.moderation',
  'messages.created_at',
] as const

export type MessageRow = NonNullable<Awaited<ReturnType<typeof messageRow>>>

export const messageRow = (db: Db, id: string) => db.selectFrom('messages').select(columns).where('id', '=', id).executeTakeFirst()

const participantColumns = ({ row }: ConversationView) => ({
  userId: sql`${row.is_self ? row.self_id : null}::uuid`,
  businessId: sql`${row.is_self ? null : row.business_id}::uuid`,
})

const isNotDeleted = (conversation: ConversationView): RawBuilder<boolean> => {
  const { userId, businessId } = participantColumns(conversation)
  return sql<boolean>`(messages.sequence > ${conversation.row.cleared_sequence} and not ${isDeletedFor(sql`messages.id`, userId, businessId)})`
}

type Wanted = { before: number | null; limit: number } | { after: number; limit: number }

/** Lists messages the participant hasn't deleted: newest first, or oldest first after a given one. */
export function messageRows(db: Db, conversation: ConversationView, wanted: Wanted): Promise<MessageRow[]> {
  const isForward = 'after' in wanted
  return db
    .selectFrom('messages')
    .select(columns)
    .where('conversation_id', '=', conversation.row.id)
    .where(isNotDeleted(conversation))
    .$if(isForward, (query) => query.where('sequence', '>', (wanted as { after: number }).after))
    .$if(!isForward && wanted.before !== null, (query) => query.where('sequence', '<', (wanted as { before: number }).before))
    .orderBy('sequence', isForward ? 'asc' : 'desc')
    .limit(wanted.limit)
    .execute()
}

export async function countUnread(tx: Tx, conversation: ConversationView, readSequence: number): Promise<number> {
  const { row } = conversation
  const isTheirs = row.is_self
    ? sql<boolean>`(messages.is_from_business or messages.sender_id is distinct from ${row.self_id}::uuid)`
    : sql<boolean>`not messages.is_from_business`
  return countRows(
    tx
      .selectFrom('messages')
      .where('conversation_id', '=', row.id)
      .where('sequence', '>', readSequence)
      .where(isNotDeleted(conversation))
      .where(isTheirs),
  )
}

/** The participant's own row, for updates. Locking it makes unread counts exact despite concurrent sends. */
export const ownParticipant = (conversation: ConversationView) => {
  const { userId, businessId } = participantColumns(conversation)
  return sql<boolean>`(conversation_id = ${conversation.row.id}::uuid
    and user_id is not distinct from ${userId} and business_id is not distinct from ${businessId})`
}

export const lockOwnParticipant = (tx: Tx, conversation: ConversationView) =>
  tx
    .selectFrom('conversation_sides')
    .select(['read_sequence', 'cleared_sequence', 'unread_count', 'muted_at'])
    .where(ownParticipant(conversation))
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function lastSequence(tx: Tx, conversationId: string): Promise<number> {
  const row = await tx.selectFrom('conversations').select('last_sequence').where('id', '=', conversationId).executeTakeFirstOrThrow()
  return row.last_sequence
}

export async function insertMessage(tx: Tx, row: Insertable<DB['messages']>, mediaIds: readonly string[]): Promise<void> {
  await retryOn('messages_pkey', tx.insertInto('messages').values(row).execute())
  if (mediaIds.length === 0) return
  await tx
    .insertInto('message_media')
    .values(mediaIds.map((media_id, position) => ({ message_id: row.id, position, media_id })))
    .execute()
  await syncMediaUses(tx, 'message', [row.id])
}

/** Returns false if the participant had already deleted it. */
export async function insertDeletion(tx: Tx, conversation: ConversationView, messageId: string): Promise<boolean> {
  const { row } = conversation
  const added = await tx
    .insertInto('message_deletions')
    .values({ message_id: messageId, user_id: row.is_self ? row.self_id : null, business_id: row.is_self ? null : row.business_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_id')
    .executeTakeFirst()
  return added !== undefined
}

export async function photosOfMessages(db: Db, messageIds: readonly string[]): Promise<Map<string, string[]>> {
  const photos = new Map<string, string[]>()
  if (messageIds.length === 0) return photos
  const rows = await db
    .selectFrom('message_media')
    .select(['message_id', 'media_id'])
    .where(sql<boolean>`message_id = any(${messageIds}::uuid[])`)
    .orderBy('message_id')
    .orderBy('position')
    .execute()
  for (const { message_id, media_id } of rows) photos.set(message_id, [...(photos.get(message_id) ?? []), media_id])
  return photos
}

/** Everyone whose open pages show a conversation; for a business, its team. */
export async function participantsOf(
  db: Db,
  conversationId: string,
): Promise<{ people: string[]; team: string[]; businessId: string | null }> {
  const { rows } = await sql<{ people: string[]; team: string[]; business_id: string | null }>`
    select array_remove(array[person_id, other_id], null) as people, business_id,
      array(select business_members.user_id from business_members
        where business_members.business_id = conversations.business_id
          and business_members.user_id is distinct from conversations.person_id
          and ${sharesInbox(sql`business_members.user_id`, sql`conversations.business_id`)}) as team
    from conversations where id = ${conversationId}::uuid`.execute(db)
  const [row] = rows
  return { people: row?.people ?? [], team: row?.team ?? [], businessId: row?.business_id ?? null }
}

/**
 * A message's photo is visible to the participants who see the message. (`mayReadCaseMedia` lets moderators see it in the case about a
 * reported message.)
 */
export const mayReadMessageMedia: MayReadMedia = async (db, actor, messageIds) => {
  const { rows } = await sql`
    select from messages
    join conversations on conversations.id = messages.conversation_id
    join conversation_sides on conversation_sides.conversation_id = conversations.id
    where messages.id = ${pageIds(messageIds)} and ${isParticipant(sql`${actor.id}::uuid`)}
      and messages.sequence > conversation_sides.cleared_sequence
      and not ${isDeletedFor(sql`messages.id`, sql`conversation_sides.user_id`, sql`conversation_sides.business_id`)}
      and (messages.moderation is null or (messages.moderation <> 'removed'
        and case when messages.is_from_business then conversation_sides.business_id is not null
          else conversation_sides.user_id = messages.sender_id end))
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns a row only for a message that the person can see and that isn't held, hidden or removed. `is_own`: sent by them or for their
 * business, so they can't report it.
 */
export const messageSubject = (
  personId: string,
  messageId: string,
): RawBuilder<{ is_own: boolean; user_id: string | null; business_id: string | null; community_id: string | null }> => {
  const self = sql`${personId}::uuid`
  return sql`
    select case when conversation_sides.user_id is null then messages.is_from_business
      else not messages.is_from_business and messages.sender_id is not distinct from ${self} end as is_own,
      messages.sender_id as user_id, null::uuid as community_id,
      case when messages.is_from_business then messages.business_id end as business_id
    from messages
    join conversations on conversations.id = messages.conversation_id
    join conversation_sides on conversation_sides.conversation_id = conversations.id
    where messages.id = ${messageId}::uuid and messages.moderation is null and ${isParticipant(self)}
      and messages.sequence > conversation_sides.cleared_sequence
      and not ${isDeletedFor(sql`messages.id`, sql`conversation_sides.user_id`, sql`conversation_sides.business_id`)}`
}
