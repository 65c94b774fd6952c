import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Agreement, OfferedPlan } from '#contracts/billing.ts'
import { memberPlans } from '#contracts/plans.ts'
import { agreementsOptions, plansOptions } from '#web/entities/billing/billing.api.ts'
import { moneyText } from '#web/entities/billing/billing-words.ts'
import { PurchaseDialog } from '#web/entities/billing/purchase-dialog.tsx'
import { planWords } from '#web/lib/plan-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { payerOf, type Scope } from './agreement-list.tsx'

export function OfferedPlans({ scope }: { scope: Scope }) {
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
        {business ? `Plans for ${business.name}` : 'Personal plans'}
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
            <LoadError level={3} title="The plans on offer couldn’t be loaded" query={offered} />
          </Card>
        )}
      </div>
    </section>
  )
}

/** Says where business plans are, since they aren't listed here. */
function personalHint(scope: Scope): string {
  const names = scope.kind === 'own' ? scope.businesses.map(({ name }) => name) : []
  return names.length > 0
    ? `For you personally. Plans for ${names.length === 1 ? names[0] : 'your businesses'} are listed separately above.`
    : 'An account and following are free without a plan.'
}

type Named = { id: string; name: string }

type PlanChoiceProps = {
  plan: OfferedPlan
  business: Named | null
  /** Businesses the payer owns, for a plan that needs one. */
  owned: readonly Named[]
  /** The same plan, canceled but still running: it's resumed rather than bought again. */
  ending: Agreement | null
  isOwned: boolean
  /** An active plan already includes everything, so buying would pay twice. */
  isIncluded: boolean
  hasOther: boolean
}

function PlanChoice({ plan, business, owned, ending, isOwned: isHeld, isIncluded, hasOther }: PlanChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, choose] = useState<string>()
  const menuOf = plan.needsBusiness ? (owned.find(({ id }) => id === chosen) ?? owned[0]) : undefined
  const forWhom = business ?? menuOf
  const title = forWhom ? `${plan.name} for ${forWhom.name}` : plan.name
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
            {business ? 'Active' : 'Your plan'}
          </p>
        ) : ending ? (
          <p className="min-h-10 text-muted">{planWords(plan.name, ending.paidUntil)}. You can resume it above.</p>
        ) : isIncluded ? (
          <p className="flex min-h-10 items-center gap-2 text-muted">
            <Check aria-hidden="true" className="size-4.5 shrink-0" />
            Included in {business ? 'its current plan' : 'your plan'}
          </p>
        ) : plan.needsBusiness && owned.length === 0 ? (
          <div className="grid gap-2">
            <p className="text-sm">{plan.name} unlocks the menu of a business you own. You don’t own one here yet.</p>
            <Link to="/business/register" className={`${textLink} text-sm`}>
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
                    {owned.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
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
