import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  acceptConversation,
  declineConversation,
  deleteConversation,
  muteConversation,
  unmuteConversation,
} from '#contracts/calls/messages.ts'
import type { Conversation } from '#contracts/messages.ts'
import { changeConversation, dropConversation, refreshConversations } from '#web/entities/messages/messages.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useListSearch } from './messages-search.ts'
import { participantName } from './participant.tsx'
import { forgetMessages } from './use-messages.ts'

const failed = (error: unknown, what: string) => toast({ title: what, description: messageOf(error), variant: 'destructive' })

/** Optimistic; rolls back with a toast on error. */
export function useMute({ id, participant }: Conversation) {
  const client = useQueryClient()
  const show = (isMuted: boolean) => changeConversation(client, id, (each) => ({ ...each, isMuted }))
  const { mutate } = useMutation({
    scope: { id: `mute:${id}` },
    mutationFn: (isMuted: boolean) => call(isMuted ? muteConversation : unmuteConversation, { params: { id } }),
    onMutate: show,
    onSuccess: (_answer, isMuted) => {
      toast({
        title: isMuted ? 'Muted' : 'Unmuted',
        description: isMuted
          ? `You won’t be notified when ${participantName(participant)} writes. New messages wait here.`
          : `You’ll be notified when ${participantName(participant)} writes.`,
      })
      refreshConversations(client, id)
    },
    onError: (error, isMuted) => {
      show(!isMuted)
      failed(error, isMuted ? 'The conversation wasn’t muted' : 'The conversation is still muted')
    },
  })
  return { setMuted: (isMuted: boolean) => mutate(isMuted) }
}

export function useDeleteConversation({ id }: Conversation) {
  const leave = useLeave(id)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(deleteConversation, { params: { id } }),
    onSuccess: () => {
      leave()
      toast({ title: 'Conversation deleted', description: 'Deleted only for you. The other person keeps it.' })
    },
    onError: (error) => failed(error, 'The conversation wasn’t deleted'),
  })
  return { remove: () => mutate(), isPending }
}

export function useAnswerRequest({ id, participant }: Conversation) {
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
      toast({ title: 'Request declined', description: `${participantName(participant)} isn’t notified.` })
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
  const navigate = useNavigate()
  const list = useListSearch()
  const account = useCurrentUser()?.id ?? ''
  return () => {
    forgetMessages(account, id)
    void navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: list, replace: true })
    dropConversation(client, id)
    refreshConversations(client, id)
  }
}
