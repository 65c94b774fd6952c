import { useQueryClient } from '@tanstack/react-query'
import { blockPerson, getProfile, muteBusiness, mutePerson, unblockPerson, unmuteBusiness, unmutePerson } from '#contracts/calls/people.ts'
import { useUndoable } from '#web/entities/businesses/block-business.ts'
import { call } from '#web/lib/call.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { profileOptions } from './people.api.ts'

/** Refetches everything, because any response may include the person's content. */
export function useBlockPerson({ id, name }: { id: string; name: string }) {
  const client = useQueryClient()
  const { set, isPending } = useUndoable({
    scope: `block:${id}`,
    save: (isBlocked) => call(isBlocked ? blockPerson : unblockPerson, { params: { id } }),
    done: (isBlocked) => (isBlocked ? `You blocked ${name}` : `You unblocked ${name}`),
    failed: (isBlocked) => (isBlocked ? 'Failed to block this person' : 'Failed to unblock this person'),
    onSaved: (isBlocked) => {
      client.setQueryData(
        profileOptions(id).queryKey,
        (profile) => profile && { ...profile, isBlocked, ...(isBlocked ? { isFollowing: false } : {}) },
      )
      // A blocked person's profile can't be fetched, so leave it out.
      void client.invalidateQueries({ predicate: ({ queryKey }) => !isBlocked || queryKey[0] !== getProfile.path })
    },
  })
  return { setBlocked: set, isPending }
}

type BlockPersonDialogProps = {
  person: { id: string; name: string }
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function BlockPersonDialog({ person, open, onOpenChange }: BlockPersonDialogProps) {
  const { setBlocked } = useBlockPerson(person)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${person.name}?`}
      confirmText="Block"
      onConfirm={() => {
        onOpenChange(false)
        setBlocked(true)
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>You won’t see each other’s profiles, posts, comments or reviews.</li>
        <li>You’ll unfollow each other. Unblocking won’t undo this.</li>
        <li>No one is notified. You can unblock them at any time in your list of blocked people.</li>
      </ul>
    </ConfirmDialog>
  )
}

export type Muted = { kind: 'person' | 'business'; id: string; name: string }

/** Refetches everything, because any feed may include posts of the muted person or business. */
export function useMute({ kind, id, name }: Muted) {
  const client = useQueryClient()
  const input = { params: { id } }
  const { set, isPending } = useUndoable({
    scope: `mute:${id}`,
    save: (isMuted) =>
      kind === 'person' ? call(isMuted ? mutePerson : unmutePerson, input) : call(isMuted ? muteBusiness : unmuteBusiness, input),
    done: (isMuted) => (isMuted ? `You muted ${name}` : `You unmuted ${name}`),
    failed: (isMuted) => (isMuted ? `${name} couldn’t be muted` : `${name} couldn’t be unmuted`),
    onSaved: () => void client.invalidateQueries(),
  })
  return { setMuted: set, isPending }
}
