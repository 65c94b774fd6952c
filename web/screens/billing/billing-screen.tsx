import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn, Check, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Agreement, OfferedPlan, Payment } from '#contracts/billing.ts'
import { paymentProviders } from '#contracts/payment-providers.ts'
import { memberPlans } from '#contracts/plans.ts'
import { agreementsOptions, paymentsOptions, plansOptions } from '#web/entities/billing/billing.api.ts'
import { dayOf, moneyText, paymentWords } from '#web/entities/billing/billing-words.ts'
import { PurchaseDialog } from '#web/entities/billing/purchase-dialog.tsx'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { planWords } from '#web/lib/time-words.ts'
import { useMergedBusiness } from '#web/screens/dashboard/dashboard-frame.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { AgreementList, payerOf, type Scope } from './agreement-list.tsx'

export function BillingScreen({ business: wanted }: { business: string | undefined }) {
  const { data: businesses, isPending, error, refetch, isFetching } = useQuery(myBusinessesOptions)
  const owned = businesses?.filter(({ role }) => role === 'owner') ?? []
  const business = wanted === undefined ? undefined : owned.find(({ slug, id }) => slug === wanted || id === wanted)
  const isMerged = useMergedBusiness(wanted, businesses && owned)
  return (
    <div className="mx-auto max-w-4xl px-4 pt-8 pb-16 sm:px-6">
      <PageHeader title="Billing" description="Your plans, when they end, and your receipts.">
        {business && (
          <Button asChild variant="secondary" size="sm">
            <Link to="/business-dashboard" search={{ business: business.slug }}>
              <ChartColumn aria-hidden="true" />
              Dashboard
            </Link>
          </Button>
        )}
      </PageHeader>
      {wanted !== undefined && (isPending || isMerged) ? (
        <SkeletonGroup label="Loading your businesses..." className="mt-6 grid gap-4">
          <Skeleton className="h-9 w-52 rounded-full" />
          <Skeleton className="h-36 rounded-card" />
        </SkeletonGroup>
      ) : wanted !== undefined && error ? (
        <LoadError title="Your businesses couldn’t be loaded" query={{ error, refetch, isFetching }} />
      ) : wanted !== undefined && !business ? (
        <EmptyState title="You don’t own this business" description="Only the owner can see a business’s plans and receipts.">
          <Link to="/billing" className={chipClass(false)}>
            Your own billing
          </Link>
        </EmptyState>
      ) : (
        <>
          {owned.length > 0 && <WhoseNav owned={owned} current={business?.id} />}
          <Sections key={business?.id ?? 'own'} scope={business ? { kind: 'business', business } : { kind: 'own', businesses: owned }} />
        </>
      )}
    </div>
  )
}

type Owned = { id: string; slug: string; name: string; label: string }

function WhoseNav({ owned, current }: { owned: Owned[]; current: string | undefined }) {
  return (
    <nav aria-label="Choose a billing account" className="mt-5 flex gap-2 overflow-x-auto py-1 [scrollbar-width:none]">
      <Link to="/billing" search={{}} aria-current={current ? undefined : 'page'} className={chipClass(!current)}>
        You
      </Link>
      {owned.map(({ id, slug, label }) => (
        <Link
          key={id}
          to="/billing"
          search={{ business: slug }}
          aria-current={id === current ? 'page' : undefined}
          className={chipClass(id === current, 'max-w-64')}
        >
          <span className="truncate">{label}</span>
        </Link>
      ))}
    </nav>
  )
}

function Sections({ scope }: { scope: Scope }) {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-10">
      <AgreementList scope={scope} />
      <OfferedPlans scope={scope} />
      <PaymentHistory scope={scope} />
    </div>
  )
}

/** For suspended people, who can only cancel. Empty if they never bought anything. */
export function OwnPurchases() {
  const { data, isPending } = useInfiniteQuery(agreementsOptions())
  if (isPending || data?.pages.every(({ items }) => items.length === 0)) return null
  const scope: Scope = { kind: 'own', businesses: [] }
  return (
    <>
      <AgreementList scope={scope} />
      <PaymentHistory scope={scope} />
    </>
  )
}

function PaymentHistory({ scope }: { scope: Scope }) {
  const list = useInfiniteQuery(paymentsOptions(payerOf(scope)))
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="text-xl">
        Payments
      </h2>
      <p className="mt-1 max-w-text text-muted">Statements and receipts show a neutral name. Only you can see this list.</p>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading payments..."
          skeleton={<SkeletonText lines={2} />}
          failure="Payments couldn’t be loaded"
          empty={
            <p className="rounded-card border border-line border-dashed px-5 py-8 text-muted">
              No payments yet. Your receipts will appear here.
            </p>
          }
          cards="whole"
        >
          {(payments) => (
            <Card asChild>
              <ul className="divide-y divide-line">
                {payments.map((payment) => (
                  <li key={payment.id}>
                    <PaymentRow payment={payment} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </PagedList>
      </div>
    </section>
  )
}

function PaymentRow({ payment: { title, money, status, refunded, provider, paidAt, receiptNumber, receiptUrl } }: { payment: Payment }) {
  const { badge, tone } = paymentWords(status)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 sm:grid-cols-[minmax(0,1fr)_8rem_7rem_8.5rem] sm:px-5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-muted text-sm">
          {dayOf(paidAt)} · {paymentProviders[provider].label}
        </p>
      </div>
      <p className="max-sm:order-3 sm:text-center">
        <Badge variant={tone}>{badge}</Badge>
      </p>
      <p className="text-right tabular-nums">
        {moneyText(money)}
        {refunded && <span className="block text-muted text-sm">{moneyText(refunded)} refunded</span>}
      </p>
      <p className="text-right text-sm max-sm:order-4">
        {receiptUrl && (
          <a href={receiptUrl} target="_blank" rel="noopener" className={`${textLink} inline-flex items-center gap-1.5 py-1`}>
            <FileText aria-hidden="true" className="size-4 shrink-0" />
            {receiptNumber ?? 'Receipt'}
            <span className="sr-only">, receipt as a PDF, opens in a new tab</span>
          </a>
        )}
      </p>
    </div>
  )
}

function OfferedPlans({ scope }: { scope: Scope }) {
  const offered = useQuery(plansOptions)
  const business = scope.kind === 'business' ? scope.business : null
  const agreements = useInfiniteQuery(agreementsOptions(payerOf(scope)))
  const items = agreements.data?.pages.flatMap((page) => page.items) ?? []
  const canceled = items.filter(({ status }) => status === 'canceled')
  const owned = items
    .filter(({ status }) => status === 'pending' || status === 'active' || status === 'past_due')
    .flatMap(({ planId }) => planId ?? [])
  const plans = offered.data?.plans.filter(({ audience }) => audience === (business ? 'business' : 'person')) ?? []
  const opened = new Set(plans.filter(({ id }) => owned.includes(id)).flatMap(({ entitlements }) => entitlements))
  return (
    <section aria-labelledby="choose-plan">
      <h2 id="choose-plan" className="text-xl">
        {business ? `Plans for ${business.label}` : 'Personal plans'}
      </h2>
      <p className="mt-1 max-w-text text-muted">{business ? 'Choose a plan for this business.' : personalHint(scope)}</p>
      <div className="mt-4">
        {offered.isPending || agreements.isPending ? (
          <SkeletonGroup label="Loading plans..." className="grid gap-4 md:grid-cols-3">
            {[1, 2, 3].map((card) => (
              <Skeleton key={card} className="h-64 rounded-card" />
            ))}
          </SkeletonGroup>
        ) : offered.data ? (
          <ul className="grid gap-4 md:grid-cols-3">
            {plans.map((plan) => (
              <li key={plan.id}>
                <PlanChoice
                  plan={plan}
                  business={business}
                  owned={scope.kind === 'own' ? scope.businesses : []}
                  ending={canceled.find(({ planId }) => planId === plan.id) ?? null}
                  isOwned={owned.includes(plan.id)}
                  isIncluded={plan.entitlements.every((each) => opened.has(each))}
                  hasOther={plans.some(({ id }) => owned.includes(id))}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Card>
            <LoadError level={3} title="The available plans couldn’t be loaded" query={offered} />
          </Card>
        )}
      </div>
    </section>
  )
}

function personalHint(scope: Scope): string {
  const names = scope.kind === 'own' ? scope.businesses.map(({ label }) => label) : []
  return names.length > 0
    ? `For your personal account. Choose ${names.length === 1 ? names[0] : 'a business'} above to see its plans.`
    : 'You don’t need a plan to have an account or follow businesses.'
}

type Named = { id: string; name: string; label: string }

type PlanChoiceProps = {
  plan: OfferedPlan
  business: Named | null
  /** Businesses of the payer, for a plan that needs one. */
  owned: readonly Named[]
  /** The same plan, canceled but still running. People resume it instead of buying it again. */
  ending: Agreement | null
  isOwned: boolean
  /** Active plans already include everything in this one, so buying this one would mean paying twice. */
  isIncluded: boolean
  hasOther: boolean
}

function PlanChoice({ plan, business, owned, ending, isOwned: isHeld, isIncluded, hasOther }: PlanChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, choose] = useState<string>()
  const menuOf = plan.needsBusiness ? (owned.find(({ id }) => id === chosen) ?? owned[0]) : undefined
  const forWhom = business ?? menuOf
  const title = forWhom ? `${plan.name} for ${forWhom.label}` : plan.name
  return (
    <article
      className={cx('flex h-full flex-col rounded-card border bg-surface p-5', plan.badge ? 'border-leaf ring-1 ring-leaf' : 'border-line')}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <h3 className="text-lg">{plan.name}</h3>
        {plan.badge && <Badge variant="leaf">{plan.badge}</Badge>}
      </div>
      <p className="mt-2 flex items-baseline gap-1.5">
        <span className="font-display text-2xl tabular-nums">{moneyText(plan.price)}</span>
        <span className="text-muted text-sm">per month</span>
      </p>
      <ul className="mt-4 grid gap-2 text-[0.9375rem]">
        {plan.features.map((feature) => (
          <li key={feature} className="flex gap-2">
            <Check aria-hidden="true" className="mt-0.75 size-4 shrink-0 text-leaf" />
            {feature}
          </li>
        ))}
      </ul>
      <div className="mt-auto pt-5">
        {isHeld ? (
          <p className="flex min-h-10 items-center gap-2 font-medium text-leaf">
            <Check aria-hidden="true" className="size-4.5" />
            {business ? 'Active' : 'Your plan'}
          </p>
        ) : ending ? (
          <p className="min-h-10 text-muted">
            {planWords(plan.name, ending.paidUntil)}.{ending.abilities.resume && ' You can resume it above.'}
          </p>
        ) : isIncluded ? (
          <p className="flex min-h-10 items-center gap-2 text-muted">
            <Check aria-hidden="true" className="size-4.5 shrink-0" />
            Included in {business ? 'its current plan' : 'your plan'}
          </p>
        ) : plan.needsBusiness && owned.length === 0 ? (
          <div className="grid gap-2">
            <p className="text-sm">{plan.name} unlocks the menu of a business you own, and you don’t own one here yet.</p>
            <Link to="/business/register" className={`${textLink} touch-target text-sm`}>
              Register or claim your business
            </Link>
          </div>
        ) : (
          <Button variant="secondary" className="w-full" onClick={() => setOpen(true)}>
            {memberPlans.find(({ id }) => id === plan.id)?.buttonText ?? `Choose ${plan.name}`}
          </Button>
        )}
      </div>
      <PurchaseDialog
        open={isOpen}
        onOpenChange={setOpen}
        order={{ planId: plan.id, ...(forWhom && { businessId: forWhom.id }) }}
        title={title}
        description={hasOther ? 'You already have a plan. To replace it, use “Change plan” next to it.' : undefined}
        price={plan.price}
        features={plan.details.length > 0 ? plan.details : plan.features}
        notice={
          (plan.notice || menuOf) && (
            <div className="grid gap-3">
              {plan.notice && <p>{plan.notice}</p>}
              {menuOf && owned.length > 1 && (
                <Field label="Which menu?">
                  <Select value={menuOf.id} onChange={(event) => choose(event.target.value)}>
                    {owned.map(({ id, label }) => (
                      <option key={id} value={id}>
                        {label}
                      </option>
                    ))}
                  </Select>
                </Field>
              )}
            </div>
          )
        }
      />
    </article>
  )
}
