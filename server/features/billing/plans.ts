import type { OfferedPlan } from '../../../contracts/billing.ts'
import { businessPlans, businessToolsPlan } from '../../../contracts/business-plans.ts'
import { type Entitlement, planTable } from '../../../contracts/entitlements.ts'
import { formatCents } from '../../../contracts/money.ts'
import { memberPlans, type Plan } from '../../../contracts/plans.ts'
import { planNotes } from './plan-notes.ts'

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

/** What a plan can be changed to: the others for the same. */
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

/** A person's plans, the highest first: the one whose name stands on the tier badge. */
export const tierOrder = ['vip', 'pro', 'starter'] as const
