import type { Plan } from './plans.ts'

// By themselves: the landing page shows the plans of people, and its first load has no room for these.

/** For businesses: the two cards of the brand-named page. None of them sells a place in a list. */
export const businessPlans: readonly Plan[] = [
  {
    id: 'verified',
    name: 'Verified',
    monthlyCents: 15000,
    features: [
      'Gold badge while your license is verified',
      'Gallery of up to 12 photos',
      'Short video on your page',
      'Links to your social pages',
      'Priority support',
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
      'Subscriptions at your own prices, and you keep 100%',
      'Unlimited menu items',
      'Unlimited locations',
      'Analytics of visits, followers and subscribers',
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
