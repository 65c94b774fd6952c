import type { Context } from '../../kernel/context.ts'
import type { LiveSignal } from '../../kernel/live.ts'
import type { Held } from './held.ts'
import { peopleOf } from './messages.queries.ts'

type Ctx = Pick<Context, 'db' | 'live' | 'log'>

/** Whose pages: those of one's own side, of the other, or of both. */
type Side = 'own' | 'other' | 'both'

/** Open pages of a conversation look anew. Said after the write: what was written stays so, whether they hear it or not. */
export const tellPages = (ctx: Ctx, held: Held, side: Side) =>
  tell(ctx, held, side, (userIds) => ({ kind: 'messages', userIds, conversationId: held.row.id }))

/** `who`: the person's id, or the business's where one types in its name. */
export const tellOfTyping = (ctx: Ctx, held: Held) =>
  tell(ctx, held, 'other', (userIds) => ({
    kind: 'typing',
    userIds,
    conversationId: held.row.id,
    who: held.as.kind === 'business' ? held.as.business.id : held.row.self_id,
  }))

async function tell(ctx: Ctx, held: Held, side: Side, signal: (userIds: string[]) => LiveSignal): Promise<void> {
  try {
    const { people, team } = await peopleOf(ctx.db, held.row.id)
    const own = held.row.is_self ? [held.row.self_id] : team
    const other = [...people, ...team].filter((id) => !own.includes(id))
    const userIds = side === 'own' ? own : side === 'other' ? other : [...own, ...other]
    if (userIds.length > 0) await ctx.live.publish(signal(userIds))
  } catch (error) {
    ctx.log.warn({ err: error }, 'open pages could not be told of a conversation')
  }
}
