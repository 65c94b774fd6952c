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
  // For a person
  'early_products',
  'member_prices',
  'direct_messages',
] as const
export type Entitlement = (typeof entitlements)[number]

type PlanAudience = 'person' | 'business'

const businessTools: readonly Entitlement[] = ['own_prices', 'unlimited_menu', 'unlimited_locations', 'insights', 'priority_support']
const premium: readonly Entitlement[] = ['early_products', 'member_prices']

/** What each plan unlocks, and for whom. Ids are those of plans.ts. No plan is worth anything in a rank. */
export const planTable: Readonly<Record<string, { audience: PlanAudience; entitlements: readonly Entitlement[] }>> = {
  starter: { audience: 'person', entitlements: [] },
  pro: { audience: 'person', entitlements: premium },
  vip: { audience: 'person', entitlements: [...premium, 'direct_messages', 'priority_support'] },
  verified: { audience: 'business', entitlements: ['verified_badge', 'priority_support'] },
  pro_partner: { audience: 'business', entitlements: ['verified_badge', ...businessTools] },
  business_tools: { audience: 'business', entitlements: businessTools },
}

/** The plans that unlock something. */
export const plansWith = (entitlement: Entitlement): string[] =>
  Object.keys(planTable).filter((id) => planTable[id]?.entitlements.includes(entitlement))

/** What a set of plans unlocks together. A plan that is not known unlocks nothing. */
export function entitlementsOf(planIds: Iterable<string>): Set<Entitlement> {
  return new Set([...planIds].flatMap((id) => planTable[id]?.entitlements ?? []))
}
