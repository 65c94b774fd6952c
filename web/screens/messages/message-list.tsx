import { ArrowDown } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button, Spinner } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { useListFocus } from '#web/ui/focus.ts'
import type { ConversationState } from './conversation-store.ts'
import { MessageBubble, type ShownMessage, shownMessages } from './message-bubble.tsx'
import { participantName } from './participant.tsx'
import { PrivacyLine } from './privacy-line.tsx'
import { dayWords, timelineRows } from './timeline.ts'
import type { Messages } from './use-messages.ts'

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

export function MessageList({ conversation, messages, state, store, scroll, firstNew, isReady, isTyping, at }: MessageListProps) {
  const now = useNow()
  const listFocus = useListFocus<HTMLOListElement>()
  const name = participantName(conversation.participant)
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={`Messages with ${name}`}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="flex min-h-full flex-col justify-end px-3 pt-4 pb-3 sm:px-6">
          {isReady && <Beginning store={store} state={state} box={scroll.box} />}
          <ol {...listFocus} className="grid">
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
                  isForTeam={conversation.as.kind === 'business'}
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

function Beginning({ store, state, box }: Pick<MessageListProps, 'store' | 'state'> & { box: { current: HTMLDivElement | null } }) {
  const mark = useRef<HTMLDivElement>(null)
  const { older } = state.timeline
  const hasMore = typeof older === 'string'
  const isIdle = state.older === 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each page, as the window may not be full yet
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
          Earlier messages couldn’t be loaded.
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

type Finding = {
  /** Sequence number of the message to find. */
  at: number | null
  messages: readonly Message[]
  state: ConversationState<Message>
  store: Messages
  box: RefObject<HTMLDivElement | null>
  isReady: boolean
}

/** Finds a message from a search by loading older ones, then scrolls to it once. @returns its ID once loaded */
function useFinding({ at, messages, state, store, box, isReady }: Finding): string | null {
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

/** In pixels. Positions closer to the end count as the end. */
const near = 60

type ChatScroll = {
  /** The element that scrolls. Its only child grows. */
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  toEnd: () => void
}

/**
 * Handles scrolling of a list that grows at both ends. Sticks to the end; elsewhere, the visible content doesn't move when older messages
 * load above. (Not all browsers anchor scrolling, and none do so at the very top.)
 * @param firstKey key of the oldest row
 * @param isReady whether the first page has loaded
 */
export function useChatScroll(firstKey: string | undefined, isReady: boolean): ChatScroll {
  const box = useRef<HTMLDivElement>(null)
  const last = useRef({ firstKey, height: 0, top: 0, isAtEnd: true, hasStarted: false })
  const [isAtEnd, setAtEnd] = useState(true)

  const note = useCallback(() => {
    const element = box.current
    if (!element) return
    const { scrollHeight, scrollTop, clientHeight } = element
    const atEnd = scrollHeight - scrollTop - clientHeight < near
    Object.assign(last.current, { height: scrollHeight, top: scrollTop, isAtEnd: atEnd })
    setAtEnd(atEnd)
  }, [])

  const toEnd = useCallback(() => {
    const element = box.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    note()
  }, [note])

  useLayoutEffect(() => {
    const element = box.current
    const before = last.current
    if (!element || !isReady) return
    if (!before.hasStarted) {
      before.hasStarted = true
      before.firstKey = firstKey
      const news = element.querySelector<HTMLElement>('[data-news]')
      if (news) element.scrollTop = Math.max(0, news.offsetTop - 48)
      else element.scrollTop = element.scrollHeight
      note()
    } else if (before.firstKey !== firstKey) {
      before.firstKey = firstKey
      if (!before.isAtEnd) element.scrollTop = before.top + (element.scrollHeight - before.height)
      note()
    }
  }, [firstKey, isReady, note])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const follow = () => {
      if (!last.current.hasStarted) return
      if (last.current.isAtEnd) element.scrollTop = element.scrollHeight
      note()
    }
    const observer = new ResizeObserver(follow)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [note])

  return { box, isAtEnd, toEnd }
}
