import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockPerson, getProfile, unblockPerson } from '../../../contracts/people.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { profileOptions } from './people.api.ts'

/** Blocks a person, and ends that. Whatever a page shows may have something of theirs in it, so all of it is asked for again. */
export function useBlockPerson({ id, name }: { id: string; name: string }) {
  const client = useQueryClient()
  const mutation = useMutation({
    scope: { id: `block:${id}` },
    mutationFn: (isBlocked: boolean) => call(isBlocked ? blockPerson : unblockPerson, { params: { id } }),
    onSuccess: (_answer, isBlocked) => {
      client.setQueryData(
        profileOptions(id).queryKey,
        (profile) => profile && { ...profile, isBlocked, ...(isBlocked ? { isFollowing: false } : {}) },
      )
      toast({
        title: isBlocked ? `${name} is blocked` : `${name} is not blocked any more`,
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      // While somebody is blocked there is no profile to ask for.
      void client.invalidateQueries({ predicate: ({ queryKey }) => !isBlocked || queryKey[0] !== getProfile.path })
    },
    onError: (error, isBlocked) => {
      const fallback = isBlocked ? 'Failed to block this person' : 'Failed to end the block'
      toast({ title: 'Error', description: messageOf(error, fallback), variant: 'destructive' })
    },
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}
