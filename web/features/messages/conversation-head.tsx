import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft, BellOff, Info } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../contracts/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { PartyLink, PartyPicture, partyName } from './party.tsx'
import { useListSearch } from './use-list-search.ts'

const ConversationInfo = lazyDialog(async () => (await import('./conversation-info.tsx')).ConversationInfo)

/** With whom, as whom, and what can be done about it. */
export function ConversationHead({ conversation, isTyping }: { conversation: Conversation; isTyping: boolean }) {
  const navigate = useNavigate()
  const list = useListSearch()
  const [info, setInfo] = useState<'never' | 'open' | 'closed'>('never')
  const name = partyName(conversation.with)
  return (
    <header className="flex min-h-16 items-center gap-2.5 border-line border-b px-2 py-2 sm:px-4">
      <IconButton
        label="Back to all messages"
        className="md:hidden"
        onClick={() => void navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: list })}
      >
        <ArrowLeft aria-hidden="true" />
      </IconButton>
      <PartyPicture party={conversation.with} />
      <div className="min-w-0 flex-1">
        <h1 data-title={`${name} · Messages`} className="truncate font-semibold font-text text-base tracking-normal outline-none">
          <PartyLink party={conversation.with} className="rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </PartyLink>
        </h1>
        <p className="flex min-h-5 items-center gap-2 truncate text-muted text-sm">
          {isTyping ? <span className="text-leaf">Typing...</span> : <Standing conversation={conversation} />}
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

function Standing({ conversation: { as, with: party, isRequest, isMuted } }: { conversation: Conversation }) {
  return (
    <>
      {isRequest && <Badge variant="leaf">Request</Badge>}
      {as.kind === 'business'
        ? `You answer as ${as.business.name}`
        : party.kind === 'business'
          ? 'Business'
          : party.kind === 'person'
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
