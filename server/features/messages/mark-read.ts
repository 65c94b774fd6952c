import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { showsMarks } from './conversations.view.ts'
import { requireHeld } from './held.ts'
import { countUnread, lastSequence, lockOwnSide, ownSide } from './messages.queries.ts'
import { tellPages } from './tell-pages.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'live' | 'log'>

/**
 * Says how far one's side has read, and counts anew what is not. Nothing is unread before it came: a number that there is not yet is
 * the last one that there is.
 * @throws AppError not_found
 */
export async function markRead(ctx: Ctx, actor: Actor, conversationId: string, sequence: number) {
  const held = await requireHeld(ctx.db, actor, conversationId, ctx.clock.now())
  const { state, isNew } = await inTransaction(ctx.db, async (tx) => {
    const side = await lockOwnSide(tx, held)
    if (!side) throw new Error('a side is gone from a conversation that one has')
    // Whoever sends adds to the count after this, or has done so before: both see the other's.
    const readSequence = Math.min(sequence, await lastSequence(tx, conversationId))
    if (readSequence <= side.read_sequence) {
      return { state: { conversationId, readSequence: side.read_sequence, unreadCount: side.unread_count }, isNew: false }
    }
    const unreadCount = await countUnread(tx, held, readSequence)
    await tx
      .updateTable('conversation_sides')
      .set({ read_sequence: readSequence, unread_count: unreadCount })
      .where(ownSide(held))
      .execute()
    return { state: { conversationId, readSequence, unreadCount }, isNew: true }
  })
  if (isNew) await tellPages(ctx, held, showsMarks(held.row) ? 'both' : 'own')
  return state
}
