import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CloudOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Checkout, PaymentProviderName } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { offerOptions, plansOptions } from './billing.api.ts'
import { buttonLook, lookOf, type ProviderLook } from './provider-look.ts'
import { type Bought, byAnswering, type Order, orderName } from './purchase-step.ts'
import { TestModeLabel, TestWindow, TestWindowDialog } from './test-window.tsx'
import { type Purchase, usePurchase } from './use-purchase.ts'

const PayPalButton = lazy(() => import('./paypal-button.tsx'))

type PurchasePanelProps = {
  order: Order
  /** Of what is bought; PayPal's script wants to know. */
  currency?: string
  /** What is bought, for those who hear the button alone: "Verified". */
  subject: string
  look?: ProviderLook
  /** Stands in a dialog already: the test provider's window needs none of its own. */
  isInDialog?: boolean
  onApproved?: (bought: Bought) => void
}

/** The payment provider's button for one purchase, and everything that can come of pressing it. Only for signed-in people. */
export function PurchasePanel(props: PurchasePanelProps) {
  const user = useCurrentUser()
  // Another order is another purchase.
  return user && <Panel key={orderName(user.id, props.order)} {...props} />
}

const nothing = () => {}

function Panel({ order, currency = 'USD', subject, look = lookOf(order.planId), isInDialog = false, onApproved }: PurchasePanelProps) {
  const { subscribeTo } = order
  // Our plans are paid to the site; a subscription to a business is paid to the business, by its own ways.
  const plans = useQuery({ ...plansOptions, enabled: subscribeTo === undefined })
  const offer = useQuery({ ...offerOptions(subscribeTo ?? ''), enabled: subscribeTo !== undefined })
  const { data, error, isPending, isFetching, refetch } = subscribeTo === undefined ? plans : offer
  const purchase = usePurchase(order, onApproved ?? nothing)
  const [chosen, choose] = useState<PaymentProviderName>()
  const { step } = purchase
  if (isPending) {
    return (
      <SkeletonGroup label="Loading payment options…">
        <Skeleton className="h-12" />
      </SkeletonGroup>
    )
  }
  const retry = (
    <Button variant="secondary" onClick={() => void refetch()} pending={isFetching}>
      Retry
    </Button>
  )
  if (!data) {
    return (
      <Trouble title="Payment options could not be loaded." text={messageOf(error)}>
        {retry}
      </Trouble>
    )
  }
  if (step.name === 'approved') return <Done step={step} />
  if (step.name === 'unsure') {
    return (
      <Trouble title="We don’t know yet whether the payment went through." text={`${step.message} You won’t be charged twice.`}>
        <Button onClick={() => void purchase.settle(step.checkoutId, step.subscriptionID)}>Check again</Button>
      </Trouble>
    )
  }
  const ways = byAnswering(data.providers)
  const name = chosen ?? ('checkout' in step ? step.checkout.provider : undefined)
  const provider = ways.find((each) => each.name === name) ?? ways[0]
  if (!provider) {
    return order.subscribeTo ? (
      <Trouble title="No new subscriptions right now." text="This business isn’t taking payments at the moment. Following it is free." />
    ) : (
      <Trouble title="Nothing can be bought here." text="No payment provider is set up on this server." />
    )
  }
  const isIdle = step.name === 'ready' || step.name === 'over'
  return (
    <div className="grid gap-3">
      {step.name === 'over' && (
        <p role="alert" className={cx('text-sm', step.reason === 'failed' ? 'text-clay' : 'text-muted')}>
          {step.message}
        </p>
      )}
      {ways.length > 1 && isIdle && (
        <Field label="Pay by">
          <Select value={provider.name} onChange={(event) => choose(event.target.value as PaymentProviderName)}>
            {ways.map((each) => (
              <option key={each.name} value={each.name}>
                {names[each.name]}
                {!each.isAvailable && ' (not available now)'}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {provider.isAvailable || !isIdle ? (
        <ProviderPart {...{ purchase, currency, subject, look, isInDialog }} name={provider.name} clientId={provider.clientId} />
      ) : (
        <Trouble
          title="Payments aren’t available right now."
          text="The payment provider isn’t answering. Try again later. Everything else works, and your plans stay active."
        >
          {retry}
        </Trouble>
      )}
    </div>
  )
}

const names: Record<PaymentProviderName, string> = { test: 'Test payment', paypal: 'PayPal', invoice: 'Invoice' }

type ProviderPartProps = {
  name: PaymentProviderName
  clientId: string | null
  purchase: Purchase
  currency: string
  subject: string
  look: ProviderLook
  isInDialog: boolean
}

function ProviderPart({ name, clientId, purchase, currency, subject, look, isInDialog }: ProviderPartProps) {
  const { step } = purchase
  if (name === 'paypal') {
    if (clientId === null) return <Trouble title="PayPal is not set up on this server." text="Tell those who run it." />
    return (
      <>
        {/* It stays while the server asks PayPal: taking it away would close PayPal's window. */}
        <div className={step.name === 'confirming' ? 'hidden' : undefined}>
          <Suspense fallback={<Skeleton className="h-12" />}>
            <PayPalButton {...{ clientId, currency, look, purchase }} />
          </Suspense>
        </div>
        {step.name === 'confirming' && <Confirming />}
      </>
    )
  }
  if (name === 'invoice') {
    if (step.name === 'instructions' || step.name === 'approving') return <Instructions checkout={step.checkout} />
    return (
      <OwnButton purchase={purchase} name="invoice" subject={subject} look={look}>
        Subscribe by invoice
      </OwnButton>
    )
  }
  if (step.name === 'approving' && isInDialog) {
    return <TestWindow checkout={step.checkout} pending={false} onAnswer={(outcome) => void purchase.answer(step.checkout, outcome)} />
  }
  return (
    <div className="grid gap-3 rounded-input border border-edge border-dashed p-3">
      <TestModeLabel />
      <OwnButton purchase={purchase} name="test" subject={subject} look={look}>
        Subscribe
      </OwnButton>
      {step.name === 'approving' && (
        <TestWindowDialog
          checkout={step.checkout}
          pending={false}
          onAnswer={(outcome) => void purchase.answer(step.checkout, outcome)}
          onClose={purchase.again}
        />
      )}
    </div>
  )
}

type OwnButtonProps = Pick<ProviderPartProps, 'purchase' | 'name' | 'subject' | 'look'> & { children: ReactNode }

/** Ours, where the provider has none: in the provider's shape. It stays through the whole purchase, so that the focus comes back to it. */
function OwnButton({ purchase, name, subject, look, children }: OwnButtonProps) {
  const { step } = purchase
  return (
    <Button
      size="lg"
      {...buttonLook(look)}
      pending={step.name === 'beginning' || step.name === 'confirming'}
      pendingText={step.name === 'confirming' ? 'Checking...' : 'Opening...'}
      onClick={() => void purchase.start(name)}
    >
      <span>
        {children}
        <span className="sr-only"> to {subject}</span>
      </span>
    </Button>
  )
}

const Confirming = () => (
  <SkeletonGroup label="Asking the payment provider..." className="grid justify-items-center gap-2 py-2">
    <Skeleton className="h-12 w-full" />
    <p className="text-muted text-sm">Asking the payment provider...</p>
  </SkeletonGroup>
)

function Instructions({ checkout }: { checkout: Checkout }) {
  const { instructions, id } = checkout
  return (
    <section aria-label="How to pay" className="grid gap-2 rounded-input bg-sunk p-4 text-[0.9375rem]">
      <p className="font-medium">Your invoice is open.</p>
      <p className="whitespace-pre-line wrap-anywhere">{instructions}</p>
      {!instructions?.includes(id) && (
        <p>
          Reference: <code className="font-mono text-sm wrap-anywhere select-all">{id}</code>
        </p>
      )}
      <p className="text-muted text-sm">Your plan starts when we’ve received your payment. Until then, you owe nothing.</p>
    </section>
  )
}

function Done({ step: { bought } }: { step: { bought: Bought } }) {
  return (
    <p role="status" className="flex items-start gap-2.5 rounded-input bg-leaf-soft p-4 text-[0.9375rem]">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
      <span>
        {bought.isActive ? 'It’s active. We’ve emailed your receipt.' : 'Approved. It starts when the first payment arrives.'}
        <span className="block text-muted text-sm wrap-anywhere">Subscription ID: {bought.subscriptionID}</span>
      </span>
    </p>
  )
}

function Trouble({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-input bg-sunk p-4 text-[0.9375rem]">
      <p className="flex items-start gap-2.5">
        <CloudOff aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
        <span>
          <span className="font-medium">{title}</span> <span className="text-muted">{text}</span>
        </span>
      </p>
      {children}
    </div>
  )
}
