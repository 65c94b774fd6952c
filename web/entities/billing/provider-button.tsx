import { loadScript } from '@paypal/paypal-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ButtonProvider, paymentProviders } from '#contracts/payment-providers.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { ProviderLook, Purchase } from './use-purchase.ts'

type Steps = {
  begin: () => ReturnType<Purchase['beginAt']>
  approve: (subscriptionID: string) => Promise<void>
  refuse: () => void
  fail: (error: unknown) => void
}
type ShownButton = { render: (container: HTMLElement) => Promise<void>; close: () => void }

/** @throws if the provider doesn't offer a button here */
type LoadButton = (settings: { clientId: string; currency: string; look: ProviderLook }, steps: Steps) => Promise<ShownButton>

const buttons: Record<ButtonProvider, LoadButton> = {
  async paypal({ clientId, currency, look }, { begin, approve, refuse, fail }) {
    // Each payment account (a business's or ours) needs its own script.
    const dataNamespace = `paypal_${clientId.replace(/\W/g, '_')}_${currency}`
    const paypal = await loadScript({ clientId, currency, components: 'buttons', vault: true, intent: 'subscription', dataNamespace })
    if (!paypal?.Buttons) throw new Error('PayPal’s script loaded without its buttons.')
    const button = paypal.Buttons({
      style: { ...look, layout: 'vertical', label: 'subscribe' },
      createSubscription: async (_data, actions) => {
        const { planId, customId } = await begin()
        return actions.subscription.create({ plan_id: planId, custom_id: customId })
      },
      onApprove: async ({ subscriptionID }) => {
        if (subscriptionID) await approve(subscriptionID)
        else fail(new Error('PayPal approved the payment without a subscription.'))
      },
      onCancel: () => refuse(),
      onError: (error) => fail(error),
    })
    if (!button.isEligible()) throw new Error('PayPal isn’t offering a button here.')
    return { render: (container) => button.render(container), close: () => void button.close().catch(() => undefined) }
  },
}

type ProviderButtonProps = { name: ButtonProvider; clientId: string; currency: string; look: ProviderLook; purchase: Purchase }

export default function ProviderButton({ name, clientId, currency, look, purchase }: ProviderButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const checkoutId = useRef('')
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const { label } = paymentProviders[name]
  const { shape, color } = look
  const begin = useEffectEvent(async () => {
    const data = await purchase.beginAt(name)
    checkoutId.current = data.checkoutId
    return data
  })
  const approve = useEffectEvent((subscriptionID: string) => purchase.confirm(checkoutId.current, subscriptionID))
  const refuse = useEffectEvent(purchase.refuse)
  const fail = useEffectEvent(purchase.failed)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the script again
  useEffect(() => {
    const container = place.current as HTMLDivElement
    let isGone = false
    let close = () => {}
    async function show() {
      const steps = {
        begin: () => begin(),
        approve: (subscriptionID: string) => approve(subscriptionID),
        refuse: () => refuse(),
        fail: (error: unknown) => fail(error),
      }
      const button = await buttons[name]({ clientId, currency, look: { shape, color } }, steps)
      if (isGone) return button.close()
      close = button.close
      await button.render(container)
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
  }, [name, clientId, currency, shape, color, attempt])

  return (
    <div>
      {state === 'loading' && (
        <SkeletonGroup label={`Loading ${label}...`}>
          <Skeleton className="h-12" />
        </SkeletonGroup>
      )}
      {state === 'failed' && (
        <div role="alert" className="grid gap-3 text-muted text-sm">
          <p>{label} couldn’t be loaded. A content blocker or your network may be blocking it. Everything else on this page still works.</p>
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
