import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockForBusiness, unblockForBusiness } from '../../../contracts/people.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'

export type Named = { id: string; name: string }

/** Blocks a person in the name of a business, and ends that. Comments, reviews and the inbox all show it, so all of it is loaded again. */
export function useBlockForBusiness(business: Named, person: Named) {
  const client = useQueryClient()
  const mutation = useMutation({
    scope: { id: `block:${business.id}:${person.id}` },
    mutationFn: (isBlocked: boolean) =>
      call(isBlocked ? blockForBusiness : unblockForBusiness, { params: { id: business.id, personId: person.id } }),
    onSuccess: (_answer, isBlocked) => {
      toast({
        title: isBlocked ? `${business.name} blocked ${person.name}` : `${person.name} is unblocked`,
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      void client.invalidateQueries()
    },
    onError: (error, isBlocked) => {
      const fallback = isBlocked ? "We couldn't block this person." : "We couldn't unblock this person."
      toast({ title: 'Error', description: messageOf(error, fallback), variant: 'destructive' })
    },
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}
