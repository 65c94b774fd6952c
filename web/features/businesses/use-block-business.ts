import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockBusiness, unblockBusiness } from '../../../contracts/people.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { businessStatusOptions } from './businesses.api.ts'

/** Blocks a business, and ends that. Feeds, lists and counts may all have something of it, so all of them are asked for again. */
export function useBlockBusiness({ id, name }: { id: string; name: string }) {
  const client = useQueryClient()
  const mutation = useMutation({
    scope: { id: `block:${id}` },
    mutationFn: (isBlocked: boolean) => call(isBlocked ? blockBusiness : unblockBusiness, { params: { id } }),
    onSuccess: (_answer, isBlocked) => {
      client.setQueryData(
        businessStatusOptions(id).queryKey,
        (status) => status && { ...status, isBlocked, ...(isBlocked ? { isFollowing: false, isSubscribed: false } : {}) },
      )
      toast({
        title: isBlocked ? `${name} is blocked` : `${name} is not blocked any more`,
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      void client.invalidateQueries()
    },
    onError: (error, isBlocked) => {
      const fallback = isBlocked ? 'Failed to block this business' : 'Failed to end the block'
      toast({ title: 'Error', description: messageOf(error, fallback), variant: 'destructive' })
    },
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}
