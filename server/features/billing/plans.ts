import type { OfferedPlan } from '#contracts/billing.ts'
import { businessPlans, businessToolsPlan } from '#contracts/business-plans.ts'
import { type Entitlement, planTable } from '#contracts/entitlements.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { formatMonthlyPrice, memberPlans, type Plan } from '#contracts/plans.ts'

export type KnownPlan = Plan & {
  audience: 'person' | 'business'
  entitlements: readonly Entitlement[]
  forOneBusiness?: readonly Entitlement[]
}

const plans = new Map<string, KnownPlan>(
  [...memberPlans, ...businessPlans, businessToolsPlan].flatMap((plan) => {
    const row = planTable[plan.id]
    return row ? [[plan.id, { ...plan, ...row }] as const] : []
  }),
)

export const findPlan = (id: string): KnownPlan | null => plans.get(id) ?? null

export const planName = (id: string): string => plans.get(id)?.name ?? id

export function changesFrom(planId: string): string[] {
  const audience = plans.get(planId)?.audience
  return [...plans.values()].filter((plan) => plan.audience === audience && plan.id !== planId).map((plan) => plan.id)
}

export const offeredPlans = (): OfferedPlan[] =>
  [...plans.values()].map(({ id, name, audience, monthlyCents, features, badge, entitlements, forOneBusiness = [] }) => ({
    id,
    name,
    audience,
    price: { amount: formatCents(monthlyCents), currency: 'USD' },
    features: [...features],
    badge,
    details: [...(planNotes[id]?.details ?? [])],
    notice: planNotes[id]?.notice ?? null,
    needsBusiness: forOneBusiness.length > 0,
    entitlements: [...entitlements, ...forOneBusiness],
  }))

/** Personal plans, highest first; the tier badge shows the first that applies. */
export const tierOrder = ['vip', 'pro', 'starter'] as const

type PlanNotes = {
  details: readonly string[]
  notice: string
}

const priceOf = (id: string) => formatMonthlyPrice(memberPlans.find((plan) => plan.id === id)?.monthlyCents ?? 0)
const tools = `${businessToolsPlan.name} (${formatMonthlyPrice(businessToolsPlan.monthlyCents)})`

/** Notes shown before buying a personal plan. The plan's own lines come from the specification; the notes explain them. */
const planNotes: Readonly<Record<string, PlanNotes>> = {
  starter: {
    details: [
      'Unlimited menu items for one business that you own. You choose it, and can move the plan to another one every 30 days.',
      'New items and lower prices at businesses you follow, in your notifications and your email digest.',
      'Communities are free for everyone.',
    ],
    notice: `Starter requires a business that you own. ${tools} removes the same limit and adds locations, subscriptions and analytics.`,
  },
  pro: {
    details: [
      'Following businesses is free for everyone.',
      'Exclusive posts and subscriber prices at every business that doesn’t set its own price. You can also subscribe to those businesses one by one, for free.',
      'New menu items at businesses you follow, a day before other followers hear about them.',
    ],
    notice: `VIP includes all of this for ${priceOf('vip')}.`,
  },
  vip: {
    details: [
      'Everything in Pro: exclusive posts and subscriber prices at every business that doesn’t set its own price, and notifications of new menu items a day early.',
      'Message any business directly.',
      'Events that businesses open to VIPs.',
      'Your support requests are answered first.',
    ],
    notice: 'Businesses with their own price aren’t included. Subscribe to them on their pages.',
  },
}
