// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agreement } from '../../../contracts/billing.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button, type ButtonSize } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { findAgreement, offerOptions } from '../billing/billing.api.ts'
import { useSubscription } from './use-subscription.ts'
import { Price, useMonthlyPrice, VisitorSubscribe } from './visitor-subscribe.tsx'

const SubscribeDialog = lazyDialog(async () => (await import('../billing/subscribe-dialog.tsx')).SubscribeDialog)
const CancelDialog = lazyDialog(async () => (await import('../billing/cancel-dialog.tsx')).CancelDialog)

type SubscribeButtonProps = {
  business: Pick<BusinessSummary, 'id'> & { name: string }
  isSubscribed: boolean
  size?: ButtonSize | undefined
  /** Say the price on the button. In a list it would be one more question to the server for each row. */
  showPrice?: boolean
}

/** Subscribes: at once where it is free, by a purchase where the business has a price. Ending what is paid says until when it runs. */
export function SubscribeButton({ business, isSubscribed, size, showPrice = false }: SubscribeButtonProps) {
  const user = useCurrentUser()
  const price = useMonthlyPrice(business.id, showPrice && !isSubscribed)
  if (!user) return <VisitorSubscribe size={size} price={price} />
  return <OwnButton business={business} isSubscribed={isSubscribed} size={size} price={price} />
}

type OwnButtonProps = Pick<SubscribeButtonProps, 'business' | 'isSubscribed' | 'size'> & { price: string | null }

function OwnButton({ business, isSubscribed, size, price }: OwnButtonProps) {
  const client = useQueryClient()
  const [isOpening, setOpening] = useState(false)
  const [isBuying, setBuying] = useState(false)
  const [paid, setPaid] = useState<Agreement | null>(null)
  const { setSubscription, onBought } = useSubscription(business, () => setBuying(true))

  async function press() {
    setOpening(true)
    try {
      if (isSubscribed) {
        const agreement = await findAgreement(
          {},
          (each) => each.isSubscription && each.business?.id === business.id && each.status !== 'ended',
        )
        if (agreement) setPaid(agreement)
        else setSubscription(false)
      } else {
        const { price: asked } = await client.fetchQuery(offerOptions(business.id))
        if (asked) setBuying(true)
        else setSubscription(true)
      }
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: 'Failed to update subscription', variant: 'destructive' })
    } finally {
      setOpening(false)
    }
  }

  return (
    <>
      <Button variant={isSubscribed ? 'secondary' : 'primary'} size={size} onClick={() => void press()} pending={isOpening}>
        {isSubscribed ? 'Unsubscribe' : 'Subscribe'}
        {!isSubscribed && <Price price={price} />}
      </Button>
      {isBuying && <SubscribeDialog business={business} onClose={() => setBuying(false)} onSubscribed={onBought} />}
      {paid && <CancelDialog agreement={paid} onClose={() => setPaid(null)} />}
    </>
  )
}
