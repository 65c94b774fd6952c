import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Community, joinCommunity, leaveCommunity } from '../../../contracts/communities.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changeShown, forgetCommunity, refreshMine, showCommunity } from './communities.api.ts'
import { left, requested } from './membership.ts'

type Step = { kind: 'join'; message: string } | { kind: 'leave' }

/**
 * Joins or asks, leaves or takes the request back. A join shows when the server has answered, everything else at once, and it is taken back
 * with a message when the server refuses. `onGone`: it is not there for the viewer any more.
 */
export function useMembership(community: Community, onGone?: () => void) {
  const client = useQueryClient()
  const { id, name } = community
  const mutationKey = ['community-membership', id]
  const { mutate, isPending } = useMutation({
    mutationKey,
    // One after the other: the last press decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    mutationFn: (step: Step) =>
      step.kind === 'join'
        ? call(joinCommunity, { params: { id }, body: { message: step.message } })
        : call(leaveCommunity, { params: { id } }),
    onMutate: (step) => {
      if (step.kind === 'join' && !community.abilities.join) changeShown(client, id, requested)
      // A private one that is left is gone with the answer, not before it.
      if (step.kind === 'leave' && community.visibility !== 'private') changeShown(client, id, left)
      return community
    },
    onError: (error, _step, before) => {
      toast({ title: 'Error', description: messageOf(error, 'Failed to update membership'), variant: 'destructive' })
      if (before && client.isMutating({ mutationKey }) === 1) changeShown(client, id, () => before)
    },
    onSuccess: (answer, step, before) => {
      if (answer) showCommunity(client, answer)
      if (step.kind === 'join' && !answer?.myRole) {
        toast({ title: 'Request sent', description: `The moderators of ${name} decide.`, action: { label: 'Undo', onClick: leave } })
      }
      if (step.kind === 'leave') {
        if (before?.visibility === 'private') {
          onGone?.()
          forgetCommunity(client, before)
          toast({ title: `You left ${name}` })
          return
        }
        const isUndone = before?.visibility === 'public' && before.myRole !== null
        toast({
          title: before?.myRole ? `You left ${name}` : 'Request taken back',
          ...(isUndone ? { action: { label: 'Undo', onClick: () => join() } } : {}),
        })
      }
      refreshMine(client)
    },
  })
  const join = (message = '') => mutate({ kind: 'join', message })
  const leave = () => mutate({ kind: 'leave' })
  return { join, leave, isPending }
}
