import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Checkout } from '#contracts/billing.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { offerOptions } from './billing.api.ts'
import { moneyText } from './billing-words.ts'
import { PurchasePanel } from './purchase-panel.tsx'
import type { Order, PurchaseResult } from './use-purchase.ts'

export type PurchaseDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  order: Omit<Order, 'price'>
  title: string
  subject?: string
  description?: ReactNode
  price: Checkout['price']
  features: readonly string[]
  notice?: ReactNode
  onApproved?: (bought: PurchaseResult) => void
}

export function PurchaseDialog({
  open,
  onOpenChange,
  order,
  title,
  subject = title,
  description,
  price,
  features,
  notice,
  onApproved,
}: PurchaseDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={title} description={description}>
        <p className="flex items-baseline gap-2">
          <span className="font-display text-2xl tabular-nums">{moneyText(price)}</span>
          <span className="text-muted text-sm">per month</span>
        </p>
        {features.length > 0 && (
          <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-[0.9375rem]">
            {features.map((feature) => (
              <li key={feature} className="wrap-anywhere">
                {feature}
              </li>
            ))}
          </ul>
        )}
        {notice && <div className="mt-4 rounded-input bg-shine-soft px-4 py-3 text-[0.9375rem] text-shine-ink">{notice}</div>}
        <div className="mt-5">
          <PurchasePanel
            order={{ ...order, price }}
            subject={subject}
            isInDialog
            onApproved={(bought) => {
              onOpenChange(false)
              onApproved?.(bought)
            }}
          />
        </div>
        <p className="mt-4 text-muted text-sm">
          Billed monthly until you cancel. Cancel at any time and keep it until the end of the paid period.
        </p>
      </DialogContent>
    </Dialog>
  )
}

/** Shown for businesses that don't describe their offer. */
const usualPerks = ['Exclusive posts and events', 'Notifications of new menu items a day early', 'Subscriber prices', 'Direct messages']

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
              title="The offer couldn’t be loaded"
              description={messageOf(error, 'It has just changed. Try again.')}
              onRetry={() => void refetch()}
              pending={isFetching}
            />
          )}
        </DialogContent>
      </Dialog>
    )
  }
  const price = { amount: offer.price, currency: offer.currency }
  return (
    <PurchaseDialog
      open
      onOpenChange={onOpenChange}
      order={{ subscribeTo: business.id }}
      title={title}
      subject={business.name}
      description={offer.title}
      price={price}
      features={offer.perks.length > 0 ? offer.perks : usualPerks}
      onApproved={onSubscribed}
    />
  )
}
