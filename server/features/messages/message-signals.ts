import { LRUCache } from 'lru-cache'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import { type ConversationView, requireConversation } from './conversation.ts'
import { messageRow, participantsOf } from './messages.queries.ts'
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

/** Makes the participant's open pages reload the messages they show. Call it after the commit. */
export async function signalClearing(ctx: Ctx, conversation: ConversationView): Promise<void> {
  await signalParticipants(ctx, conversation, 'own', changedMessages(conversation.row.id))
  await signalPages(ctx, conversation, 'own')
}

/** Makes all open pages of a conversation reload the messages they show. Call it after the commit. */
export async function signalChange(ctx: Ctx, conversationId: string): Promise<void> {
  const everyone: SelectIds = ({ people, team }) => [...people, ...team]
  await signal(ctx, conversationId, everyone, changedMessages(conversationId))
  await signal(ctx, conversationId, everyone, (userIds) => ({ kind: 'messages', userIds, conversationId }))
}

const changedMessages =
  (conversationId: string) =>
  (userIds: string[]): LiveSignal => ({ kind: 'changedMessages', userIds, conversationId })

declare module '#server/kernel/events.ts' {
  interface EventData {
    'message.moderated': { messageId: string }
  }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'messages.signal-moderation': { messageId: string }
  }
}

export const messageJobs = (ctx: Ctx): Pick<JobHandlers, 'messages.signal-moderation'> => ({
  async 'messages.signal-moderation'({ messageId }) {
    const message = await messageRow(ctx.db, messageId)
    if (message) await signalChange(ctx, message.conversation_id)
  },
})

/** `who`: the person's ID, or the business's if a team member is typing. */
export const signalTyping = (ctx: Ctx, conversation: ConversationView) =>
  signalParticipants(ctx, conversation, 'other', (userIds) => ({
    kind: 'typing',
    userIds,
    conversationId: conversation.row.id,
    who: conversation.as.kind === 'business' ? conversation.as.business.id : conversation.row.self_id,
  }))

const signalParticipants = (
  ctx: Ctx,
  { row }: ConversationView,
  audience: Audience,
  toSignal: (userIds: string[]) => LiveSignal,
): Promise<void> => {
  const select: SelectIds = ({ people, team }) => {
    const own = row.is_self ? [row.self_id] : team
    const other = [...people, ...team].filter((id) => !own.includes(id))
    return audience === 'own' ? own : audience === 'other' ? other : [...own, ...other]
  }
  return signal(ctx, row.id, select, toSignal)
}

type SelectIds = (participants: { people: string[]; team: string[] }) => string[]

async function signal(ctx: Ctx, conversationId: string, select: SelectIds, toSignal: (userIds: string[]) => LiveSignal): Promise<void> {
  try {
    const userIds = select(await participantsOf(ctx.db, conversationId))
    if (userIds.length > 0) await ctx.live.publish(toSignal(userIds))
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
