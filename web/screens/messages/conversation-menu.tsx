import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Ban, Bell, BellOff, Check, Ellipsis, Flag, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import {
  acceptConversation,
  declineConversation,
  deleteConversation,
  muteConversation,
  unmuteConversation,
} from '#contracts/calls/messages.ts'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { BlockForBusinessDialog } from '#web/entities/businesses/block-for-business-dialog.tsx'
import { changeConversation, dropConversation, refreshConversations } from '#web/entities/messages/messages.api.ts'
import { BlockPersonDialog } from '#web/entities/people/block-and-mute.tsx'
import type { ReportedWriter } from '#web/entities/reports/report-words.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { possessive } from '#web/lib/format.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { useListSearch } from './messages-search.ts'
import { participantName, writerOf } from './participant.tsx'
import { forgetMessages } from './use-messages.ts'

export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const [dialog, setDialog] = useState<'block' | 'delete' | null>(null)
  const { participant, as, isMuted, isBlocked, abilities } = conversation
  const name = participantName(participant)
  const copy =
    as.kind === 'business'
      ? `${possessive(as.business.name)} copy of all messages so far, for everyone on the team`
      : 'your copy of all messages so far'
  const mute = useMute(conversation)
  const deletion = useDeleteConversation(conversation)
  const writer = writerOf(participant)
  const report = useReport(writer?.kind ?? 'person', writer?.id ?? '', isBlocked ? null : writer)
  const control = (which: 'block' | 'delete') => ({
    open: dialog === which,
    onOpenChange: (open: boolean) => setDialog(open ? which : null),
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More actions for the conversation with ${name}`}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => mute.setMuted(!isMuted)}>
            {isMuted ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}
            {isMuted ? 'Unmute' : 'Mute'}
          </MenuItem>
          {writer && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report {writer.kind === 'person' ? 'this person' : 'this business'}
            </MenuItem>
          )}
          <MenuSeparator />
          {abilities.block && !isBlocked && (
            <MenuItem danger onSelect={() => setDialog('block')}>
              <Ban aria-hidden="true" />
              {as.kind === 'business' ? `Block from ${as.business.name}` : 'Block'}
            </MenuItem>
          )}
          <MenuItem danger onSelect={() => setDialog('delete')}>
            <Trash2 aria-hidden="true" />
            Delete conversation
          </MenuItem>
        </MenuContent>
      </Menu>
      {report.dialog}
      {writer && <BlockParticipantDialog conversation={conversation} writer={writer} {...control('block')} />}
      <ConfirmDialog
        {...control('delete')}
        title={`Delete the conversation with ${name}?`}
        confirmText={as.kind === 'business' ? 'Delete for the team' : 'Delete for me'}
        onConfirm={() => deletion.remove()}
        pending={deletion.isPending}
        pendingText="Deleting..."
      >
        <p>
          This deletes {copy}. {name} will still have theirs. You can’t undo this. If either of you writes again, the conversation starts
          over.
        </p>
      </ConfirmDialog>
    </>
  )
}

export function RequestBar({ conversation }: { conversation: Conversation }) {
  const [isBlocking, setBlocking] = useState(false)
  const { accept, decline, isAccepting, isDeclining } = useAnswerRequest(conversation)
  const { participant, abilities } = conversation
  const name = participantName(participant)
  const writer = writerOf(participant)
  const report = useReport(writer?.kind ?? 'person', writer?.id ?? '', writer)
  return (
    <section aria-label="Message request" className="mb-2.5 rounded-input border border-line bg-ground px-4 py-3.5">
      <h2 className="font-semibold font-text text-base tracking-normal">{name} wants to message you</h2>
      <p className="mt-1 max-w-text text-muted text-sm">
        You didn’t follow {name} when they wrote. They won’t know that you’ve read this or what you decide unless you accept or reply.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {abilities.accept && (
          <Button size="sm" onClick={accept} pending={isAccepting} pendingText="Accepting...">
            <Check aria-hidden="true" />
            Accept
          </Button>
        )}
        {abilities.decline && (
          <Button variant="secondary" size="sm" onClick={decline} pending={isDeclining} pendingText="Declining...">
            <X aria-hidden="true" />
            Decline
          </Button>
        )}
        {writer && (
          <>
            {abilities.block && (
              <Button variant="quiet" size="sm" onClick={() => setBlocking(true)}>
                <Ban aria-hidden="true" />
                Block
              </Button>
            )}
            <Button variant="quiet" size="sm" onClick={report.open}>
              <Flag aria-hidden="true" />
              Report
            </Button>
            <BlockParticipantDialog conversation={conversation} writer={writer} open={isBlocking} onOpenChange={setBlocking} />
          </>
        )}
      </div>
      {report.dialog}
    </section>
  )
}

type BlockParticipantDialogProps = {
  conversation: Conversation
  writer: ReportedWriter
  open: boolean
  onOpenChange: (open: boolean) => void
}

function BlockParticipantDialog({ conversation, writer, ...control }: BlockParticipantDialogProps) {
  if (conversation.as.kind === 'business')
    return <BlockForBusinessDialog business={conversation.as.business} person={writer} {...control} />
  return writer.kind === 'person' ? (
    <BlockPersonDialog person={writer} {...control} />
  ) : (
    <BlockBusinessDialog business={writer} {...control} />
  )
}

function BlockBusinessDialog({
  business,
  open,
  onOpenChange,
}: Omit<BlockParticipantDialogProps, 'writer' | 'conversation'> & { business: ReportedWriter }) {
  const { setBlocked } = useBlockBusiness(business)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${business.name}?`}
      confirmText="Block"
      onConfirm={() => {
        onOpenChange(false)
        setBlocked(true)
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>You won’t be able to message each other anymore. Existing messages won’t be deleted.</li>
        <li>You’ll unfollow it, and any subscription will end. Unblocking won’t undo this.</li>
        <li>It won’t be notified. You can unblock it at any time on its page.</li>
      </ul>
    </ConfirmDialog>
  )
}

const failed = (error: unknown, what: string) => toast({ title: what, description: messageOf(error), variant: 'destructive' })

export function useMute({ id, participant, as }: Conversation) {
  const client = useQueryClient()
  const isForTeam = as.kind === 'business'
  const { mutate } = useMutation(
    toggleOptions(client, {
      mutationKey: ['mute-conversation', id],
      save: (isMuted) => call(isMuted ? muteConversation : unmuteConversation, { params: { id } }),
      show: (isMuted) => changeConversation(client, id, (each) => ({ ...each, isMuted })),
      onSaved: (_answer, isMuted) => {
        toast({
          title: isMuted ? 'Muted' : 'Unmuted',
          description: isMuted
            ? `${isForTeam ? 'Your team' : 'You'} won’t be notified when ${participantName(participant)} writes. New messages will still appear here.`
            : `${isForTeam ? 'Your team will' : 'You’ll'} be notified when ${participantName(participant)} writes.`,
        })
        refreshConversations(client, id)
      },
      onFailed: (error, isMuted) => failed(error, isMuted ? 'The conversation wasn’t muted' : 'The conversation is still muted'),
    }),
  )
  return { setMuted: (isMuted: boolean) => mutate(isMuted) }
}

function useDeleteConversation({ id, as }: Conversation) {
  const leave = useLeave(id)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(deleteConversation, { params: { id } }),
    onSuccess: () => {
      leave()
      const whose = as.kind === 'business' ? 'your team’s' : 'your'
      toast({ title: 'Conversation deleted', description: `Only ${whose} copy was deleted.` })
    },
    onError: (error) => failed(error, 'The conversation wasn’t deleted'),
  })
  return { remove: () => mutate(), isPending }
}

function useAnswerRequest({ id, participant }: Conversation) {
  const client = useQueryClient()
  const leave = useLeave(id)
  const accepting = useMutation({
    mutationFn: () => call(acceptConversation, { params: { id } }),
    onSuccess: (conversation) => {
      changeConversation(client, id, () => conversation)
      refreshConversations(client, id)
    },
    onError: (error) => failed(error, 'The request wasn’t accepted'),
  })
  const declining = useMutation({
    mutationFn: () => call(declineConversation, { params: { id } }),
    onSuccess: () => {
      leave()
      toast({ title: 'Request declined', description: `${participantName(participant)} won’t be notified.` })
    },
    onError: (error) => failed(error, 'The request wasn’t declined'),
  })
  return {
    accept: () => accepting.mutate(),
    decline: () => declining.mutate(),
    isAccepting: accepting.isPending,
    isDeclining: declining.isPending,
  }
}

function useLeave(id: string) {
  const client = useQueryClient()
  const router = useRouter()
  const list = useListSearch()
  const account = useCurrentUser()?.id ?? ''
  return () => {
    forgetMessages(account, id)
    // The person may have gone elsewhere in the meantime.
    if (router.latestLocation.pathname === `/messages/${id}`) {
      void router.navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: list, replace: true })
    }
    dropConversation(client, id)
    refreshConversations(client, id)
  }
}
