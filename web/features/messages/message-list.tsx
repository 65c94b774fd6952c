import { ArrowDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Conversation, Message } from '../../../contracts/messages.ts'
import { useNow } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ConversationState } from './conversation-store.ts'
import type { Messages } from './conversation-stores.ts'
import { MessageBubble, type ShownMessage, shownMessages } from './message-bubble.tsx'
import { partyName } from './party.tsx'
import { PrivacyLine } from './privacy-line.tsx'
import { dayWords, timelineRows } from './timeline-rows.ts'
import type { useChatScroll } from './use-chat-scroll.ts'
import { useFinding } from './use-finding.ts'

type MessageListProps = {
  conversation: Conversation
  messages: readonly Message[]
  state: ConversationState<Message>
  store: Messages
  scroll: ReturnType<typeof useChatScroll>
  firstNew: string | null
  isReady: boolean
  isTyping: boolean
  at: number | null
}

/** What was said, by day and by who said it. Older messages come as one scrolls up to them. */
export function MessageList({ conversation, messages, state, store, scroll, firstNew, isReady, isTyping, at }: MessageListProps) {
  const now = useNow()
  const name = partyName(conversation.with)
  const found = useFinding({ at, messages, state, store, box: scroll.box, isReady })
  const shown = shownMessages(conversation, messages, state.line)
  const rows = isReady ? timelineRows<ShownMessage>(shown, firstNew) : []
  const { theirReadSequence, readSequence } = conversation
  const lastSeen = messages.findLast((message) => message.isOwn && theirReadSequence !== null && message.sequence <= theirReadSequence)
  const unseen = scroll.isAtEnd ? 0 : messages.filter((message) => !message.isOwn && message.sequence > readSequence).length
  return (
    <div className={cx('relative flex min-h-0 flex-col', isReady ? 'flex-1' : 'h-0')}>
      <section
        ref={scroll.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        aria-label={`Messages with ${name}`}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="flex min-h-full flex-col justify-end px-3 pt-4 pb-3 sm:px-6">
          {isReady && <Beginning store={store} state={state} box={scroll.box} />}
          <ol className="grid">
            {rows.map((row) =>
              row.kind === 'day' ? (
                <li key={row.key} className="my-3 text-center">
                  <span className="rounded-full bg-sunk px-3 py-1 font-medium text-muted text-xs">
                    <time dateTime={row.at.toISOString()}>{dayWords(row.at, new Date(Math.max(now, row.at.getTime())))}</time>
                  </span>
                </li>
              ) : row.kind === 'news' ? (
                <li
                  key={row.key}
                  data-news=""
                  className="my-3 flex items-center gap-3 font-semibold text-leaf text-xs before:h-px before:flex-1 before:bg-leaf/40 after:h-px after:flex-1 after:bg-leaf/40"
                >
                  New messages
                </li>
              ) : (
                <MessageBubble
                  key={row.key}
                  message={row.message}
                  isFirst={row.isFirst}
                  isLast={row.isLast}
                  isFound={row.message.id === found}
                  isSeen={row.message.id === lastSeen?.id}
                  store={store}
                />
              ),
            )}
          </ol>
          {isTyping && <TypingLine name={name} />}
        </div>
      </section>
      {isReady && !scroll.isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            variant="secondary"
            size="sm"
            onClick={scroll.toEnd}
            className="pointer-events-auto animate-appear rounded-full! shadow-lift"
          >
            <ArrowDown aria-hidden="true" />
            {unseen > 0 ? `${unseen} new ${unseen === 1 ? 'message' : 'messages'}` : 'Jump to newest'}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What stands before the oldest message that is here: nothing more, more on its way, or why it did not come. */
function Beginning({ store, state, box }: Pick<MessageListProps, 'store' | 'state'> & { box: { current: HTMLDivElement | null } }) {
  const mark = useRef<HTMLDivElement>(null)
  const { older } = state.timeline
  const hasMore = typeof older === 'string'
  const isIdle = state.older === 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is looked past anew, for it may not have filled the window
  useEffect(() => {
    if (!mark.current || !hasMore || !isIdle) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void store.loadOlder(), {
      root: box.current,
      rootMargin: '600px 0px 0px',
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [store, box, hasMore, isIdle, older])
  if (!hasMore) return <PrivacyLine className="mx-auto mb-2 max-w-text" />
  return (
    <div ref={mark} className="grid min-h-14 place-items-center text-muted text-sm">
      {state.older === 'failed' ? (
        <span role="alert" className="flex flex-wrap items-center justify-center gap-3">
          Earlier messages could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void store.loadOlder()}>
            Retry
          </Button>
        </span>
      ) : (
        <span role="status" className="flex items-center gap-2">
          <Spinner />
          Loading earlier messages...
        </span>
      )}
    </div>
  )
}

const TypingLine = ({ name }: { name: string }) => (
  <p className="mt-2 flex items-center gap-2 text-muted text-sm">
    <span aria-hidden="true" className="flex gap-1 rounded-full border border-line px-3 py-2.5">
      <span className="typing-dot size-1.5 rounded-full bg-muted" />
      <span className="typing-dot size-1.5 rounded-full bg-muted" />
      <span className="typing-dot size-1.5 rounded-full bg-muted" />
    </span>
    <span className="sr-only">{name} is typing</span>
  </p>
)
