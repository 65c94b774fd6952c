import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CloudOff, FlaskConical } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Checkout } from '#contracts/billing.ts'
import { hasButton, type PaymentProviderName, paymentProviders } from '#contracts/payment-providers.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { offerOptions, plansOptions } from './billing.api.ts'
import { moneyText } from './billing-words.ts'
import {
  availableFirst,
  buttonLook,
  lookOf,
  type Order,
  orderName,
  type ProviderLook,
  type Purchase,
  type PurchaseResult,
  usePurchase,
} from './use-purchase.ts'

const ProviderButton = lazy(() => import('./provider-button.tsx'))

type PurchasePanelProps = {
  order: Order
  subject: string
  look?: ProviderLook
  /** Inside a dialog, the test provider doesn't open another one. */
  isInDialog?: boolean
  onApproved?: (bought: PurchaseResult) => void
}

export function PurchasePanel(props: PurchasePanelProps) {
  const user = useCurrentUser()
  return user && <Panel key={orderName(user.id, props.order)} {...props} />
}

const nothing = () => {}

function Panel({ order, subject, look = lookOf(order.planId), isInDialog = false, onApproved }: PurchasePanelProps) {
  const { subscribeTo, price } = order
  // Plans and each business's subscriptions have their own ways to pay.
  const plans = useQuery({ ...plansOptions, enabled: subscribeTo === undefined })
  const offer = useQuery({ ...offerOptions(subscribeTo ?? ''), enabled: subscribeTo !== undefined })
  const { data, error, isPending, isFetching, refetch } = subscribeTo === undefined ? plans : offer
  const purchase = usePurchase(order, onApproved ?? nothing)
  const [chosen, choose] = useState<PaymentProviderName>()
  const { step } = purchase
  if (isPending) {
    return (
      <SkeletonGroup label="Loading payment options...">
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
      <Trouble title="Payment options couldn’t be loaded." text={messageOf(error)}>
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
  const ways = availableFirst(data.providers)
  const name = chosen ?? ('checkout' in step ? step.checkout.provider : undefined)
  const provider = ways.find((each) => each.name === name) ?? ways[0]
  if (!provider) {
    return order.subscribeTo ? (
      <Trouble title="You can’t subscribe right now." text="This business isn’t taking payments. Following it is free." />
    ) : (
      <Trouble title="Purchases aren’t available." text="No payment provider is set up on this server." />
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
                {paymentProviders[each.name].choice}
                {!each.isAvailable && ' (unavailable right now)'}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {provider.isAvailable || !isIdle ? (
        <ProviderPart
          {...{ purchase, subject, look, isInDialog }}
          currency={price.currency}
          name={provider.name}
          clientId={provider.clientId}
        />
      ) : (
        <Trouble
          title="Payments aren’t available right now."
          text="The payment provider isn’t responding. Try again later. Everything else works, and your plans stay active."
        >
          {retry}
        </Trouble>
      )}
    </div>
  )
}

type ProviderPartProps = {
  name: PaymentProviderName
  clientId: string | null
  purchase: Purchase
  /** Required by the scripts of providers' buttons. */
  currency: string
  subject: string
  look: ProviderLook
  isInDialog: boolean
}

function ProviderPart({ name, clientId, purchase, currency, subject, look, isInDialog }: ProviderPartProps) {
  const { step } = purchase
  if (hasButton(name)) {
    if (clientId === null)
      return (
        <Trouble title={`${paymentProviders[name].label} isn’t set up on this server.`} text="Please let the site’s administrators know." />
      )
    return (
      <>
        {/* Unmounting this while the server checks with the provider would close the provider's window. */}
        <div className={step.name === 'confirming' ? 'hidden' : undefined}>
          <Suspense fallback={<Skeleton className="h-12" />}>
            <ProviderButton key={name} {...{ name, clientId, currency, look, purchase }} />
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
    return <TestWindow checkout={step.checkout} onAnswer={(outcome) => void purchase.answer(step.checkout, outcome)} />
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
          onAnswer={(outcome) => void purchase.answer(step.checkout, outcome)}
          onClose={purchase.again}
        />
      )}
    </div>
  )
}

type OwnButtonProps = Pick<ProviderPartProps, 'purchase' | 'name' | 'subject' | 'look'> & { children: ReactNode }

/** Stays mounted while the test provider's dialog is open, so focus can return to the button. */
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
  <SkeletonGroup label="Contacting the payment provider..." className="grid justify-items-center gap-2 py-2">
    <Skeleton className="h-12 w-full" />
    <p className="text-muted text-sm">Contacting the payment provider...</p>
  </SkeletonGroup>
)

function Instructions({ checkout }: { checkout: Checkout }) {
  const { instructions, id, planId } = checkout
  return (
    <section aria-label="How to pay" className="grid gap-2 rounded-input bg-sunk p-4 text-[0.9375rem]">
      <p className="font-medium">Your invoice is open.</p>
      <p className="whitespace-pre-line wrap-anywhere">{instructions}</p>
      {!instructions?.includes(id) && (
        <p>
          Reference: <code className="font-mono text-sm wrap-anywhere select-all">{id}</code>
        </p>
      )}
      <p className="text-muted text-sm">
        {planId ? 'Your plan' : 'Your subscription'} starts when your payment arrives. Until then, you owe nothing.
      </p>
    </section>
  )
}

function Done({ step: { bought } }: { step: { bought: PurchaseResult } }) {
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

const testMode = 'Test mode: no money moves'

function TestModeLabel() {
  return (
    <p className="flex items-center gap-2 text-muted text-sm">
      <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
      {testMode}
    </p>
  )
}

type TestWindowProps = {
  checkout: Pick<Checkout, 'title' | 'price'>
  onAnswer: (outcome: 'approve' | 'refuse') => void
}

/** Replaces the provider's window in tests and development. It closes once answered. */
function TestWindow({ checkout, onAnswer }: TestWindowProps) {
  return (
    <div className="grid gap-4">
      <TestModeLabel />
      <dl className="grid gap-1 rounded-input border border-line p-4">
        <dt className="wrap-anywhere">{checkout.title}</dt>
        <dd className="flex items-baseline gap-2">
          <span className="font-display text-2xl tabular-nums">{moneyText(checkout.price)}</span>
          <span className="text-muted text-sm">per month, until you cancel</span>
        </dd>
      </dl>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="secondary" size="lg" onClick={() => onAnswer('refuse')}>
          Cancel
        </Button>
        <Button size="lg" onClick={() => onAnswer('approve')}>
          Approve
        </Button>
      </div>
    </div>
  )
}

/** Closing the dialog leaves the purchase open. */
function TestWindowDialog({ onClose, ...props }: TestWindowProps & { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Approve the payment?">
        <TestWindow {...props} />
      </DialogContent>
    </Dialog>
  )
}
