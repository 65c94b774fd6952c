import { sql } from 'kysely'
import type { Conversation, MessageSettings, MessageSettingsChange } from '#contracts/messages.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { settingColumns, toColumns, toSettings } from '#server/kernel/setting-columns.ts'
import { type ConversationView, loadConversations, lockConversation, requireConversation } from './conversation.ts'
import { signalChange, signalClearing, signalDeletion, signalPages } from './message-signals.ts'
import { countUnread, insertDeletion, lastSequence, lockOwnParticipant, messageRow, ownParticipant } from './messages.queries.ts'
import { isOwnMessage, showsReadReceipts, toConversation } from './messages.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'live' | 'log'>

/** Lets both participants write freely. A declined request can still be accepted. */
export async function acceptRequest(ctx: Ctx, actor: Actor, conversationId: string): Promise<Conversation> {
  const { conversation, isNew } = await inTransaction(ctx.db, async (tx) => {
    const { conversation, now } = await lockConversation(tx, actor, conversationId, ctx.clock)
    requireReceived(conversation)
    if (conversation.row.accepted_at !== null) return { conversation, isNew: false }
    if (conversation.row.has_blocked)
      throw new AppError('forbidden', { message: conversation.sending.refusal ?? 'You have blocked this person.' })
    await setAnswer(tx, conversationId, { accepted_at: now, declined_at: null })
    await tx.updateTable('conversation_sides').set({ is_request: false }).where(ownParticipant(conversation)).execute()
    return { conversation: await requireConversation(tx, actor, conversationId, now), isNew: true }
  })
  if (isNew) await signalPages(ctx, conversation, 'both')
  return toConversation(conversation)
}

/**
 * The sender isn't notified: to them, the request still looks pending. @throws AppError not_found, forbidden, conflict if it was accepted
 */
export async function declineRequest(ctx: Ctx, actor: Actor, conversationId: string): Promise<void> {
  const conversation = await inTransaction(ctx.db, async (tx) => {
    const { conversation, now } = await lockConversation(tx, actor, conversationId, ctx.clock)
    requireReceived(conversation)
    if (conversation.row.accepted_at !== null) {
      throw new AppError('conflict', {
        message: 'You already accepted this request. You can block the sender, or delete the conversation.',
      })
    }
    if (conversation.row.declined_at === null) {
      await setAnswer(tx, conversationId, { declined_at: now })
      await clearConversation(tx, conversation)
    }
    return conversation
  })
  await signalClearing(ctx, conversation)
}

function requireReceived({ row }: ConversationView): void {
  if (row.started_by !== null && row.started_by !== row.self_id) return
  throw new AppError('forbidden', { message: 'This isn’t a pending request.' })
}

const setAnswer = (tx: Tx, conversationId: string, answer: { accepted_at?: Date; declined_at: Date | null }) =>
  tx.updateTable('conversations').set(answer).where('id', '=', conversationId).execute()

/**
 * Marks messages as read for the participant the actor represents, and recounts unread ones. A sequence beyond the last message means the
 * last.
 */
export async function markRead(ctx: Ctx, actor: Actor, conversationId: string, sequence: number) {
  const conversation = await requireConversation(ctx.db, actor, conversationId, ctx.clock.now())
  const { state, isNew } = await inTransaction(ctx.db, async (tx) => {
    const own = await lockOwnParticipant(tx, conversation)
    if (!own) throw new Error('a participant is missing from a conversation')
    // A concurrent send waits for the lock or has already committed, so both take effect.
    const readSequence = Math.min(sequence, await lastSequence(tx, conversationId))
    if (readSequence <= own.read_sequence) {
      return { state: { conversationId, readSequence: own.read_sequence, unreadCount: own.unread_count }, isNew: false }
    }
    const unreadCount = await countUnread(tx, conversation, readSequence)
    await tx
      .updateTable('conversation_sides')
      .set({ read_sequence: readSequence, unread_count: unreadCount })
      .where(ownParticipant(conversation))
      .execute()
    return { state: { conversationId, readSequence, unreadCount }, isNew: true }
  })
  if (isNew) await signalPages(ctx, conversation, showsReadReceipts(conversation.row) ? 'both' : 'own')
  return state
}

/** Applies to the whole team in a business's inbox. */
export async function setMuted(ctx: Ctx, actor: Actor, conversationId: string, isMuted: boolean) {
  const now = ctx.clock.now()
  const conversation = await requireConversation(ctx.db, actor, conversationId, now)
  if ((conversation.row.muted_at !== null) !== isMuted) {
    await ctx.db
      .updateTable('conversation_sides')
      .set({ muted_at: isMuted ? now : null })
      .where(ownParticipant(conversation))
      .execute()
    await signalPages(ctx, conversation, 'own')
  }
  return { conversationId, isMuted }
}

export async function getMessageSettings(db: Db, userId: string): Promise<MessageSettings> {
  const row = await db.selectFrom('users').select(settingColumns('messages')).where('id', '=', userId).executeTakeFirstOrThrow()
  return toSettings('messages', row)
}

/** Changes only what the request contains, so an outdated page doesn't undo changes made elsewhere. */
export async function saveMessageSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  change: MessageSettingsChange,
): Promise<MessageSettings> {
  const row = await db
    .updateTable('users')
    .set({ ...toColumns('messages', change), updated_at: clock.now() })
    .where('id', '=', userId)
    .returning(settingColumns('messages'))
    .executeTakeFirstOrThrow()
  return toSettings('messages', row)
}

/** Clears the conversation for the participant the actor represents; later messages bring it back. */
export async function deleteConversation(ctx: Ctx, actor: Actor, conversationId: string): Promise<void> {
  const conversation = await requireConversation(ctx.db, actor, conversationId, ctx.clock.now())
  await inTransaction(ctx.db, (tx) => clearConversation(tx, conversation))
  await signalClearing(ctx, conversation)
}

async function clearConversation(tx: Tx, conversation: ConversationView): Promise<void> {
  await lockOwnParticipant(tx, conversation)
  const cleared = await lastSequence(tx, conversation.row.id)
  await tx
    .updateTable('conversation_sides')
    .set({ cleared_sequence: cleared, read_sequence: cleared, last_message_at: null, unread_count: 0 })
    .where(ownParticipant(conversation))
    .execute()
}

/** @throws AppError not_found for a message the actor can't see */
export async function deleteMessage(ctx: Ctx, actor: Actor, messageId: string): Promise<void> {
  const message = await messageRow(ctx.db, messageId)
  const conversation =
    message && (await loadConversations(ctx.db, actor, [message.conversation_id], ctx.clock.now())).get(message.conversation_id)
  if (!conversation) throw notFound('Message not found.')
  await inTransaction(ctx.db, async (tx) => {
    const own = await lockOwnParticipant(tx, conversation)
    const isNew = await insertDeletion(tx, conversation, messageId)
    const isOwn = isOwnMessage(conversation.row, { senderId: message.sender_id, isFromBusiness: message.is_from_business })
    if (!isNew || isOwn || !own || message.sequence <= Math.max(own.read_sequence, own.cleared_sequence)) return
    await tx
      .updateTable('conversation_sides')
      .set((eb) => ({ unread_count: eb('unread_count', '-', 1) }))
      .where(ownParticipant(conversation))
      .execute()
  })
  await signalDeletion(ctx, conversation, messageId)
  await signalPages(ctx, conversation, 'own')
}

const batch = 20

/**
 * Deletes the person's messages for both participants; the other participant keeps their own. Deletes conversations left empty. Replies on
 * behalf of a business belong to the business.
 */
export const eraseMessages: EraseStep = {
  name: 'messages',
  async eraseSome(ctx, { id: userId }) {
    const { rows } = await sql<{ id: string }>`
      select id from conversations where person_id = ${userId}::uuid or other_id = ${userId}::uuid limit ${batch}::int`.execute(ctx.db)
    for (const { id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
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
        // Only the other participant's own messages are left, so nothing is unread.
        await sql`
          update conversation_sides set unread_count = 0, is_request = false, last_message_at = (
            select max(created_at) from messages
            where messages.conversation_id = conversation_sides.conversation_id and messages.sequence > cleared_sequence)
          where conversation_id = ${id}::uuid`.execute(tx)
      })
      await signalChange(ctx, id)
    }
    return rows.length
  },
}
