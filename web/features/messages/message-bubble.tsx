import { CircleAlert, Clock3 } from 'lucide-react'
import type { Conversation, Message } from '../../../contracts/messages.ts'
import { localDateFormat } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Gallery } from '../media/gallery.tsx'
import { RichText } from '../posts/rich-text.tsx'
import type { Messages } from './conversation-stores.ts'
import { MessageMenu } from './message-menu.tsx'
import type { Outgoing } from './outgoing.ts'
import { partyKey, partyName } from './party.tsx'
import type { Spoken } from './timeline-rows.ts'

/** What has arrived (`message`) or is on its way (`outgoing`). */
export type ShownMessage = Spoken & {
  senderName: string
  /** Who of the team wrote it, for the team. */
  byline: string | null
  content: string
  media: Message['media']
  isRemoved: boolean
  message: Message | null
  outgoing: Outgoing | null
}

/** What has arrived, and after it what waits to be sent. */
export function shownMessages(conversation: Conversation, messages: readonly Message[], line: readonly Outgoing[]): ShownMessage[] {
  const arrived = messages.map((message): ShownMessage => {
    const { id, isOwn, sender, writtenBy, content, media, createdAt, isRemoved } = message
    return {
      id,
      isOwn,
      senderKey: `${partyKey(sender)}.${writtenBy?.id ?? ''}`,
      senderName: isOwn && conversation.as.kind === 'self' ? 'You' : partyName(sender),
      byline: writtenBy?.name ?? null,
      content,
      media,
      createdAt,
      isRemoved,
      message,
      outgoing: null,
    }
  })
  const waiting = line.map((outgoing): ShownMessage => {
    const { id, content, createdAt } = outgoing
    const own = { isOwn: true, senderKey: 'waiting', senderName: 'You', byline: null, isRemoved: false, message: null }
    return { ...own, id, content, media: [...outgoing.media], createdAt, outgoing }
  })
  return [...arrived, ...waiting]
}

const clock = localDateFormat({ hour: 'numeric', minute: '2-digit' })
const exact = localDateFormat({ dateStyle: 'full', timeStyle: 'short' })

type MessageBubbleProps = {
  message: ShownMessage
  isFirst: boolean
  isLast: boolean
  /** It is what a search has led to. */
  isFound: boolean
  /** The last of one's own that the other side has read. */
  isSeen: boolean
  store: Messages
}

export function MessageBubble({ message, isFirst, isLast, isFound, isSeen, store }: MessageBubbleProps) {
  const { id, isOwn, senderName, byline, content, media, createdAt, isRemoved, outgoing } = message
  const at = new Date(createdAt)
  return (
    <li data-message={id} className={cx('group/message flex flex-col', isOwn ? 'items-end' : 'items-start', isFirst ? 'mt-3' : 'mt-1')}>
      {isFirst && byline && <p className="mb-1 px-1 text-muted text-xs">{byline}</p>}
      <div className={cx('flex max-w-[min(88%,34rem)] items-center gap-1', isOwn && 'flex-row-reverse')}>
        <div
          className={cx(
            'min-w-0 rounded-card border px-3.5 py-2 transition-colors',
            isOwn ? 'border-transparent bg-leaf-soft' : 'border-line bg-ground',
            isOwn ? !isLast && 'rounded-br-tag' : !isLast && 'rounded-bl-tag',
            isOwn ? !isFirst && 'rounded-tr-tag' : !isFirst && 'rounded-tl-tag',
            isFound && 'outline-2 outline-leaf outline-offset-2',
            outgoing && outgoing.state !== 'refused' && 'opacity-80',
          )}
        >
          <span className="sr-only">{byline ?? senderName}: </span>
          {isRemoved ? (
            <p className="text-muted italic">Removed by moderators</p>
          ) : (
            <>
              {media.length > 0 && (
                <div className={cx('w-72 max-w-full', content ? 'mt-0.5 mb-2' : '-mx-1.5 -my-0.5')}>
                  <Gallery media={media} of={`the message by ${byline ?? senderName}`} />
                </div>
              )}
              {content && <RichText text={content} className="text-[0.9375rem] text-wrap" />}
            </>
          )}
        </div>
        {message.message && <MessageMenu message={message.message} store={store} />}
      </div>
      {outgoing ? (
        <OnItsWay outgoing={outgoing} store={store} />
      ) : (
        (isLast || isSeen) && (
          <p className="mt-1 px-1 text-muted text-xs">
            <time dateTime={createdAt} title={exact.format(at)}>
              {clock.format(at)}
            </time>
            {isSeen && ' · Seen'}
          </p>
        )
      )}
    </li>
  )
}

/** How far it is, or why it did not go and what can be done. */
function OnItsWay({ outgoing, store }: { outgoing: Outgoing; store: Messages }) {
  const { id, state, problem } = outgoing
  if (problem === null) {
    return (
      <p className="mt-1 flex items-center gap-1.5 px-1 text-muted text-xs">
        <Clock3 aria-hidden="true" className="size-3.5" />
        {state === 'sending' ? 'Sending...' : 'Waiting...'}
      </p>
    )
  }
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 px-1 text-clay text-sm">
      <span className="flex items-center gap-1.5">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        Not sent. {problem}
      </span>
      <span className="flex gap-1">
        <Button variant="secondary" size="sm" onClick={() => store.retry(id)}>
          Retry
        </Button>
        <Button variant="quiet" size="sm" onClick={() => store.discard(id)}>
          Discard
        </Button>
      </span>
    </div>
  )
}
