import type { Conversation } from '../../../contracts/messages.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { toConversation } from './conversations.view.ts'
import { clearSide } from './delete-for-oneself.ts'
import { type Held, lockHeld, requireHeld } from './held.ts'
import { ownSide } from './messages.queries.ts'
import { tellPages } from './tell-pages.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'live' | 'log'>

/** Both write freely from now on. What was declined can still be accepted. @throws AppError not_found, forbidden */
export async function acceptRequest(ctx: Ctx, actor: Actor, conversationId: string): Promise<Conversation> {
  const { held, isNew } = await inTransaction(ctx.db, async (tx) => {
    const { held, now } = await lockHeld(tx, actor, conversationId, ctx.clock)
    requireReceived(held)
    if (held.row.accepted_at !== null) return { held, isNew: false }
    if (held.row.has_blocked) throw new AppError('forbidden', { message: held.sending.whyNot ?? 'You have blocked this person.' })
    await setAnswer(tx, conversationId, { accepted_at: now, declined_at: null })
    await tx.updateTable('conversation_sides').set({ is_request: false }).where(ownSide(held)).execute()
    return { held: await requireHeld(tx, actor, conversationId, now), isNew: true }
  })
  if (isNew) await tellPages(ctx, held, 'both')
  return toConversation(held)
}

/** The one who wrote is not told: to them it waits on. @throws AppError not_found, forbidden, conflict where it was accepted */
export async function declineRequest(ctx: Ctx, actor: Actor, conversationId: string): Promise<void> {
  const held = await inTransaction(ctx.db, async (tx) => {
    const { held, now } = await lockHeld(tx, actor, conversationId, ctx.clock)
    requireReceived(held)
    if (held.row.accepted_at !== null) {
      throw new AppError('conflict', {
        message: 'You have accepted this request. You can block whoever wrote it, or delete the conversation.',
      })
    }
    if (held.row.declined_at === null) {
      await setAnswer(tx, conversationId, { declined_at: now })
      await clearSide(tx, held)
    }
    return held
  })
  await tellPages(ctx, held, 'own')
}

/** @throws AppError forbidden */
function requireReceived({ row }: Held): void {
  if (row.started_by !== null && row.started_by !== row.self_id) return
  throw new AppError('forbidden', { message: 'This is no request that waits for you.' })
}

const setAnswer = (tx: Tx, conversationId: string, answer: { accepted_at?: Date; declined_at: Date | null }) =>
  tx.updateTable('conversations').set(answer).where('id', '=', conversationId).execute()
