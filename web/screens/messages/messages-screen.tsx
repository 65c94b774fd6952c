import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { cx } from '#web/ui/cx.ts'
import { InboxPane } from './inbox-pane.tsx'
import './messages.css'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import {
  conversationOptions,
  expireConversations,
  type Inbox,
  refreshConversations,
  unreadMessagesOptions,
} from '#web/entities/messages/messages.api.ts'
import { isAbsent, messageOf } from '#web/lib/api-error.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNotice } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { MessagesSearch } from './messages-search.ts'
import { MessagesSkeleton, OpenConversation } from './open-conversation.tsx'

type MessagesScreenProps = {
  id: string | null
  search: MessagesSearch
}

export function MessagesScreen({ id, search }: MessagesScreenProps) {
  useConversationNews()
  const open = useQuery({ ...conversationOptions(id ?? ''), enabled: id !== null }).data
  // Links from elsewhere only have the conversation's ID, so derive the list.
  const first = useFirstInbox()
  const inbox =
    search.inbox ?? (open?.as.kind === 'business' ? open.as.business.id : id === null && search.tab === undefined ? first : 'me')
  const tab = search.tab ?? (open?.isRequest ? 'requests' : 'inbox')
  return (
    <div
      data-fills-window=""
      className="mx-auto flex h-[calc(100dvh-4rem-var(--bottom-bar,0px)-env(safe-area-inset-bottom))] max-w-page md:h-[calc(100dvh-4rem)] md:px-6 md:py-5"
    >
      <div className="flex min-h-0 w-full md:overflow-clip md:rounded-card md:border md:border-line md:bg-surface">
        <InboxPane
          inbox={inbox}
          tab={tab}
          openId={id}
          className={cx('w-full md:w-[clamp(20rem,48%,24rem)] md:shrink-0 md:border-line md:border-r', id !== null && 'max-md:hidden')}
        />
        {id === null ? <NothingOpen /> : <ConversationPane key={id} id={id} at={search.at ?? null} />}
      </div>
    </div>
  )
}

/**
 * Without an inbox in the address, picks one with unread messages, the viewer's own first. Decides only once, so it doesn't change while
 * someone reads.
 */
function useFirstInbox(): Inbox {
  const unread = useQuery(unreadMessagesOptions).data
  const [first, setFirst] = useState<Inbox | null>(null)
  if (first === null && unread) setFirst((unread.own === 0 && unread.businesses.find(({ count }) => count > 0)?.business.id) || 'me')
  return first ?? 'me'
}

function NothingOpen() {
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 p-8 text-center text-muted max-md:hidden">
      <span className="grid size-16 place-items-center rounded-full bg-sunk">
        <MessagesSquare aria-hidden="true" className="size-7" />
      </span>
      <p>Choose a conversation to read it.</p>
    </div>
  )
}

type ConversationPaneProps = {
  id: string
  /** Sequence number of the message to find. */
  at: number | null
}

function ConversationPane({ id, at }: ConversationPaneProps) {
  const height = useVisibleHeight()
  return (
    <section
      data-conversation=""
      style={height === null ? undefined : ({ '--visible': `${height}px` } as CSSProperties)}
      className="flex min-w-0 flex-1 flex-col bg-surface max-md:fixed max-md:inset-x-0 max-md:top-16 max-md:z-30 max-md:h-[calc(var(--visible,100dvh)-4rem)]"
    >
      <Content id={id} at={at} />
    </section>
  )
}

function Content({ id, at }: ConversationPaneProps) {
  const { data: conversation, error, isFetching, refetch } = useQuery(conversationOptions(id))
  if (conversation) return <OpenConversation conversation={conversation} isFresh={!isFetching} at={at} />
  if (!error) return <ConversationSkeleton />
  // A 400 means that the address can't be an ID.
  const isMissing = isAbsent(error)
  return (
    <Centered>
      <ErrorNotice
        level={1}
        title={isMissing ? 'Conversation not found' : 'This conversation couldn’t be loaded'}
        description={isMissing ? 'It may have been deleted, or you may not have access.' : messageOf(error)}
      >
        {!isMissing && (
          <Button variant="secondary" onClick={() => void refetch()} pending={isFetching}>
            Retry
          </Button>
        )}
        <Button asChild variant={isMissing ? 'secondary' : 'quiet'}>
          <Link to="/messages/{-$id}" params={{ id: undefined }}>
            All messages
          </Link>
        </Button>
      </ErrorNotice>
    </Centered>
  )
}

const Centered = ({ children }: { children: ReactNode }) => <div className="grid flex-1 content-center">{children}</div>

function ConversationSkeleton() {
  return (
    <>
      <h1 className="sr-only">Conversation</h1>
      <SkeletonGroup label="Loading the conversation..." className="flex items-center gap-3 border-line border-b px-4 py-3">
        <Skeleton shape="circle" className="size-10" />
        <Skeleton shape="line" className="w-40" />
      </SkeletonGroup>
      <MessagesSkeleton />
    </>
  )
}

/** In milliseconds. Batches a burst of events into one request. */
const gatherFor = 150

function useConversationNews(): void {
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
      // There are no live updates from here on, so refetch on the next visit.
      expireConversations(client)
    }
  }, [client])
}

/** In pixels. A smaller difference isn't an on-screen keyboard. */
const keyboard = 150

/** In pixels. Null unless an on-screen keyboard covers part of the page. */
function useVisibleHeight(): number | null {
  return useSyncExternalStore(subscribe, read)
}

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

function read(): number | null {
  const { visualViewport } = window
  // Zooming in also shrinks the visual viewport.
  if (!visualViewport || visualViewport.scale > 1.01) return null
  return window.innerHeight - visualViewport.height > keyboard ? Math.round(visualViewport.height) : null
}
