/** What people and calls choose from. Contains no schemas, because the web app's first loads include this file. */

export const searchKinds = ['business', 'product', 'post', 'person', 'community', 'strain'] as const

export const interestOptions = [
  'Flower',
  'Edibles',
  'Concentrates',
  'Topicals',
  'CBD Products',
  'Accessories',
  'Growing Tips',
  'Industry News',
] as const

export const channels = ['in_app', 'email', 'push'] as const

export const eventAudiences = ['everyone', 'subscribers', 'vip'] as const

export const communityCategories = ['growing', 'strains', 'medical', 'business', 'general'] as const

/**
 * - `public`: signed-in people find, read and join it; members write
 * - `invite_only`: signed-in people find it with its description and rules; only members read and write; others request to join or are
 *   invited
 * - `private`: visible only to members and people they invite
 */
export const communityVisibilities = ['public', 'private', 'invite_only'] as const

export const growthStages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing'] as const

/** Lists of a hunt that can also be exported as CSV. */
export const archiveTables = ['plants', 'grow-logs', 'scores', 'harvests', 'lab-results', 'decisions'] as const

export const communityPostSorts = ['new', 'top', 'active'] as const
export type CommunityPostOrder = (typeof communityPostSorts)[number]

export const topPeriods = ['week', 'month', 'all'] as const
export type TopPeriod = (typeof topPeriods)[number]

/** What an API key of a business may do. */
export const keyScopes = ['menu:read', 'menu:write', 'posts:write', 'insights:read'] as const
export type KeyScope = (typeof keyScopes)[number]

/** What a person's own key may do with the hunts that the person may see or edit. */
export const personKeyScopes = ['hunts:read', 'hunts:write'] as const
export type PersonKeyScope = (typeof personKeyScopes)[number]

/** What a webhook can be notified about. */
export const webhookEvents = ['menu.out_of_date', 'review.created', 'message.received', 'subscriber.created', 'license.expiring'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** How we sign in to the server of a menu address. */
export const sourceAuths = ['none', 'basic', 'header'] as const
export const sourceSchedules = ['manual', 'nightly', 'hourly'] as const
