import { LRUCache } from 'lru-cache'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { showsMarks } from './conversations.view.ts'
import { requireHeld } from './held.ts'
import { tellOfTyping } from './tell-pages.ts'

const leastMs = 3_000

/** When somebody was last said to type, by conversation and person: on this process alone, and no longer than it matters. */
export type TypingTimes = LRUCache<string, number>
export const createTypingTimes = (): TypingTimes => new LRUCache({ max: 10_000 })

/**
 * Passes on that one is typing: to somebody to whom one may write, who has accepted, where both show read marks; otherwise nobody
 * hears of it, which looks the same. At most once in three seconds.
 * @throws AppError not_found
 */
export async function tellTyping(
  ctx: Pick<Context, 'db' | 'clock' | 'live' | 'log'>,
  actor: Actor,
  conversationId: string,
  times: TypingTimes,
): Promise<void> {
  const now = ctx.clock.now()
  const held = await requireHeld(ctx.db, actor, conversationId, now)
  if (held.sending.whyNot !== null || !showsMarks(held.row)) return
  const key = `${conversationId} ${actor.id}`
  if (now.getTime() - (times.get(key) ?? 0) < leastMs) return
  times.set(key, now.getTime())
  await tellOfTyping(ctx, held)
}
