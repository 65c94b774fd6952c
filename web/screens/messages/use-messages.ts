import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { uuidv7 } from 'uuidv7'
import { listMessages, markConversationRead, sendMessage, sendTyping } from '#contracts/calls/messages.ts'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import { changeConversation, refreshConversations, refreshUnread } from '#web/entities/messages/messages.api.ts'
import { isUnreachableError } from '#web/entities/offline/reach.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, callPage } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { type ConversationStore, createConversationStore, createReadMark } from './conversation-store.ts'

/** Receives live updates while mounted. `store` is stable per conversation. */
export function useMessages(conversationId: string) {
  const account = useCurrentUser()?.id ?? ''
  const store = messagesOf(account, conversationId)
  useEffect(() => {
    void store.open()
    const stops = [
      onLive('messages', ({ conversationId: of }) => {
        if (of === conversationId) void store.catchUp()
      }),
      onLive('deletedMessage', ({ conversationId: of, messageId }) => {
        if (of === conversationId) store.remove(messageId)
      }),
      onLive('changedMessages', ({ conversationId: of }) => {
        if (of === conversationId) void store.reread()
      }),
      // Events may have been missed before this connection.
      onLive('hello', () => store.reconnect()),
    ]
    const online = () => store.reconnect()
    window.addEventListener('online', online)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('online', online)
      store.leave()
    }
  }, [store, conversationId])
  return { store, state: useSyncExternalStore(store.subscribe, store.get) }
}

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isVisible = () => document.visibilityState === 'visible'

export const usePageVisible = (): boolean => useSyncExternalStore(onVisibility, isVisible)

const later = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Marks messages as read up to the sequence `seen`, which is null unless the newest message is in view in a visible page. Mount once per
 * conversation.
 */
export function useReadMark({ id, readSequence: known }: Conversation, seen: number | null): void {
  const [readMark] = useState(() => createReadMark({ mark: (sequence) => markRead(id, sequence), judge: classifyError, later }))
  useEffect(() => {
    if (seen !== null && seen > known) readMark.see(seen)
  }, [readMark, seen, known])
  useEffect(() => readMark.leave, [readMark])
}

async function markRead(id: string, sequence: number): Promise<void> {
  const { readSequence, unreadCount } = await call(markConversationRead, { params: { id }, body: { sequence } })
  // A response that arrived in the meantime may include newer messages.
  changeConversation(queryClient, id, (each) => (each.readSequence >= readSequence ? each : { ...each, readSequence, unreadCount }))
  void refreshUnread(queryClient)
}

/** In milliseconds. The server forwards signals at most this often. */
const typingIntervalMs = 3_000
/** In milliseconds. Typing counts as over after this time without a signal. */
const shownFor = 6_000

/** `heard` is the newest message's ID. A new message ends typing. */
export function useIsTyping(conversationId: string, heard: string | undefined): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLive('typing', (news) => {
      if (news.conversationId !== conversationId) return
      clearTimeout(timer)
      setTyping(true)
      timer = setTimeout(() => setTyping(false), shownFor)
    })
    return () => {
      clearTimeout(timer)
      setTyping(false)
      stop()
    }
  }, [conversationId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: any new message ends typing
  useEffect(() => setTyping(false), [heard])
  return isTyping
}

export function useTypingSignal(conversationId: string, isOn: boolean): () => void {
  const last = useRef(0)
  return () => {
    const now = Date.now()
    if (!isOn || now - last.current < typingIntervalMs) return
    last.current = now
    // Ignore errors, because a missed signal doesn't matter.
    call(sendTyping, { params: { id: conversationId } }).catch(() => undefined)
  }
}

export type Messages = ConversationStore<Message>

/** Number of messages fetched when a conversation opens, and per request for newer ones. */
const firstPage = 40
const furtherPage = 100

const stores = new Map<string, Messages>()

/** Cached until the page is closed or the conversation is deleted, so sending continues during navigation. */
function messagesOf(account: string, conversationId: string): Messages {
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
    newId: uuidv7,
    now: () => new Date(),
    memory: {
      load: () => getTabItem(memory),
      save: (line) => (line.length > 0 ? setTabItem(memory, line) : removeTabItem(memory)),
    },
    judge: classifyError,
    later,
    onArrived: () => refreshConversations(queryClient, conversationId),
  })
  stores.set(key, store)
  return store
}

export function forgetMessages(account: string, conversationId: string): void {
  const key = `${account}.${conversationId}`
  stores.get(key)?.end()
  stores.delete(key)
}

/** Connection and server errors, timeouts, rate limits and signed-out errors are temporary; all others are final. */
function classifyError(error: unknown) {
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return { isPassing: isUnreachableError(error), afterMs: null, message }
  if (error.status === 401) void refreshCurrentUser()
  const afterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000
  return { isPassing: isUnreachableError(error) || error.status >= 500 || [401, 408, 429].includes(error.status), afterMs, message }
}

const onConnection = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** True with any network, even one that doesn't reach the server. */
export const useOnline = (): boolean => useSyncExternalStore(onConnection, () => navigator.onLine)
