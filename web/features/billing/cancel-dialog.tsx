import type { Agreement } from '../../../contracts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { cancelWords } from './agreement-words.ts'
import { useCancel } from './use-cancel.ts'

type CancelDialogProps = { agreement: Agreement; onClose: () => void }

/** Says what ends and when. Nothing is lost today, so it asks calmly. */
export function CancelDialog({ agreement, onClose }: CancelDialogProps) {
  const { title, isSubscription } = agreement
  const { mutate, isPending } = useCancel(agreement)
  const isOver = agreement.status === 'canceled' || agreement.status === 'ended'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={isOver ? 'This ends already' : isSubscription ? 'End this subscription?' : 'Cancel at the end of the period?'}
        actions={
          isOver ? (
            <DialogCancel>Close</DialogCancel>
          ) : (
            <>
              <DialogCancel>Keep it</DialogCancel>
              <Button onClick={() => mutate(undefined, { onSettled: onClose })} pending={isPending} pendingText="Saving...">
                {isSubscription ? 'Unsubscribe' : 'Cancel plan'}
              </Button>
            </>
          )
        }
      >
        <div className="grid gap-2 text-muted">
          <p className="text-ink wrap-anywhere">{title}</p>
          <p>{cancelWords(agreement)}</p>
          <p>{isSubscription ? 'Until then you can come back at any time.' : 'You can buy it again when it has ended.'}</p>
        </div>
      </DialogContent>
    </Dialog>
  )
}
