import type { Plan } from './plans.ts'

// Separate from plans.ts because the landing page needs only personal plans and has a tight size budget.

/** In addition to one short video. */
export const maxGalleryPhotos = 12

/** The two cards on the brand page. No plan affects rankings. */
export const businessPlans: readonly Plan[] = [
  {
    id: 'verified',
    name: 'Verified',
    monthlyCents: 15000,
    features: [
      'Gold badge while your license is verified',
      `Gallery of up to ${maxGalleryPhotos} photos`,
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
      'Analytics on visits, followers and subscribers',
    ],
    badge: 'Most Popular',
    buttonText: null,
  },
]

export const businessToolsPlan: Plan = {
  id: 'business_tools',
  name: 'Business Tools',
  monthlyCents: 7500,
  features: ['Customer subscriptions at your own prices', 'Unlimited menu items and locations', 'Analytics', 'Priority support'],
  badge: null,
  buttonText: null,
}

/** Free for every business. */
export const freeAllowance = { menuItems: 5, locations: 5 } as const
