import { loadScript } from '@paypal/paypal-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { ProviderLook } from './purchase-step.ts'
import type { Purchase } from './use-purchase.ts'

type PayPalButtonProps = { clientId: string; currency: string; look: ProviderLook; purchase: Purchase }

/** PayPal's own button. Loads PayPal's script only when rendered. */
export default function PayPalButton({ clientId, currency, look, purchase }: PayPalButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const checkoutId = useRef('')
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const { shape, color } = look
  const begin = useEffectEvent(purchase.beginPayPal)
  const approve = useEffectEvent((subscriptionID: string) => purchase.confirm(checkoutId.current, subscriptionID))
  const refuse = useEffectEvent(purchase.refuse)
  const fail = useEffectEvent(purchase.failed)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the script again
  useEffect(() => {
    const container = place.current as HTMLDivElement
    let isGone = false
    let close = () => {}
    async function show() {
      // Each account (a business's or ours) needs its own script.
      const dataNamespace = `paypal_${clientId.replace(/\W/g, '_')}_${currency}`
      const paypal = await loadScript({ clientId, currency, components: 'buttons', vault: true, intent: 'subscription', dataNamespace })
      if (isGone) return
      if (!paypal?.Buttons) throw new Error('PayPal’s script loaded without its buttons.')
      const buttons = paypal.Buttons({
        style: { shape, color, layout: 'vertical', label: 'subscribe' },
        createSubscription: async (_data, actions) => {
          const { checkoutId: id, planId, customId } = await begin()
          checkoutId.current = id
          return actions.subscription.create({ plan_id: planId, custom_id: customId })
        },
        onApprove: async ({ subscriptionID }) => {
          if (subscriptionID) await approve(subscriptionID)
          else fail(new Error('PayPal approved the payment without a subscription.'))
        },
        onCancel: () => refuse(),
        onError: (error) => fail(error),
      })
      close = () => void buttons.close().catch(() => undefined)
      if (!buttons.isEligible()) throw new Error('PayPal isn’t offering a button here.')
      await buttons.render(container)
      if (!isGone) setState('shown')
    }
    show().catch((error: unknown) => {
      console.error(error)
      if (!isGone) setState('failed')
    })
    return () => {
      isGone = true
      close()
    }
  }, [clientId, currency, shape, color, attempt])

  return (
    <div>
      {state === 'loading' && (
        <SkeletonGroup label="Loading PayPal...">
          <Skeleton className="h-12" />
        </SkeletonGroup>
      )}
      {state === 'failed' && (
        <div role="alert" className="grid gap-3 text-muted text-sm">
          <p>PayPal couldn’t be loaded. A content blocker or your network may be blocking it. Everything else here still works.</p>
          <Button
            variant="secondary"
            onClick={() => {
              setState('loading')
              setAttempt(attempt + 1)
            }}
          >
            Retry
          </Button>
        </div>
      )}
      <div ref={place} hidden={state === 'failed'} className="scheme-light" />
    </div>
  )
}
