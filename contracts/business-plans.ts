import type { Plan } from './plans.ts'

// By themselves: the landing page shows the plans of people, and its first load has no room for these.

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
