import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Conversation, readConversation, sendTyping } from '#contracts/messages.ts'
import { changeConversation, refreshUnread } from '#web/entities/messages/messages.api.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { onLive } from '#web/lib/live.ts'
import { messagesOf } from './conversation-stores.ts'

/** Messages of a conversation, live while mounted. `store` is stable per conversation. */
export function useMessages(conversationId: string) {
  const account = useCurrentUser()?.id ?? ''
  const store = messagesOf(account, conversationId)
  useEffect(() => {
    void store.open()
    const stops = [
      onLive('messages', ({ conversationId: of }) => {
        if (of === conversationId) void store.catchUp()
      }),
      // Events before this connection may have been missed.
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

/** Reports the read position once new messages are in view in a focused window. `seen` is a sequence; null if not in view. */
export function useReadMark(conversation: Conversation | undefined, seen: number | null): void {
  const client = useQueryClient()
  const sent = useRef(0)
  const id = conversation?.id
  const known = conversation?.readSequence ?? 0
  useEffect(() => {
    if (!id || seen === null || seen <= Math.max(known, sent.current)) return
    const before = sent.current
    sent.current = seen
    call(readConversation, { params: { id }, body: { sequence: seen } }).then(
      ({ readSequence, unreadCount }) => {
        changeConversation(client, id, (each) => ({ ...each, readSequence, unreadCount }))
        void refreshUnread(client)
      },
      () => {
        // The next message or visit reports it again.
        sent.current = before
      },
    )
  }, [client, id, seen, known])
}

/** In milliseconds; the server forwards it at most this often. */
const typingIntervalMs = 3_000
/** In milliseconds without news until typing is considered over. */
const shownFor = 6_000

/** Whether the other participant is typing. `heard` is their last message, which ends typing. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that comes ends it, whatever it is
  useEffect(() => setTyping(false), [heard])
  return isTyping
}

export function useTypingSignal(conversationId: string, isOn: boolean): () => void {
  const last = useRef(0)
  return () => {
    const now = Date.now()
    if (!isOn || now - last.current < typingIntervalMs) return
    last.current = now
    // Best effort.
    call(sendTyping, { params: { id: conversationId } }).catch(() => undefined)
  }
}
