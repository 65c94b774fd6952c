import { useEffect, useState } from 'react'
import type { Conversation, Message } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useRemoved } from '../posts/use-removed.ts'
import { ConversationFoot } from './conversation-foot.tsx'
import { ConversationHead } from './conversation-head.tsx'
import { MessageList } from './message-list.tsx'
import { MessagesSkeleton } from './messages-skeleton.tsx'
import { partyName } from './party.tsx'
import { useChatScroll } from './use-chat-scroll.ts'
import { useMessages } from './use-messages.ts'
import { usePageVisible, useReadMark } from './use-read-mark.ts'
import { useIsTyping } from './use-typing.ts'

type OpenConversationProps = {
  conversation: Conversation
  /** It is not being asked for: how far one has read is as it says. */
  isFresh: boolean
  at: number | null
}

export function OpenConversation({ conversation, isFresh, at }: OpenConversationProps) {
  const { id } = conversation
  const { store, state } = useMessages(id)
  const removed = useRemoved()
  const messages = state.timeline.messages.filter((message) => !removed.has(message.id))
  const newest = state.timeline.messages.at(-1)
  const isRead = useFirstNew(conversation, messages, isFresh && state.first === 'ready' && state.isCurrent)
  const isReady = state.first === 'ready' && isRead.isKnown
  const scroll = useChatScroll(messages[0]?.id, isReady)
  const isVisible = usePageVisible()
  const isInView = isReady && isVisible && scroll.isAtEnd
  useReadMark(conversation, isInView && newest ? newest.sequence : null)
  isRead.meet(newest, isInView)
  const isTyping = useIsTyping(id, newest?.id)

  return (
    <>
      <ConversationHead conversation={conversation} isTyping={isTyping} />
      {state.first === 'failed' ? (
        <div className="grid flex-1 content-center">
          <ErrorState
            level={2}
            title="The messages could not be loaded"
            description={messageOf(state.error)}
            onRetry={() => void store.open()}
          />
        </div>
      ) : isReady ? null : (
        <MessagesSkeleton />
      )}
      <MessageList
        conversation={conversation}
        messages={messages}
        state={state}
        store={store}
        scroll={scroll}
        firstNew={isRead.firstNew}
        isReady={isReady}
        isTyping={isTyping}
        at={at}
      />
      <ConversationFoot
        conversation={conversation}
        store={store}
        line={state.line}
        onSent={() => {
          isRead.forget()
          scroll.toEnd()
          // What was sent is to be seen.
          if (state.first === 'failed') void store.open()
        }}
      />
      {isReady && <Announcement message={newest} name={partyName(conversation.with)} />}
    </>
  )
}

/** Which message is the first that was not read when the conversation was opened, or that came while one was elsewhere. */
function useFirstNew(conversation: Conversation, messages: readonly Message[], isKnowable: boolean) {
  const [found, setFound] = useState<{ firstNew: string | null; upTo: number } | null>(null)
  if (!found && isKnowable) {
    const first = messages.find((message) => !message.isOwn && message.sequence > conversation.readSequence)
    setFound({ firstNew: first?.id ?? null, upTo: messages.at(-1)?.sequence ?? 0 })
  }
  return {
    isKnown: found !== null,
    firstNew: found?.firstNew ?? null,
    meet(newest: Message | undefined, isInView: boolean) {
      if (!found || !newest || newest.sequence <= found.upTo) return
      const isUnseen = !newest.isOwn && !isInView && found.firstNew === null
      setFound({ firstNew: isUnseen ? newest.id : found.firstNew, upTo: newest.sequence })
    },
    forget: () => setFound((before) => before && { ...before, firstNew: null }),
  }
}

/** Says what comes in to those who do not see it. */
function Announcement({ message, name }: { message: Message | undefined; name: string }) {
  const [before] = useState(message?.sequence ?? 0)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (message && !message.isOwn && message.sequence > before) setSaid(`${name}: ${message.content || 'Photo'}`)
  }, [message, before, name])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
