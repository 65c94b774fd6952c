import type { Agreement } from '../../../contracts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { cancelWords } from './agreement-words.ts'
import { useCancel, useResume } from './use-cancel.ts'

type CancelDialogProps = { agreement: Agreement; onClose: () => void }

/** Says what ends and when. Nothing is lost today, so it asks calmly; what is canceled already can be resumed here. */
export function CancelDialog({ agreement, onClose }: CancelDialogProps) {
  const { title, isSubscription, abilities } = agreement
  const cancel = useCancel(agreement)
  const resume = useResume(agreement)
  const isOver = agreement.status === 'canceled' || agreement.status === 'ended'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={isOver ? 'Already canceled' : isSubscription ? 'Cancel this subscription?' : 'Cancel at the end of the period?'}
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
          {(!isOver || abilities.resume) && agreement.status !== 'pending' && <p>You can resume it until then.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
