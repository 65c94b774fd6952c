import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Agreement } from '#contracts/billing.ts'
import { cancelAgreement, resumeAgreement } from '#contracts/calls/billing.ts'
import { refreshBusinessStatus } from '#web/entities/businesses/businesses.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { isSuspended } from '#web/lib/route-access.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshBilling } from './billing.api.ts'
import { cancelWords, dayOf, resumedWords, resumeWords } from './billing-words.ts'

type CancelDialogProps = { agreement: Agreement; onClose: () => void }

export function CancelDialog({ agreement, onClose }: CancelDialogProps) {
  const { title, isSubscription, abilities } = agreement
  const cancel = useCancel(agreement)
  const resume = useResume(agreement)
  const user = useCurrentUser()
  const now = useNow()
  const resumable = user && isSuspended(user, now) ? null : resumeWords(agreement)
  const isOver = agreement.status === 'canceled' || agreement.status === 'ended'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={isOver ? 'Already canceled' : isSubscription ? 'Cancel this subscription?' : 'Cancel this plan?'}
        actions={
          isOver ? (
            <>
              <DialogCancel>Close</DialogCancel>
              {abilities.resume && (
                <Button
                  onClick={() => resume.mutate(undefined, { onSettled: onClose })}
                  pending={resume.isPending}
                  pendingText="Resuming..."
                >
                  Resume
                </Button>
              )}
            </>
          ) : (
            <>
              <DialogCancel>Keep it</DialogCancel>
              <Button onClick={() => cancel.mutate(undefined, { onSettled: onClose })} pending={cancel.isPending} pendingText="Saving...">
                {isSubscription ? 'Unsubscribe' : 'Cancel plan'}
              </Button>
            </>
          )
        }
      >
        <div className="grid gap-2 text-muted">
          <p className="text-ink wrap-anywhere">{title}</p>
          <p>{cancelWords(agreement)}</p>
          {resumable && <p>{resumable}</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}

type Purchase = Pick<Agreement, 'id' | 'isSubscription' | 'business'>

function useCancel({ id, isSubscription, business }: Purchase) {
  const refresh = useRefresh(business)
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(cancelAgreement, { params: { id } }),
    onSuccess: async ({ paidUntil, status }) => {
      const kept = status === 'canceled' && paidUntil ? `It stays active until ${dayOf(paidUntil)}.` : undefined
      toast({ title: isSubscription ? 'Unsubscribed' : 'Canceled', description: kept })
      await refresh()
    },
    onError: (error) => {
      console.error(error)
      toast({
        title: 'Error',
        description: isSubscription ? 'Failed to update subscription' : messageOf(error),
        variant: 'destructive',
      })
    },
  })
}

export function useResume({ id, business }: Purchase) {
  const refresh = useRefresh(business)
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(resumeAgreement, { params: { id } }),
    onSuccess: async (resumed) => {
      toast({ title: 'Resumed', description: resumedWords(resumed) })
      await refresh()
    },
    onError: async (error) => {
      console.error(error)
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      // The purchase may have ended in the meantime.
      await refresh()
    },
  })
}

function useRefresh(business: Purchase['business']) {
  const client = useQueryClient()
  return async () => {
    if (business) void refreshBusinessStatus(client, business.id)
    await refreshBilling(client)
  }
}
