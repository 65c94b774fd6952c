import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getConversation, getUnreadMessages } from '../../../contracts/messages.ts'
import { onLive } from '../../lib/live.ts'
import { refreshConversations } from './message-caches.ts'

/** A burst of news is fetched once, this many milliseconds after its first word. */
const gatherFor = 150

/** Keeps the lists of conversations, their counts and the one that is open true while they are shown. */
export function useConversationNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const waiting = new Set<string | null>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = (id: string | null) => {
      waiting.add(id)
      timer ??= setTimeout(() => {
        timer = undefined
        const [only] = waiting
        refreshConversations(client, waiting.size === 1 ? (only ?? null) : null)
        waiting.clear()
      }, gatherFor)
    }
    const stops = [onLive('messages', ({ conversationId }) => soon(conversationId)), onLive('hello', () => soon(null))]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      // Nobody listens from now on: whoever opens one again asks first how it is.
      void client.invalidateQueries({ queryKey: [getConversation.path], refetchType: 'none' })
      void client.invalidateQueries({ queryKey: [getUnreadMessages.path], refetchType: 'none' })
    }
  }, [client])
}
