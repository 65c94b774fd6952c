import type { Context } from '../../kernel/context.ts'
import { sentMessage } from './message-news.queries.ts'
import { membersOf } from './news.queries.ts'
import { telling, tellingAlways } from './tell-of-events.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

/**
 * Who wrote, never what. Of a conversation that was accepted, by whatever channels one has chosen; of a stranger's first message, in
 * the app alone. Read meanwhile, muted or cleared, there is nothing to tell: `isNotificationVisible` asks for that whenever it is read.
 */
export async function tellOfMessage(ctx: Ctx, { messageId }: { messageId: string }): Promise<void> {
  const message = await sentMessage(ctx.db, messageId)
  if (!message?.sender_id) return
  const { conversation_id: conversationId, business_id: businessId, is_from_business: isByBusiness, sender_id: doer } = message
  const news = { doneAt: message.created_at, conversationId, ...(isByBusiness ? { businessId } : {}) }
  if (message.accepted_at === null) {
    if (message.receiver_id === null) return
    await tellingAlways(ctx, 'message_request', [message.receiver_id], {
      ...news,
      actorId: isByBusiness ? null : doer,
      groupKey: `message_request:${conversationId}`,
      isOnce: true,
    })
    return
  }
  await telling(ctx, async (tx, tellAll) => {
    const receivers = message.receiver_id === null ? (businessId === null ? [] : await membersOf(tx, businessId)) : [message.receiver_id]
    await tellAll('message', receivers, { ...news, doer, isByBusiness, groupKey: `message:${conversationId}`, isOnce: false })
  })
}
