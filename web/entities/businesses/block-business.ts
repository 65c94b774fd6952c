import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockBusiness, blockForBusiness, unblockBusiness, unblockForBusiness } from '#contracts/calls/people.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { businessStatusOptions } from './businesses.api.ts'

/** Blocks and unblocks a business. Refetches feeds, lists and counts, since any of them may include it. */
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
        title: isBlocked ? `You blocked ${name}` : `You unblocked ${name}`,
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      void client.invalidateQueries()
    },
    onError: (error, isBlocked) => {
      const fallback = isBlocked ? 'Failed to block this business' : 'Failed to unblock this business'
      toast({ title: 'Error', description: messageOf(error, fallback), variant: 'destructive' })
    },
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}

export type Named = { id: string; name: string }

/** Blocks and unblocks a person for a business. Refetches comments, reviews and the inbox, which all depend on it. */
export function useBlockForBusiness(business: Named, person: Named) {
  const client = useQueryClient()
  const mutation = useMutation({
    scope: { id: `block:${business.id}:${person.id}` },
    mutationFn: (isBlocked: boolean) =>
      call(isBlocked ? blockForBusiness : unblockForBusiness, { params: { id: business.id, personId: person.id } }),
    onSuccess: (_answer, isBlocked) => {
      toast({
        title: isBlocked ? `${business.name} blocked ${person.name}` : `${person.name} unblocked`,
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      void client.invalidateQueries()
    },
    onError: (error, isBlocked) => {
      const fallback = isBlocked ? 'We couldn’t block this person.' : 'We couldn’t unblock this person.'
      toast({ title: 'Error', description: messageOf(error, fallback), variant: 'destructive' })
    },
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}
