/** Code checks entitlements, never a plan's name. */
export type Plan = {
  id: string
  name: string
  /** US cents. */
  monthlyCents: number
  features: readonly string[]
  badge: string | null
  /** Null if the page has no button for the plan. */
  buttonText: string | null
}

export const memberPlans: readonly Plan[] = [
  {
    id: 'starter',
    name: 'Starter',
    monthlyCents: 7500,
    features: ['Unlimited menu uploads', 'Basic product updates', 'Community access'],
    badge: null,
    buttonText: 'Select Basic',
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyCents: 15000,
    features: ['Follow unlimited businesses', 'Exclusive content access', 'Early product notifications', 'Special member pricing'],
    badge: 'Most Popular',
    buttonText: 'Select Premium',
  },
  {
    id: 'vip',
    name: 'VIP',
    monthlyCents: 3999,
    features: ['All Premium features', 'Direct business messaging', 'VIP-only events', 'Concierge support'],
    badge: null,
    buttonText: 'Select VIP',
  },
]

/** 7500 → "$75", 3999 → "$39.99". */
export function formatMonthlyPrice(cents: number): string {
  return `$${(cents / 100).toFixed(2).replace(/\.00$/, '')}`
}
