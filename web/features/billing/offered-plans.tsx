import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { OfferedPlan } from '../../../contracts/billing.ts'
import { type Entitlement, entitlementsOf } from '../../../contracts/entitlements.ts'
import { memberPlans } from '../../../contracts/plans.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { moneyText } from './agreement-words.ts'
import { agreementsOptions, plansOptions } from './billing.api.ts'
import { PurchaseDialog } from './purchase-dialog.tsx'
import { payerOf, type Scope } from './scope.ts'

/** The plans that can be chosen: a person's, or a business's. */
export function OfferedPlans({ scope }: { scope: Scope }) {
  const offered = useQuery(plansOptions)
  const business = scope.kind === 'business' ? scope.business : null
  const agreements = useInfiniteQuery(agreementsOptions(payerOf(scope)))
  // What was canceled runs to its end, and can be bought anew.
  const held = (agreements.data?.pages.flatMap(({ items }) => items) ?? [])
    .filter(({ status }) => status === 'pending' || status === 'active' || status === 'past_due')
    .flatMap(({ planId }) => planId ?? [])
  const opened = entitlementsOf(held)
  const plans = offered.data?.plans.filter(({ audience }) => audience === (business ? 'business' : 'person')) ?? []
  return (
    <section aria-labelledby="choose-plan">
      <h2 id="choose-plan" className="text-xl">
        {business ? `Plans for ${business.name}` : 'Member plans'}
      </h2>
      <p className="mt-1 max-w-text text-muted">
        {business ? 'No plan moves a business up a list.' : 'For you as a member. An account stays free without one.'}
      </p>
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
                  isHeld={held.includes(plan.id)}
                  isIncluded={isAmong(plan.id, opened)}
                  hasOther={plans.some(({ id }) => held.includes(id))}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Card>
            <ErrorState
              level={3}
              title="The plans on offer could not be loaded"
              description={messageOf(offered.error)}
              onRetry={() => void offered.refetch()}
              pending={offered.isFetching}
            />
          </Card>
        )}
      </div>
    </section>
  )
}

/** Whether all that a plan opens is open already. One that opens nothing is never that. */
function isAmong(planId: string, opened: ReadonlySet<Entitlement>): boolean {
  const opens = entitlementsOf([planId])
  return opens.size > 0 && opens.isSubsetOf(opened)
}

type PlanChoiceProps = {
  plan: OfferedPlan
  business: { id: string; name: string } | null
  isHeld: boolean
  /** What runs already opens all of it: it would be paid for twice. */
  isIncluded: boolean
  hasOther: boolean
}

function PlanChoice({ plan, business, isHeld, isIncluded, hasOther }: PlanChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const title = business ? `${plan.name} for ${business.name}` : plan.name
  return (
    <article
      className={cx('flex h-full flex-col rounded-card border bg-surface p-5', plan.badge ? 'border-leaf ring-1 ring-leaf' : 'border-line')}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <h3 className="text-lg">{plan.name}</h3>
        {plan.badge && <Badge variant="leaf">{plan.badge}</Badge>}
      </div>
      <p className="mt-2 flex items-baseline gap-1.5">
        <span className="font-display font-display text-2xl tabular-nums">{moneyText(plan.price)}</span>
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
            {business ? 'In use' : 'Your plan'}
          </p>
        ) : isIncluded ? (
          <p className="flex min-h-10 items-center gap-2 text-muted">
            <Check aria-hidden="true" className="size-4.5 shrink-0" />
            Included in what {business ? 'runs' : 'you have'} already
          </p>
        ) : (
          <Button variant="secondary" className="w-full" onClick={() => setOpen(true)}>
            {memberPlans.find(({ id }) => id === plan.id)?.buttonText ?? `Choose ${plan.name}`}
          </Button>
        )}
      </div>
      <PurchaseDialog
        open={isOpen}
        onOpenChange={setOpen}
        order={{ planId: plan.id, ...(business && { businessId: business.id }) }}
        title={title}
        description={hasOther ? 'In place of a plan that runs already, use “Change plan” beside it: then the old one ends.' : undefined}
        price={plan.price}
        features={plan.features}
      />
    </article>
  )
}
