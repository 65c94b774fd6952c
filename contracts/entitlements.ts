/** What a plan can unlock. Code checks entitlements, never plan names. */
export const entitlements = [
  'own_prices',
  'unlimited_menu',
  'unlimited_locations',
  'insights',
  'priority_support',
  /** The gold badge, which also requires a verified license: payment alone isn't enough. */
  'verified_badge',
  /** Up to 12 photos and a short video on the business's page. */
  'gallery',
  'social_links',
  /** By default, turns on notifications, including email, about new items and prices at followed businesses. */
  'product_updates',
  /** Exclusive posts by businesses without their own subscription price. */
  'exclusive_posts',
  /** Notifications of new items, a day before other followers get them. */
  'early_products',
  /** Subscriber prices at businesses without their own subscription price. */
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
  /** What a personal plan unlocks for one of the payer's businesses. */
  forOneBusiness?: readonly Entitlement[]
}

/** Plan IDs are those in plans.ts. No plan affects rankings. */
export const planTable: Readonly<Record<string, PlanRow>> = {
  starter: { audience: 'person', entitlements: ['product_updates'], forOneBusiness: ['unlimited_menu'] },
  pro: { audience: 'person', entitlements: premium },
  vip: { audience: 'person', entitlements: [...premium, 'direct_messages', 'vip_events', 'priority_support'] },
  verified: { audience: 'business', entitlements: verified },
  pro_partner: { audience: 'business', entitlements: [...new Set([...verified, ...businessTools])] },
  business_tools: { audience: 'business', entitlements: businessTools },
}

/** IDs of plans that unlock this for their buyer: the payer of a personal plan, or the business of a business plan. */
export const plansWith = (entitlement: Entitlement): string[] =>
  Object.keys(planTable).filter((id) => planTable[id]?.entitlements.includes(entitlement))

export const forOneBusiness = (planId: string | null): readonly Entitlement[] => planTable[planId ?? '']?.forOneBusiness ?? []

export function entitlementsOf(planIds: Iterable<string>): Set<Entitlement> {
  return new Set([...planIds].flatMap((id) => planTable[id]?.entitlements ?? []))
}
