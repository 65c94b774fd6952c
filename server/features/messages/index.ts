import * as contract from '#contracts/messages.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import {
  acceptRequest,
  declineRequest,
  deleteConversation,
  deleteMessage,
  getMessageSettings,
  markRead,
  saveMessageSettings,
  setMuted,
} from './conversation-settings.ts'
import { createTypingTimes, sendTyping } from './message-signals.ts'
import { getConversation, listConversations, listMessages, searchMessages, unreadByInbox } from './read-messages.ts'
import { openConversation, sendMessage } from './send-message.ts'

export { hasReadConversation, notifiedConversations } from './conversation.queries.ts'
export { moderatedMessage } from './message.moderated.ts'
export { messageJobs } from './message-signals.ts'
export { mayReadMessageMedia, messageSubject } from './messages.queries.ts'
export { unreadByInbox, unreadMessages } from './read-messages.ts'

export function registerMessages(api: Api): void {
  const typingTimes = createTypingTimes()

  route(api, contract.listConversations, ({ ctx, actor, query }) => listConversations(ctx, actor, query))
  route(api, contract.openConversation, ({ ctx, actor, body }) => openConversation(ctx, actor, body))
  route(api, contract.getConversation, ({ ctx, actor, params }) => getConversation(ctx, actor, params.id))
  route(api, contract.deleteConversation, ({ ctx, actor, params }) => deleteConversation(ctx, actor, params.id))
  route(api, contract.listMessages, ({ ctx, actor, params, query }) => listMessages(ctx, actor, params.id, query))
  route(api, contract.sendMessage, ({ ctx, actor, params, body }) => sendMessage(ctx, actor, params.id, body))
  route(api, contract.markConversationRead, ({ ctx, actor, params, body }) => markRead(ctx, actor, params.id, body.sequence))
  route(api, contract.sendTyping, ({ ctx, actor, params }) => sendTyping(ctx, actor, params.id, typingTimes))
  route(api, contract.muteConversation, ({ ctx, actor, params }) => setMuted(ctx, actor, params.id, true))
  route(api, contract.unmuteConversation, ({ ctx, actor, params }) => setMuted(ctx, actor, params.id, false))
  route(api, contract.acceptConversation, ({ ctx, actor, params }) => acceptRequest(ctx, actor, params.id))
  route(api, contract.declineConversation, ({ ctx, actor, params }) => declineRequest(ctx, actor, params.id))

  route(api, contract.deleteMessage, ({ ctx, actor, params }) => deleteMessage(ctx, actor, params.id))
  route(api, contract.searchMessages, ({ ctx, actor, query }) => searchMessages(ctx, actor, query))
  route(api, contract.getUnreadMessages, ({ ctx, actor }) => unreadByInbox(ctx.db, actor.id))
  route(api, contract.getMessageSettings, ({ ctx, actor }) => getMessageSettings(ctx.db, actor.id))
  route(api, contract.saveMessageSettings, ({ ctx, actor, body }) => saveMessageSettings(ctx, actor.id, body))
}
