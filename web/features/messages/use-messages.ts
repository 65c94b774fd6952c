import { useEffect, useSyncExternalStore } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { onLive } from '../../lib/live.ts'
import { messagesOf } from './conversation-stores.ts'

/** The messages of one conversation, live while it is shown. `store` stays the same for the same conversation. */
export function useMessages(conversationId: string) {
  const account = useCurrentUser()?.id ?? ''
  const store = messagesOf(account, conversationId)
  useEffect(() => {
    void store.open()
    const stops = [
      onLive('messages', ({ conversationId: of }) => {
        if (of === conversationId) void store.catchUp()
      }),
      // A connection begins: what happened before it, nobody has told.
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
