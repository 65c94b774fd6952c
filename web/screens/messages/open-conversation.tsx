import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, BellOff, Info } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { useBlockBusiness, useBlockForBusiness } from '#web/entities/businesses/block-business.ts'
import { useBlockPerson } from '#web/entities/people/block-and-mute.tsx'
import type { ReportedWriter } from '#web/entities/reports/report-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useRefocus } from '#web/ui/focus.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import { ConversationMenu, RequestBar } from './conversation-menu.tsx'
import { MessageList, useChatScroll } from './message-list.tsx'
import { useListSearch } from './messages-search.ts'
import { ParticipantLink, ParticipantPicture, participantName, writerOf } from './participant.tsx'
import type { Outgoing } from './timeline.ts'
import { type Messages, useIsTyping, useMessages, useOnline, usePageVisible, useReadMark } from './use-messages.ts'

type OpenConversationProps = {
  conversation: Conversation
  /** The read state is accurate only if the conversation isn't being fetched. */
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
            title="The messages couldn’t be loaded"
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
          // Load the messages, so the sent one is visible.
          if (state.first === 'failed') void store.open()
        }}
      />
      {isReady && <Announcement message={newest} name={participantName(conversation.participant)} />}
    </>
  )
}

/** Finds the first message that was unread when the conversation opened, or arrived while the viewer was elsewhere. */
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

type ConversationFootProps = { conversation: Conversation; store: Messages; line: readonly Outgoing[]; onSent: () => void }

function ConversationFoot({ conversation, store, line, onSent }: ConversationFootProps) {
  const { participant, as, isBlocked, isRequest, isPending, abilities, sendRefusal, needsSubscription } = conversation
  const isOnline = useOnline()
  const mutedUntil = useMutedUntil()
  const name = participantName(participant)
  const writer = writerOf(participant)
  // The pressed button or field disappears when the response arrives, so this moves focus.
  const ref = useRefocus<HTMLElement>(isBlocked ? 'blocked' : isRequest ? 'request' : abilities.send ? 'open' : 'closed')
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`Write to ${name}`}
      className="outline-none border-line border-t bg-surface px-2.5 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      {isRequest && <RequestBar conversation={conversation} />}
      {isBlocked && writer ? (
        <Note>
          <span>
            {as.kind === 'business' ? `${as.business.name} has` : 'You have'} blocked {name}. You can’t message each other.
          </span>
          {as.kind === 'business' ? (
            abilities.block && <UnblockForBusiness business={as.business} writer={writer} />
          ) : writer.kind === 'person' ? (
            <UnblockPerson writer={writer} />
          ) : (
            <UnblockBusiness writer={writer} />
          )}
        </Note>
      ) : mutedUntil ? (
        <MutedNote until={mutedUntil} />
      ) : abilities.send ? (
        <>
          {!isOnline && <Note>You’re offline. We’ll send your messages when you’re back online.</Note>}
          <Composer
            conversation={conversation}
            hasUnsent={line.length > 0}
            onSend={(content, media) => {
              store.send(content, media)
              onSent()
            }}
          />
        </>
      ) : (
        <Note>
          <span>{sendRefusal ?? (isPending ? `${name} hasn’t accepted your request yet.` : 'You can’t send messages here.')}</span>
          {participant.kind === 'business' && conversation.as.kind === 'self' && (
            <span className="flex flex-wrap gap-2">
              <Button asChild variant={needsSubscription ? 'primary' : 'secondary'} size="sm">
                <Link to="/business/$id" params={{ id: participant.business.slug }}>
                  Open its page
                </Link>
              </Button>
              {needsSubscription && (
                <Button asChild variant="secondary" size="sm">
                  <Link to="/billing">See the VIP plan</Link>
                </Button>
              )}
            </span>
          )}
        </Note>
      )}
    </section>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 rounded-input bg-sunk px-3.5 py-2.5 text-muted text-sm last:mb-0">
    {children}
  </div>
)

function UnblockPerson({ writer }: { writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockPerson(writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

function UnblockForBusiness({ business, writer }: { business: BusinessByline; writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockForBusiness(business, writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

function UnblockBusiness({ writer }: { writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockBusiness(writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

const Unblock = ({ onClick, isPending }: { onClick: () => void; isPending: boolean }) => (
  <Button variant="secondary" size="sm" onClick={onClick} pending={isPending} pendingText="Unblocking...">
    Unblock
  </Button>
)

const ConversationInfo = lazyDialog(async () => (await import('./conversation-info.tsx')).ConversationInfo)

function ConversationHead({ conversation, isTyping }: { conversation: Conversation; isTyping: boolean }) {
  const navigate = useNavigate()
  const list = useListSearch()
  const [info, setInfo] = useState<'never' | 'open' | 'closed'>('never')
  const name = participantName(conversation.participant)
  return (
    <header className="flex min-h-16 items-center gap-2.5 border-line border-b px-2 py-2 sm:px-4">
      <IconButton
        label="Back to all messages"
        className="md:hidden"
        onClick={() => void navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: list })}
      >
        <ArrowLeft aria-hidden="true" />
      </IconButton>
      <ParticipantPicture participant={conversation.participant} />
      <div className="min-w-0 flex-1">
        <h1 data-title={`${name} · Messages`} className="truncate font-semibold font-text text-base tracking-normal outline-none">
          <ParticipantLink participant={conversation.participant} className="rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </ParticipantLink>
        </h1>
        <p className="flex min-h-5 items-center gap-2 truncate text-muted text-sm">
          {isTyping ? <span className="text-leaf">Typing...</span> : <ConversationState conversation={conversation} />}
        </p>
      </div>
      <IconButton label={`About this conversation with ${name}`} onClick={() => setInfo('open')}>
        <Info aria-hidden="true" />
      </IconButton>
      <ConversationMenu conversation={conversation} />
      {info !== 'never' && (
        <ConversationInfo conversation={conversation} open={info === 'open'} onOpenChange={(open) => setInfo(open ? 'open' : 'closed')} />
      )}
    </header>
  )
}

function ConversationState({ conversation: { as, participant, isRequest, isMuted } }: { conversation: Conversation }) {
  return (
    <>
      {isRequest && <Badge variant="leaf">Request</Badge>}
      {as.kind === 'business'
        ? `Replying as ${as.business.name}`
        : participant.kind === 'business'
          ? 'Business'
          : participant.kind === 'person'
            ? 'Member'
            : ''}
      {isMuted && (
        <span className="inline-flex items-center gap-1">
          <BellOff aria-hidden="true" className="size-3.5" />
          Muted
        </span>
      )}
    </>
  )
}

export function MessagesSkeleton() {
  return (
    <SkeletonGroup label="Loading the messages..." className="flex flex-1 flex-col justify-end gap-3 p-4 sm:p-6">
      <Skeleton className="h-10 w-3/5 rounded-card" />
      <Skeleton className="h-16 w-2/5 rounded-card" />
      <Skeleton className="h-10 w-1/2 self-end rounded-card" />
      <Skeleton className="h-10 w-1/3 rounded-card" />
      <Skeleton className="h-16 w-3/5 self-end rounded-card" />
    </SkeletonGroup>
  )
}
