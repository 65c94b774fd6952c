import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Clock } from 'lucide-react'
import { useState } from 'react'
import { joinCommunity, leaveCommunity } from '#contracts/calls/communities.ts'
import type { Community } from '#contracts/communities.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { afterLeaving, afterRequesting, changeShown, forgetCommunity, refreshMine, showCommunity } from './communities.api.ts'

const AskDialog = lazyDialog(async () => (await import('./ask-dialog.tsx')).AskDialog)

type JoinButtonProps = {
  community: Community
  variant?: 'primary' | 'secondary'
  size?: 'md' | 'lg'
  className?: string
  onGone?: () => void
}

export function JoinButton({ community, variant = 'primary', size = 'md', className, onGone }: JoinButtonProps) {
  const { join, leave, isPending } = useMembership(community, onGone)
  const [isAsking, setAsking] = useState(false)
  const { abilities, isRequested, myRole, name } = community
  const of = <span className="sr-only"> {name}</span>
  if (myRole !== null) {
    return (
      <p
        className={`inline-flex items-center justify-center gap-1.5 font-medium text-leaf text-sm [&_svg]:size-4.5 ${size === 'lg' ? 'min-h-12' : 'min-h-10'} ${className ?? ''}`}
      >
        <Check aria-hidden="true" />
        {myRole === 'owner' ? 'Yours' : 'Joined'}
      </p>
    )
  }
  // After an invitation or in a public community, the request isn't needed anymore.
  if (isRequested && !abilities.join) {
    return (
      <Button size={size} variant="secondary" onClick={() => leave()} className={className}>
        <Clock aria-hidden="true" />
        Requested
        <span className="sr-only">: cancel the request to join {name}</span>
      </Button>
    )
  }
  if (abilities.join) {
    return (
      <Button size={size} variant={variant} onClick={() => join()} pending={isPending} pendingText="Joining..." className={className}>
        Join Community{of}
      </Button>
    )
  }
  if (!abilities.request) return null
  return (
    <>
      <Button size={size} variant={variant} onClick={() => setAsking(true)} className={className}>
        Ask to Join{of}
      </Button>
      {isAsking && (
        <AskDialog
          community={community}
          onClose={() => setAsking(false)}
          onAsk={(message) => {
            setAsking(false)
            join(message)
          }}
        />
      )}
    </>
  )
}

type Step = { kind: 'join'; message: string } | { kind: 'leave' }

/** Communities by ID, as the server last confirmed them. Contains only those whose presses are still being sent. */
const confirmedStates = new Map<string, Community>()

type Membership = {
  save: (step: Step) => Promise<Community | undefined>
  onSaved: (answer: Community | undefined, step: Step, before: Community) => void
  onFailed: (error: unknown) => void
}

/**
 * Joining waits for the server, as does leaving a private community. Requesting to join and leaving other communities are optimistic and
 * sent one after another, so the last press wins.
 */
export function membershipOptions(client: QueryClient, community: Community, { save, onSaved, onFailed }: Membership) {
  const { id } = community
  const mutationKey = ['community-membership', id]
  const isLast = () => client.isMutating({ mutationKey }) === 1
  return mutationOptions({
    mutationKey,
    scope: { id: mutationKey.join(':') },
    mutationFn: save,
    onMutate: (step: Step) => {
      if (isLast() || !confirmedStates.has(id)) confirmedStates.set(id, community)
      if (step.kind === 'join' && !community.abilities.join) changeShown(client, id, afterRequesting)
      // A private community disappears on leaving, so wait for the response.
      if (step.kind === 'leave' && community.visibility !== 'private') changeShown(client, id, afterLeaving)
    },
    onSuccess: (answer, step) => {
      const before = confirmedStates.get(id) ?? community
      confirmedStates.set(id, answer ?? afterLeaving(before))
      // After a later press, the button already shows the state that it leads to.
      if (answer && isLast()) showCommunity(client, answer)
      onSaved(answer, step, before)
    },
    onError: (error) => {
      const confirmed = confirmedStates.get(id)
      if (confirmed && isLast()) changeShown(client, id, () => confirmed)
      onFailed(error)
    },
    onSettled: () => {
      if (isLast()) confirmedStates.delete(id)
    },
  })
}

/** @param onGone called once the viewer can't see the community anymore */
export function useMembership(community: Community, onGone?: () => void) {
  const client = useQueryClient()
  const { id, name } = community
  const { mutate, isPending } = useMutation(
    membershipOptions(client, community, {
      save: async (step) =>
        step.kind === 'join'
          ? call(joinCommunity, { params: { id }, body: { message: step.message } })
          : call(leaveCommunity, { params: { id } }),
      onFailed: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to update membership'), variant: 'destructive' }),
      onSaved: (answer, step, before) => {
        if (step.kind === 'join' && !answer?.myRole) {
          toast({ title: 'Request sent', description: `The moderators of ${name} will decide.`, action: { label: 'Undo', onClick: leave } })
        }
        if (step.kind === 'leave') {
          if (before.visibility === 'private') {
            onGone?.()
            forgetCommunity(client, before)
            toast({ title: `You left ${name}` })
            return
          }
          const isUndone = before.visibility === 'public' && before.myRole !== null
          toast({
            title: before.myRole ? `You left ${name}` : 'Request canceled',
            ...(isUndone ? { action: { label: 'Undo', onClick: () => join() } } : {}),
          })
        }
        refreshMine(client)
      },
    }),
  )
  const join = (message = '') => mutate({ kind: 'join', message })
  const leave = () => mutate({ kind: 'leave' })
  return { join, leave, isPending }
}
