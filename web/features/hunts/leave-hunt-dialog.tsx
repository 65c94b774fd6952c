import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unshareHunt } from '../../../contracts/hunt-shares.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshHunts } from './hunts.api.ts'

type LeaveHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onLeft: () => void }

/** Gives a share back. */
export function LeaveHuntDialog({ hunt, open, onOpenChange, onLeft }: LeaveHuntDialogProps) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const leaving = useMutation({
    mutationFn: () => call(unshareHunt, { params: { id: hunt.id, personId: user?.id ?? '' } }),
    onSuccess: async () => {
      toast({ title: 'You left the hunt', description: hunt.huntName })
      onOpenChange(false)
      onLeft()
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Leave “${hunt.huntName}”?`}
      confirmText="Leave hunt"
      pending={leaving.isPending}
      onConfirm={() => leaving.mutate()}
    >
      <p>You will not see it any more. What you wrote in it stays. {hunt.owner.name} can share it with you again.</p>
    </ConfirmDialog>
  )
}
