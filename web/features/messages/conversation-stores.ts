import { listMessages, type Message, sendMessage } from '../../../contracts/messages.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call, callPage } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { queryClient } from '../../lib/query-client.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { newId } from '../offline/ids.ts'
import { isNoAnswer } from '../offline/no-answer.ts'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'
import { refreshConversations } from './message-caches.ts'

export type Messages = ConversationStore<Message>

/** What one look brings, when a conversation is opened and when there is more than that. */
const firstPage = 40
const furtherPage = 100

const stores = new Map<string, Messages>()

/** The messages of a conversation as somebody has them. Kept while the page lives: what is on its way arrives wherever one goes. */
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

/** Lets go of all that is known of it, as when it was deleted. */
export function forgetMessages(account: string, conversationId: string): void {
  const key = `${account}.${conversationId}`
  stores.get(key)?.end()
  stores.delete(key)
}

/** Busy, unreachable or signed out: the same may succeed later. Everything else is the server's word. */
function judge(error: unknown) {
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return { isPassing: isNoAnswer(error), afterMs: null, message }
  if (error.status === 401) void refreshCurrentUser()
  const afterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000
  return { isPassing: isNoAnswer(error) || error.status >= 500 || [401, 408, 429].includes(error.status), afterMs, message }
}
