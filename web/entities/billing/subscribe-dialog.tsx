import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api-error.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { offerOptions } from './billing.api.ts'
import { PurchaseDialog } from './purchase-dialog.tsx'

type SubscribeDialogProps = { business: { id: string; name: string }; onClose: () => void; onSubscribed: () => void }

export function SubscribeDialog({ business, onClose, onSubscribed }: SubscribeDialogProps) {
  const { data: offer, isPending, error, refetch, isFetching } = useQuery(offerOptions(business.id))
  const onOpenChange = (open: boolean) => !open && onClose()
  const title = `Subscribe to ${business.name}`
  if (!offer || offer.price === null) {
    return (
      <Dialog open onOpenChange={onOpenChange}>
        <DialogContent title={title}>
          {isPending ? (
            <SkeletonGroup label="Loading the offer..." className="grid gap-4">
              <Skeleton className="h-8 w-40" />
              <Skeleton className="h-24" />
            </SkeletonGroup>
          ) : (
            <ErrorState
              level={3}
              title="The offer could not be loaded"
              description={messageOf(error, 'It has just changed. Try again.')}
              onRetry={() => void refetch()}
              pending={isFetching}
            />
          )}
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <PurchaseDialog
      open
      onOpenChange={onOpenChange}
      order={{ subscribeTo: business.id }}
      title={title}
      subject={business.name}
      description={offer.title}
      price={{ amount: offer.price, currency: offer.currency }}
      features={offer.perks.length > 0 ? offer.perks : ['Unlocks exclusive posts and follows the business for you.']}
      onApproved={onSubscribed}
    />
  )
}
