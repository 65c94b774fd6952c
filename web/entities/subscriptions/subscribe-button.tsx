import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agreement } from '#contracts/billing.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { subscribe, unsubscribe } from '#contracts/calls/billing.ts'
import { getProduct, listProducts } from '#contracts/calls/menus.ts'
import { findAgreement, offerOptions } from '#web/entities/billing/billing.api.ts'
import { moneyText } from '#web/entities/billing/billing-words.ts'
import {
  changeSubscriberCount,
  refreshBusinessStatus,
  refreshShownBusinesses,
  setSubscribed,
} from '#web/entities/businesses/businesses.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { refreshPosts } from '#web/lib/refresh-posts.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { Button, type ButtonSize } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { toast } from '#web/ui/toast-store.ts'

const SubscribeDialog = lazyDialog(async () => (await import('#web/entities/billing/purchase-dialog.tsx')).SubscribeDialog)
const CancelDialog = lazyDialog(async () => (await import('#web/entities/billing/cancel-dialog.tsx')).CancelDialog)

type SubscribeButtonProps = {
  business: Pick<BusinessSummary, 'id'> & { name: string }
  isSubscribed: boolean
  size?: ButtonSize | undefined
}

/** Free subscriptions start immediately; others open the purchase. Unsubscribing from a paid one shows when it ends. */
export function SubscribeButton({ business, isSubscribed, size }: SubscribeButtonProps) {
  const user = useCurrentUser()
  const price = useMonthlyPrice(business.id, !isSubscribed)
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
        const { price: asked } = await client.fetchQuery({ ...offerOptions(business.id), staleTime: 0 })
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

const isPriced = (error: unknown): boolean => error instanceof ApiError && error.code === 'payment_required'

/**
 * Optimistic; an error rolls back and shows a toast.
 *
 * @param onPriced called instead of the toast if the business charges for subscriptions
 */
function useSubscription(business: Pick<BusinessSummary, 'id'>, onPriced: () => void) {
  const client = useQueryClient()
  const refreshRest = () => {
    // Access to exclusive posts and subscriber prices depends on the subscription, and subscribing also follows the business.
    void refreshPosts(client)
    void refreshCalls(client, [getCurrentUser, getProduct, listProducts])
  }
  const mutation = useMutation(
    toggleOptions(client, {
      mutationKey: ['subscription', business.id],
      save: (isSubscribed) =>
        isSubscribed ? call(subscribe, { body: { businessId: business.id } }) : call(unsubscribe, { params: { businessId: business.id } }),
      show: (isSubscribed) => {
        setSubscribed(client, business.id, isSubscribed)
        changeSubscriberCount(client, business.id, (count) => count + (isSubscribed ? 1 : -1))
      },
      onSaved: (answer, isSubscribed, isLast) => {
        toast({ title: isSubscribed ? 'Subscribed!' : 'Unsubscribed' })
        if (isLast) {
          changeSubscriberCount(client, business.id, () => answer.subscriberCount)
          // Subscribing also follows the business. The follow may outlive the subscription, so refetch the status.
          void refreshBusinessStatus(client, business.id)
        }
        refreshRest()
      },
      onFailed: (error) => {
        if (isPriced(error)) return onPriced()
        const isRefused = error instanceof ApiError && error.status < 500
        if (isRefused && error.code === 'conflict') {
          // In the meantime, the business has closed or has blocked the viewer.
          void refreshBusinessStatus(client, business.id)
          void refreshShownBusinesses(client)
        }
        toast({ title: 'Error', description: isRefused ? error.userMessage : 'Failed to update subscription', variant: 'destructive' })
      },
    }),
  )
  return {
    setSubscription: (isSubscribed: boolean) => mutation.mutate(isSubscribed),
    isPending: mutation.isPending,
    onBought: () => {
      setSubscribed(client, business.id, true)
      void refreshBusinessStatus(client, business.id)
      // The page may predate the payment, and may be cached by ID or by slug, so refetch the count.
      void refreshShownBusinesses(client)
      refreshRest()
    },
  }
}

/** "$5 per month" or "free"; null while loading. */
function useMonthlyPrice(businessId: string, isAsked: boolean): string | null {
  const { data: offer } = useQuery({ ...offerOptions(businessId), enabled: isAsked })
  if (!offer) return null
  return offer.price ? `${moneyText({ amount: offer.price, currency: offer.currency })} per month` : 'free'
}

export const SubscribeBenefits = ({ className }: { className?: string }) => (
  <p className={cx('text-muted text-sm', className)}>
    Subscribers get exclusive posts and events, notifications of new menu items a day early, subscriber prices and direct messages.
  </p>
)

const Price = ({ price }: { price: string | null }) => price && <span className="font-normal opacity-90">{price}</span>

function VisitorSubscribe({ size, price }: { size?: ButtonSize | undefined; price: string | null }) {
  const here = useLocation({ select: ({ href }) => href })
  return (
    <Button asChild size={size}>
      <a href={`/api/login?returnTo=${encodeURIComponent(here)}`}>
        Subscribe
        <Price price={price} />
      </a>
    </Button>
  )
}
