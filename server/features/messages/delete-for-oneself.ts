import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { isOwnMessage } from './conversations.view.ts'
import { type Held, holdAll, requireHeld } from './held.ts'
import { insertDeletion, lastSequence, lockOwnSide, messageRow, ownSide } from './messages.queries.ts'
import { tellPages } from './tell-pages.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'live' | 'log'>

/** What there is of a conversation so far is gone for one's own side; what comes after is there again. @throws AppError not_found */
export async function deleteConversation(ctx: Ctx, actor: Actor, conversationId: string): Promise<void> {
  const held = await requireHeld(ctx.db, actor, conversationId, ctx.clock.now())
  await inTransaction(ctx.db, (tx) => clearSide(tx, held))
  await tellPages(ctx, held, 'own')
}

export async function clearSide(tx: Tx, held: Held): Promise<void> {
  await lockOwnSide(tx, held)
  const cleared = await lastSequence(tx, held.row.id)
  await tx
    .updateTable('conversation_sides')
    .set({ cleared_sequence: cleared, read_sequence: cleared, last_message_at: null, unread_count: 0 })
    .where(ownSide(held))
    .execute()
}

/** @throws AppError not_found for a message of others */
export async function deleteMessage(ctx: Ctx, actor: Actor, messageId: string): Promise<void> {
  const message = await messageRow(ctx.db, messageId)
  const held = message && (await holdAll(ctx.db, actor, [message.conversation_id], ctx.clock.now())).get(message.conversation_id)
  if (!held) throw notFound('There is no such message.')
  await inTransaction(ctx.db, async (tx) => {
    const side = await lockOwnSide(tx, held)
    const isNew = await insertDeletion(tx, held, messageId)
    const isOwn = isOwnMessage(held.row, { senderId: message.sender_id, isFromBusiness: message.is_from_business })
    if (!isNew || isOwn || !side || message.sequence <= Math.max(side.read_sequence, side.cleared_sequence)) return
    await tx
      .updateTable('conversation_sides')
      .set((eb) => ({ unread_count: eb('unread_count', '-', 1) }))
      .where(ownSide(held))
      .execute()
  })
  await tellPages(ctx, held, 'own')
}
