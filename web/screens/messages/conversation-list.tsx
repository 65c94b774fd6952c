import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff, ImageIcon } from 'lucide-react'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import { conversationsOptions, type Inbox, unreadMessagesOptions } from '#web/entities/messages/messages.api.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { useListSearch } from './messages-search.ts'
import { ParticipantPicture, participantName } from './participant.tsx'

type ConversationListProps = { inbox: Inbox; requests: boolean; openId: string | null }

export function ConversationList({ inbox, requests, openId }: ConversationListProps) {
  const list = useInfiniteQuery(conversationsOptions(inbox, requests))
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
    return <LoadError title="Your conversations couldn’t be loaded" query={list} />
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
      <ParticipantPicture participant={conversation.participant} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={cx('line-clamp-2 min-w-0 flex-1 leading-snug wrap-anywhere', isUnread ? 'font-semibold' : 'font-medium')}>
            {participantName(conversation.participant)}
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

function Excerpt({ conversation: { lastMessage, isPending } }: { conversation: Conversation }) {
  if (!lastMessage) return 'No messages yet'
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

/** An empty personal inbox links to at most this many shared ones. The select above lists all of them. */
const maxInboxes = 3

function NoConversations({ isOwn }: { isOwn: boolean }) {
  const unread = useQuery(unreadMessagesOptions).data
  if (!isOwn) {
    return (
      <EmptyState
        title="No messages yet"
        description="Subscribers and VIP members can message this business from its page. Everyone on the team can read and reply here."
      />
    )
  }
  return (
    <EmptyState title="No messages yet" description="To start a conversation, choose Message on a person’s profile or a business’s page.">
      {unread && unread.businesses.length > 0 ? (
        unread.businesses.slice(0, maxInboxes).map(({ business: { id, name } }) => (
          <Button key={id} asChild variant="secondary">
            <Link to="/messages/{-$id}" params={{ id: undefined }} search={{ inbox: id }}>
              Messages to {name}
            </Link>
          </Button>
        ))
      ) : (
        <Button asChild>
          <Link to="/discover">Discover businesses</Link>
        </Button>
      )}
    </EmptyState>
  )
}

const NoRequests = () => (
  <EmptyState
    title="No requests"
    description="First messages from people you don’t follow appear here until you accept them. Senders can’t tell whether you’ve read them."
  />
)
