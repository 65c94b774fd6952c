import { LRUCache } from 'lru-cache'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import { type ConversationView, requireConversation } from './conversation.ts'
import { participantsOf } from './messages.queries.ts'
import { showsReadReceipts } from './messages.view.ts'

type Ctx = Pick<Context, 'db' | 'live' | 'log'>

/** `own` means the actor or, in a business's inbox, its team. */
type Audience = 'own' | 'other' | 'both'

/** Makes open pages reload a conversation. Call it after the commit, so that a lost signal can't affect the write. */
export const signalPages = (ctx: Ctx, conversation: ConversationView, audience: Audience) =>
  signalParticipants(ctx, conversation, audience, (userIds) => ({ kind: 'messages', userIds, conversationId: conversation.row.id }))

/** Removes a deleted message from the participant's open pages. Call it after the commit. */
export const signalDeletion = (ctx: Ctx, conversation: ConversationView, messageId: string) =>
  signalParticipants(ctx, conversation, 'own', (userIds) => ({
    kind: 'deletedMessage',
    userIds,
    conversationId: conversation.row.id,
    messageId,
  }))

/** `who`: the person's ID, or the business's if a team member is typing. */
export const signalTyping = (ctx: Ctx, conversation: ConversationView) =>
  signalParticipants(ctx, conversation, 'other', (userIds) => ({
    kind: 'typing',
    userIds,
    conversationId: conversation.row.id,
    who: conversation.as.kind === 'business' ? conversation.as.business.id : conversation.row.self_id,
  }))

async function signalParticipants(
  ctx: Ctx,
  conversation: ConversationView,
  audience: Audience,
  signal: (userIds: string[]) => LiveSignal,
): Promise<void> {
  try {
    const { people, team } = await participantsOf(ctx.db, conversation.row.id)
    const own = conversation.row.is_self ? [conversation.row.self_id] : team
    const other = [...people, ...team].filter((id) => !own.includes(id))
    const userIds = audience === 'own' ? own : audience === 'other' ? other : [...own, ...other]
    if (userIds.length > 0) await ctx.live.publish(signal(userIds))
  } catch (error) {
    ctx.log.warn({ err: error }, 'open pages could not be notified of a conversation')
  }
}

const minIntervalMs = 3_000

/** Time of the last typing signal in this process, by conversation and person. */
type TypingTimes = LRUCache<string, number>
export const createTypingTimes = (): TypingTimes => new LRUCache({ max: 10_000 })

/**
 * Sends a typing indicator only if the actor may write, the recipient accepted the conversation and both participants show read receipts;
 * otherwise does nothing. Limited to one every three seconds.
 */
export async function sendTyping(
  ctx: Pick<Context, 'db' | 'clock' | 'live' | 'log'>,
  actor: Actor,
  conversationId: string,
  times: TypingTimes,
): Promise<void> {
  const now = ctx.clock.now()
  const conversation = await requireConversation(ctx.db, actor, conversationId, now)
  if (conversation.sending.refusal !== null || !showsReadReceipts(conversation.row)) return
  const key = `${conversationId} ${actor.id}`
  if (now.getTime() - (times.get(key) ?? 0) < minIntervalMs) return
  times.set(key, now.getTime())
  await signalTyping(ctx, conversation)
}
