import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  acceptConversation,
  type Conversation,
  declineConversation,
  deleteConversation,
  muteConversation,
  unmuteConversation,
} from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { toast } from '../../ui/toast-store.ts'
import { forgetMessages } from './conversation-stores.ts'
import { changeConversation, dropConversation, refreshConversations } from './message-caches.ts'
import { partyName } from './party.tsx'
import { useListSearch } from './use-list-search.ts'

const failed = (error: unknown, what: string) => toast({ title: what, description: messageOf(error), variant: 'destructive' })

/** Shown at once; taken back with a message when the server refuses. */
export function useMute({ id, with: party }: Conversation) {
  const client = useQueryClient()
  const show = (isMuted: boolean) => changeConversation(client, id, (each) => ({ ...each, isMuted }))
  const { mutate } = useMutation({
    scope: { id: `mute:${id}` },
    mutationFn: (isMuted: boolean) => call(isMuted ? muteConversation : unmuteConversation, { params: { id } }),
    onMutate: show,
    onSuccess: (_answer, isMuted) => {
      toast({
        title: isMuted ? 'Muted' : 'Not muted any more',
        description: isMuted
          ? `You are not told of what ${partyName(party)} writes. It waits here.`
          : `You are told again when ${partyName(party)} writes.`,
      })
      refreshConversations(client, id)
    },
    onError: (error, isMuted) => {
      show(!isMuted)
      failed(error, isMuted ? 'The conversation was not muted' : 'The conversation is still muted')
    },
  })
  return { setMuted: (isMuted: boolean) => mutate(isMuted) }
}

/** Deletes it for oneself, and goes back to the list. */
export function useDeleteConversation({ id }: Conversation) {
  const leave = useLeave(id)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(deleteConversation, { params: { id } }),
    onSuccess: () => {
      leave()
      toast({ title: 'Conversation deleted', description: 'For you alone: the other side keeps it.' })
    },
    onError: (error) => failed(error, 'The conversation was not deleted'),
  })
  return { remove: () => mutate(), isPending }
}

/** Answers a request. */
export function useAnswerRequest({ id, with: party }: Conversation) {
  const client = useQueryClient()
  const leave = useLeave(id)
  const accepting = useMutation({
    mutationFn: () => call(acceptConversation, { params: { id } }),
    onSuccess: (conversation) => {
      changeConversation(client, id, () => conversation)
      refreshConversations(client, id)
    },
    onError: (error) => failed(error, 'The request was not accepted'),
  })
  const declining = useMutation({
    mutationFn: () => call(declineConversation, { params: { id } }),
    onSuccess: () => {
      leave()
      toast({ title: 'Request declined', description: `${partyName(party)} is not told.` })
    },
    onError: (error) => failed(error, 'The request was not declined'),
  })
  return {
    accept: () => accepting.mutate(),
    decline: () => declining.mutate(),
    isAccepting: accepting.isPending,
    isDeclining: declining.isPending,
  }
}

/** Away from a conversation that is not there any more. */
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
