import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unshareHunt } from '#contracts/hunt-shares.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'

type LeaveHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onLeft: () => void }

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
      <p>You won’t be able to see it anymore. What you wrote stays. {hunt.owner.name} can share it with you again.</p>
    </ConfirmDialog>
  )
}
