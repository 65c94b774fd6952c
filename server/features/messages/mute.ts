import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requireHeld } from './held.ts'
import { ownSide } from './messages.queries.ts'
import { tellPages } from './tell-pages.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'live' | 'log'>

/** Of a business's inbox, for its whole team. @throws AppError not_found */
export async function setMuted(ctx: Ctx, actor: Actor, conversationId: string, isMuted: boolean) {
  const now = ctx.clock.now()
  const held = await requireHeld(ctx.db, actor, conversationId, now)
  if ((held.row.muted_at !== null) !== isMuted) {
    await ctx.db
      .updateTable('conversation_sides')
      .set({ muted_at: isMuted ? now : null })
      .where(ownSide(held))
      .execute()
    await tellPages(ctx, held, 'own')
  }
  return { conversationId, isMuted }
}
