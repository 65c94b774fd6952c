import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockBusiness, blockForBusiness, unblockBusiness, unblockForBusiness } from '#contracts/calls/people.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { businessStatusOptions } from './businesses.api.ts'

type Blocking = {
  /** Names a mutation scope: changes with the same name run one after another. */
  name: string
  save: (isBlocked: boolean) => Promise<unknown>
  /** The toast's title after success. */
  done: (isBlocked: boolean) => string
  /** The toast's description after an error without its own message. */
  failed: (isBlocked: boolean) => string
  /** Invalidates all or most of the cache, because any response may include content of the blocked person or business. */
  onSaved: (isBlocked: boolean) => void
}

export function useBlocking({ name, save, done, failed, onSaved }: Blocking) {
  const mutation = useMutation({
    scope: { id: `block:${name}` },
    mutationFn: save,
    onSuccess: (_answer, isBlocked) => {
      toast({
        title: done(isBlocked),
        ...(isBlocked ? { action: { label: 'Undo', onClick: () => mutation.mutate(false) } } : {}),
      })
      onSaved(isBlocked)
    },
    onError: (error, isBlocked) => toast({ title: 'Error', description: messageOf(error, failed(isBlocked)), variant: 'destructive' }),
  })
  return { setBlocked: (isBlocked: boolean) => mutation.mutate(isBlocked), isPending: mutation.isPending }
}

export type Named = { id: string; name: string }

export function useBlockBusiness({ id, name }: Named) {
  const client = useQueryClient()
  return useBlocking({
    name: id,
    save: (isBlocked) => call(isBlocked ? blockBusiness : unblockBusiness, { params: { id } }),
    done: (isBlocked) => (isBlocked ? `You blocked ${name}` : `You unblocked ${name}`),
    failed: (isBlocked) => (isBlocked ? 'Failed to block this business' : 'Failed to unblock this business'),
    onSaved: (isBlocked) => {
      client.setQueryData(
        businessStatusOptions(id).queryKey,
        (status) => status && { ...status, isBlocked, ...(isBlocked ? { isFollowing: false, isSubscribed: false } : {}) },
      )
      void client.invalidateQueries()
    },
  })
}

export function useBlockForBusiness(business: Named, person: Named) {
  const client = useQueryClient()
  return useBlocking({
    name: `${business.id}:${person.id}`,
    save: (isBlocked) => call(isBlocked ? blockForBusiness : unblockForBusiness, { params: { id: business.id, personId: person.id } }),
    done: (isBlocked) => (isBlocked ? `${business.name} blocked ${person.name}` : `${person.name} unblocked`),
    failed: (isBlocked) => (isBlocked ? 'Failed to block this person' : 'Failed to unblock this person'),
    onSaved: () => void client.invalidateQueries(),
  })
}
