/** One plan as it is offered. A plan's effect is decided by entitlements, never by its name. */
export type Plan = {
  id: string
  name: string
  /** US cents. */
  monthlyCents: number
  features: readonly string[]
  badge: string | null
  /** The text of the button that chooses it; null where the page names none. */
  buttonText: string | null
}

/** For people: the three cards of the landing page. */
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

/** For businesses: the two cards of the brand-named page. None of them sells a place in a list. */
export const businessPlans: readonly Plan[] = [
  {
    id: 'verified',
    name: 'Verified',
    monthlyCents: 15000,
    features: [
      'Verified badge, once your license matches the register',
      'Photos and a cover of your own',
      'Posts to everyone who follows you',
      'Links to your website and social pages',
      'Help with your profile by email',
    ],
    badge: null,
    buttonText: null,
  },
  {
    id: 'pro_partner',
    name: 'Pro Partner',
    monthlyCents: 20000,
    features: [
      'Everything in Verified',
      'Subscriptions at your own prices, of which you keep 100%',
      'Unlimited menu items and locations',
      'Analytics of visits, followers and subscribers',
      'Priority support',
    ],
    badge: 'Most Popular',
    buttonText: null,
  },
]

/** The upgrade offered on a business page and on the dashboard. */
export const businessToolsPlan: Plan = {
  id: 'business_tools',
  name: 'Business Tools',
  monthlyCents: 7500,
  features: ['Customer subscriptions at your own prices', 'Unlimited menu items and locations', 'Analytics', 'Priority support'],
  badge: null,
  buttonText: null,
}

/** What every business has without paying. */
export const freeAllowance = { menuItems: 5, locations: 5 } as const

/** A monthly price as people read it: 7500 → "$75", 3999 → "$39.99". */
export function formatMonthlyPrice(cents: number): string {
  return `$${(cents / 100).toFixed(2).replace(/\.00$/, '')}`
}
