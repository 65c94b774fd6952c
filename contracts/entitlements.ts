/** What a plan can unlock. Code asks for one of these, never for a plan's name. */
export const entitlements = [
  // For a business
  'own_prices',
  'unlimited_menu',
  'unlimited_locations',
  'insights',
  'priority_support',
  /** The gold badge; shown only while the license is verified: money alone never buys it. */
  'verified_badge',
  /** Up to 12 photos and a short video on its page. */
  'gallery',
  'social_links',
  // For a person
  /** New items and prices of followed businesses are announced by default, by email too. */
  'product_updates',
  /** Exclusive posts of every business that asks no price of its own. */
  'exclusive_posts',
  /** New items a day before other followers hear of them. */
  'early_products',
  /** Subscriber prices of every business that asks no price of its own. */
  'member_prices',
  'direct_messages',
  'vip_events',
] as const
export type Entitlement = (typeof entitlements)[number]

type PlanAudience = 'person' | 'business'

const businessTools: readonly Entitlement[] = ['own_prices', 'unlimited_menu', 'unlimited_locations', 'insights', 'priority_support']
const verified: readonly Entitlement[] = ['verified_badge', 'gallery', 'social_links', 'priority_support']
const premium: readonly Entitlement[] = ['product_updates', 'exclusive_posts', 'early_products', 'member_prices']

type PlanRow = {
  audience: PlanAudience
  entitlements: readonly Entitlement[]
  /** What a person's plan unlocks for one business that the payer owns. */
  forOneBusiness?: readonly Entitlement[]
}

/** What each plan unlocks, and for whom. Ids are those of plans.ts. No plan is worth anything in a rank. */
export const planTable: Readonly<Record<string, PlanRow>> = {
  starter: { audience: 'person', entitlements: ['product_updates'], forOneBusiness: ['unlimited_menu'] },
  pro: { audience: 'person', entitlements: premium },
  vip: { audience: 'person', entitlements: [...premium, 'direct_messages', 'vip_events', 'priority_support'] },
  verified: { audience: 'business', entitlements: verified },
  pro_partner: { audience: 'business', entitlements: [...new Set([...verified, ...businessTools])] },
  business_tools: { audience: 'business', entitlements: businessTools },
}

/** The plans that unlock it for whom they're bought: a person's for the payer, a business's for the business. */
export const plansWith = (entitlement: Entitlement): string[] =>
  Object.keys(planTable).filter((id) => planTable[id]?.entitlements.includes(entitlement))

export const forOneBusiness = (planId: string | null): readonly Entitlement[] => planTable[planId ?? '']?.forOneBusiness ?? []

/** What a set of plans unlocks together. A plan that is not known unlocks nothing. */
export function entitlementsOf(planIds: Iterable<string>): Set<Entitlement> {
  return new Set([...planIds].flatMap((id) => planTable[id]?.entitlements ?? []))
}
