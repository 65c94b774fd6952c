import { useMutation, useQueryClient } from '@tanstack/react-query'
import { undoDeed } from '../../../contracts/moderation.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { refreshDesk } from './moderation.api.ts'

/** What the records say of a decision that was taken back from its toast, where nobody is asked why. */
export const undoneAtOnce = 'Taken back right after the decision.'

/** Takes actions back, one after the other: together they were one decision. */
export function useUndo(caseId: string | null) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, reason }: { ids: readonly string[]; reason: string }) => {
      for (const id of ids) await call(undoDeed, { params: { id }, body: { reason } })
    },
    onSuccess: () => toast({ title: 'Undone', description: 'It is as before.' }),
    onError: (error) => toast({ title: 'Not undone', description: messageOf(error), variant: 'destructive' }),
    onSettled: () => refreshDesk(client, caseId),
  })
}
