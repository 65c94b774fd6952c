import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockBusiness, blockForBusiness, unblockBusiness, unblockForBusiness } from '#contracts/calls/people.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { businessStatusOptions } from './businesses.api.ts'

type Undoable = {
  /** Changes with the same scope run one after another. */
  scope: string
  save: (isOn: boolean) => Promise<unknown>
  /** The toast's title after success. */
  done: (isOn: boolean) => string
  /** The toast's description after an error without its own message. */
  failed: (isOn: boolean) => string
  /** Invalidates all or most of the cache, because any response may include content of the blocked or muted person or business. */
  onSaved: (isOn: boolean) => void
}

/** Blocks or mutes. The toast offers Undo. */
export function useUndoable({ scope, save, done, failed, onSaved }: Undoable) {
  const { mutate, isPending } = useMutation({
    scope: { id: scope },
    mutationFn: save,
    onSuccess: (_answer, isOn) => {
      toast({ title: done(isOn), ...(isOn ? { action: { label: 'Undo', onClick: () => mutate(false) } } : {}) })
      onSaved(isOn)
    },
    onError: (error, isOn) => toast({ title: 'Error', description: messageOf(error, failed(isOn)), variant: 'destructive' }),
  })
  return { set: (isOn: boolean) => mutate(isOn), isPending }
}

export type Named = { id: string; name: string }

export function useBlockBusiness({ id, name }: Named) {
  const client = useQueryClient()
  const { set, isPending } = useUndoable({
    scope: `block:${id}`,
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
  return { setBlocked: set, isPending }
}

export function useBlockForBusiness(business: Named, person: Named) {
  const client = useQueryClient()
  const { set, isPending } = useUndoable({
    scope: `block:${business.id}:${person.id}`,
    save: (isBlocked) => call(isBlocked ? blockForBusiness : unblockForBusiness, { params: { id: business.id, personId: person.id } }),
    done: (isBlocked) => (isBlocked ? `${business.name} blocked ${person.name}` : `${person.name} unblocked`),
    failed: (isBlocked) => (isBlocked ? 'Failed to block this person' : 'Failed to unblock this person'),
    onSaved: () => void client.invalidateQueries(),
  })
  return { setBlocked: set, isPending }
}
