import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff, ImageIcon } from 'lucide-react'
import type { Conversation } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { conversationsOptions, type Inbox } from './messages.api.ts'
import { PartyPicture, partyName } from './party.tsx'
import { useListSearch } from './use-list-search.ts'

type ConversationListProps = { inbox: Inbox; requests: boolean; openId: string | null }

/** The conversations of an inbox, or those who ask to write. */
export function ConversationList({ inbox, requests, openId }: ConversationListProps) {
  const list = useInfiniteQuery({ ...conversationsOptions(inbox, requests), refetchOnMount: 'always' })
  if (list.isPending) {
    return (
      <SkeletonGroup label="Loading your conversations..." className="px-4">
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <SkeletonRow key={row} />
        ))}
      </SkeletonGroup>
    )
  }
  if (!list.data) {
    return (
      <ErrorState
        title="Your conversations could not be loaded"
        description={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        pending={list.isFetching}
      />
    )
  }
  const conversations = list.data.pages.flatMap(({ items }) => items)
  if (conversations.length === 0) return requests ? <NoRequests /> : <NoConversations isOwn={inbox === 'me'} />
  return (
    <div className="px-2 pb-3">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <ConversationRow conversation={conversation} isOpen={conversation.id === openId} />
          </li>
        ))}
      </ul>
      <MorePages list={list} />
    </div>
  )
}

function ConversationRow({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { id, isMuted, unreadCount, lastMessage } = conversation
  const isUnread = unreadCount > 0
  return (
    <Link
      to="/messages/{-$id}"
      params={{ id }}
      search={useListSearch()}
      aria-current={isOpen ? 'page' : undefined}
      className="flex items-center gap-3 rounded-input px-2.5 py-2.5 transition-colors hover:bg-sunk focus-visible:-outline-offset-2 aria-[current]:bg-leaf-soft"
    >
      <PartyPicture party={conversation.with} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={cx('line-clamp-2 min-w-0 flex-1 leading-snug wrap-anywhere', isUnread ? 'font-semibold' : 'font-medium')}>
            {partyName(conversation.with)}
          </span>
          {isMuted && (
            <span className="self-center text-muted">
              <BellOff aria-hidden="true" className="size-3.5" />
              <span className="sr-only">Muted</span>
            </span>
          )}
          {lastMessage && <Ago at={lastMessage.createdAt} className="shrink-0 text-muted text-xs" />}
        </span>
        <span className="flex min-h-5.5 items-center gap-2">
          <span className={cx('min-w-0 flex-1 truncate text-sm', isUnread ? 'text-ink' : 'text-muted')}>
            <Excerpt conversation={conversation} />
          </span>
          {isUnread && (
            <span
              className={cx(
                'min-w-5 shrink-0 rounded-full px-1.5 text-center text-xs/5 font-semibold tabular-nums',
                isMuted ? 'bg-sunk text-muted' : 'bg-leaf text-on-leaf',
              )}
            >
              {unreadCount > 99 ? '99+' : unreadCount}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

/** The last message on one line. */
function Excerpt({ conversation: { lastMessage, isPending } }: { conversation: Conversation }) {
  if (!lastMessage) return 'Nothing written yet'
  const { text, isOwn, hasPhotos, isRemoved } = lastMessage
  if (isRemoved) return <em>Removed by moderators</em>
  return (
    <>
      {isOwn && (isPending ? 'Request: ' : 'You: ')}
      {hasPhotos && <ImageIcon aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.125em]" />}
      {text || (hasPhotos && 'Photo')}
    </>
  )
}

function NoConversations({ isOwn }: { isOwn: boolean }) {
  if (!isOwn) {
    return (
      <EmptyState
        title="No messages yet"
        description="Subscribers, and members with the VIP plan, can write to this business from its page. Everybody on the team reads and answers here."
      />
    )
  }
  return (
    <EmptyState title="No messages yet" description="Open somebody’s profile, or the page of a business, and choose Message.">
      <Button asChild>
        <Link to="/discover">Discover businesses</Link>
      </Button>
    </EmptyState>
  )
}

const NoRequests = () => (
  <EmptyState
    title="No requests"
    description="When somebody you do not follow writes to you, it waits here until you accept it. They are not told whether you have read it."
  />
)
