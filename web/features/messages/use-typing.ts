import { useEffect, useRef, useState } from 'react'
import { tellTyping } from '../../../contracts/messages.ts'
import { call } from '../../lib/call.ts'
import { onLive } from '../../lib/live.ts'

/** The server passes it on at most this often, in milliseconds. */
const tellEvery = 3_000
/** Somebody who has not been heard of for this long has stopped. */
const shownFor = 6_000

/** Whether the other end is typing. `heard` is the last message here: with it, they have stopped. */
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

/** What the composer calls with each change of its text. */
export function useTellTyping(conversationId: string, isOn: boolean): () => void {
  const last = useRef(0)
  return () => {
    const now = Date.now()
    if (!isOn || now - last.current < tellEvery) return
    last.current = now
    // Whether they see it is of no weight.
    call(tellTyping, { params: { id: conversationId } }).catch(() => undefined)
  }
}
