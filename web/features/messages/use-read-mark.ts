import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Conversation, getUnreadMessages, readConversation } from '../../../contracts/messages.ts'
import { call } from '../../lib/call.ts'
import { changeConversation } from './message-caches.ts'

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isVisible = () => document.visibilityState === 'visible'

export const usePageVisible = (): boolean => useSyncExternalStore(onVisibility, isVisible)

/** Says how far one has read, once what is new is in view in a window that is looked at. `seen` is the sequence; null: it is not in view. */
export function useReadMark(conversation: Conversation | undefined, seen: number | null): void {
  const client = useQueryClient()
  const told = useRef(0)
  const id = conversation?.id
  const known = conversation?.readSequence ?? 0
  useEffect(() => {
    if (!id || seen === null || seen <= Math.max(known, told.current)) return
    const before = told.current
    told.current = seen
    call(readConversation, { params: { id }, body: { sequence: seen } }).then(
      ({ readSequence, unreadCount }) => {
        changeConversation(client, id, (each) => ({ ...each, readSequence, unreadCount }))
        void client.invalidateQueries({ queryKey: [getUnreadMessages.path] })
      },
      () => {
        // The next message, or the next visit, says it again.
        told.current = before
      },
    )
  }, [client, id, seen, known])
}
