import { CircleAlert, Clock3, Copy, Ellipsis, Flag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteMessage } from '#contracts/calls/messages.ts'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import { Gallery } from '#web/entities/media/gallery.tsx'
import { refreshConversations } from '#web/entities/messages/messages.api.ts'
import { RichText } from '#web/entities/posts/rich-text.tsx'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDateFormat } from '#web/lib/format.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { removals } from '#web/ui/pending-removals.ts'
import { toast } from '#web/ui/toast-store.ts'
import { participantKey, participantName, writerOf } from './participant.tsx'
import type { GroupableMessage, Outgoing } from './timeline.ts'
import { type Messages, useOnline } from './use-messages.ts'

/** Either sent (`message`) or being sent (`outgoing`). */
export type ShownMessage = GroupableMessage & {
  senderName: string
  /** The team member who wrote it. Only the team sees this. */
  byline: string | null
  content: string
  media: Message['media']
  isRemoved: boolean
  message: Message | null
  outgoing: Outgoing | null
}

export function shownMessages(conversation: Conversation, messages: readonly Message[], line: readonly Outgoing[]): ShownMessage[] {
  const arrived = messages.map((message): ShownMessage => {
    const { id, isOwn, sender, writtenBy, content, media, createdAt, isRemoved } = message
    return {
      id,
      isOwn,
      senderKey: `${participantKey(sender)}.${writtenBy?.id ?? ''}`,
      senderName: isOwn && conversation.as.kind === 'self' ? 'You' : participantName(sender),
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
  isFound: boolean
  /** True for the viewer's last message that the other participant has read. */
  isSeen: boolean
  isForTeam: boolean
  store: Messages
}

export function MessageBubble({ message, isFirst, isLast, isFound, isSeen, isForTeam, store }: MessageBubbleProps) {
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
        {message.message && <MessageMenu message={message.message} isForTeam={isForTeam} store={store} />}
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

function OnItsWay({ outgoing, store }: { outgoing: Outgoing; store: Messages }) {
  const { id, state, problem } = outgoing
  const isOnline = useOnline()
  const discard = (
    <Button variant="quiet" size="sm" onClick={() => store.discard(id)}>
      Discard
    </Button>
  )
  // While offline, no error is shown, because a note below the messages says that they will be sent once the device is online.
  if (problem === null || !(isOnline || state === 'refused')) {
    return (
      <div className="mt-1 flex items-center gap-1.5 px-1 text-muted text-xs">
        <Clock3 aria-hidden="true" className="size-3.5" />
        {state === 'sending' ? 'Sending...' : 'Waiting...'}
        {problem !== null && discard}
      </div>
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
        {discard}
      </span>
    </div>
  )
}

const place =
  'opacity-0 transition-opacity focus-visible:opacity-100 group-hover/message:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

type MessageMenuProps = { message: Message; isForTeam: boolean; store: Messages }

/** A list has many messages, so the menu renders on demand. */
function MessageMenu({ message, isForTeam, store }: MessageMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const excerpt = message.content.slice(0, 40) || 'a photo'
  const look = { label: `More actions for the message “${excerpt}”`, size: 'sm' as const, className: place }
  if (isWanted) return <OpenedMenu message={message} isForTeam={isForTeam} store={store} look={look} />
  return (
    <IconButton {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)}>
      <Ellipsis aria-hidden="true" />
    </IconButton>
  )
}

type OpenedMenuProps = MessageMenuProps & { look: { label: string; size: 'sm'; className: string } }

function OpenedMenu({ message, isForTeam, store, look }: OpenedMenuProps) {
  const { id, content, isRemoved, abilities } = message
  const report = useReport('message', id, writerOf(message.sender))

  async function copy() {
    try {
      await navigator.clipboard.writeText(content)
      toast({ title: 'Copied' })
    } catch {
      toast({ title: 'Error', description: 'This browser doesn’t allow copying here.', variant: 'destructive' })
    }
  }

  const input = { params: { id } }
  const remove = () =>
    removals.remove({
      id,
      title: isForTeam ? 'Message deleted for your team' : 'Message deleted for you',
      commit: async () => {
        await call(deleteMessage, input, { keepalive: true })
        store.remove(id)
        refreshConversations(queryClient, message.conversationId)
      },
      onFailed: (error) =>
        toast({ title: 'Error', description: `The message wasn’t deleted. ${messageOf(error)}`, variant: 'destructive' }),
    })

  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>
          <IconButton {...look}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {content !== '' && !isRemoved && (
            <MenuItem onSelect={() => void copy()}>
              <Copy aria-hidden="true" />
              Copy text
            </MenuItem>
          )}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          <MenuItem danger onSelect={remove}>
            <Trash2 aria-hidden="true" />
            {isForTeam ? 'Delete for the team' : 'Delete for me'}
          </MenuItem>
        </MenuContent>
      </Menu>
      {report.dialog}
    </>
  )
}
