import { useMutation, useQueryClient } from '@tanstack/react-query'
import { assignCase, type ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { keepCase, refreshDesk } from './moderation.api.ts'

/** Takes a case, takes it over from somebody else, or gives it back. */
export function useAssign({ id, isMine, assignedTo, mayDo }: ModerationCaseDetail) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: () => call(assignCase, { params: { id }, body: { isMine: !isMine } }),
    onSuccess: (answer) => {
      keepCase(client, id, answer)
      void refreshDesk(client, null)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      void refreshDesk(client, id)
    },
  })
  return {
    /** Whoever may decide nothing has nothing to take. */
    mayAssign: mayDo.length > 0,
    label: isMine ? 'Give back' : assignedTo ? 'Take over' : 'Take',
    pendingText: isMine ? 'Giving back...' : 'Taking...',
    isPending: mutation.isPending,
    toggle: () => {
      if (!mutation.isPending) mutation.mutate()
    },
  }
}
