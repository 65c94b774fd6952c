import { listMessages, type Message, sendMessage } from '#contracts/messages.ts'
import { refreshConversations } from '#web/entities/messages/messages.api.ts'
import { newId } from '#web/entities/offline/ids.ts'
import { isNoAnswer } from '#web/entities/offline/reach.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, callPage } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'

export type Messages = ConversationStore<Message>

/** Page sizes: on opening a conversation, and for more. */
const firstPage = 40
const furtherPage = 100

const stores = new Map<string, Messages>()

/** Message store of a conversation. Cached until the page is closed, so that sending continues during navigation. */
export function messagesOf(account: string, conversationId: string): Messages {
  const key = `${account}.${conversationId}`
  const known = stores.get(key)
  if (known) return known
  const memory = `messages.unsent.${key}`
  const params = { id: conversationId }
  const store: Messages = createConversationStore<Message>({
    calls: {
      newest: () => callPage(listMessages, { params, query: { limit: firstPage } }, null, { account }),
      older: (next) => callPage(listMessages, { params }, next, { account }),
      after: (sequence) => callPage(listMessages, { params, query: { after: sequence, limit: furtherPage } }, null, { account }),
      send: ({ id, content, media }) =>
        call(sendMessage, { params, body: { id, content, mediaIds: media.map((each) => each.id) } }, { account }),
    },
    newId,
    now: () => new Date(),
    memory: {
      load: () => recall(memory),
      save: (line) => (line.length > 0 ? remember(memory, line) : forget(memory)),
    },
    judge,
    later: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onArrived: () => refreshConversations(queryClient, conversationId),
  })
  stores.set(key, store)
  return store
}

/** Removes all data of a conversation, for example after deletion. */
export function forgetMessages(account: string, conversationId: string): void {
  const key = `${account}.${conversationId}`
  stores.get(key)?.end()
  stores.delete(key)
}

/** Offline, busy and signed-out errors are temporary; all others are final. */
function judge(error: unknown) {
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return { isPassing: isNoAnswer(error), afterMs: null, message }
  if (error.status === 401) void refreshCurrentUser()
  const afterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000
  return { isPassing: isNoAnswer(error) || error.status >= 500 || [401, 408, 429].includes(error.status), afterMs, message }
}
