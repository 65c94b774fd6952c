import { type RefObject, useEffect, useState } from 'react'
import type { Message } from '../../../contracts/messages.ts'
import type { ConversationState } from './conversation-store.ts'
import type { Messages } from './conversation-stores.ts'

type Finding = {
  /** The sequence of the message that is looked for; null: none. */
  at: number | null
  messages: readonly Message[]
  state: ConversationState<Message>
  store: Messages
  box: RefObject<HTMLDivElement | null>
  isReady: boolean
}

/** Reads back to a message that a search has found, and brings it into view once. @returns its id when it is there */
export function useFinding({ at, messages, state, store, box, isReady }: Finding): string | null {
  const [shown, setShown] = useState<number | null>(null)
  const oldest = messages[0]?.sequence ?? 0
  const isWanted = at !== null && at !== shown && isReady
  const mustGoBack = isWanted && at < oldest && typeof state.timeline.older === 'string'
  const target = at === null ? undefined : messages.find((message) => message.sequence >= at)
  const isHere = isWanted && !mustGoBack && target !== undefined
  const isIdle = state.older === 'idle'
  useEffect(() => {
    if (mustGoBack && isIdle) void store.loadOlder()
  }, [store, mustGoBack, isIdle])
  useEffect(() => {
    if (!isHere || !target) return
    const element = box.current?.querySelector<HTMLElement>(`[data-message="${target.id}"]`)
    element?.scrollIntoView({ block: 'center' })
    setShown(at)
  }, [isHere, target, box, at])
  return at !== null && at === shown ? (target?.id ?? null) : null
}
