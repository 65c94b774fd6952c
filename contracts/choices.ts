/** Keep this file free of schemas: the web app's first loads include it. */

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
 * - `public`: anyone signed in can find, read and join it; members can post
 * - `invite_only`: anyone signed in can find it and see its description and rules; only members can read and post; others need an
 *   invitation or an approved request
 * - `private`: only members and people whom its moderators invited can find it
 */
export const communityVisibilities = ['public', 'private', 'invite_only'] as const

export const growthStages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing'] as const

/** Sources of traits whose values can be recorded. The other sources are derived from other records. */
export const recordedSources: readonly string[] = ['observation', 'rooting_days']

/** The lists in a hunt that can also be exported as CSV. */
export const archiveTables = ['plants', 'grow-logs', 'scores', 'harvests', 'lab-results', 'decisions'] as const

export const communityPostSorts = ['new', 'top', 'active'] as const
export type CommunityPostOrder = (typeof communityPostSorts)[number]

export const topPeriods = ['week', 'month', 'all'] as const
export type TopPeriod = (typeof topPeriods)[number]

export const keyScopes = ['menu:read', 'menu:write', 'posts:write', 'insights:read'] as const
export type KeyScope = (typeof keyScopes)[number]

/** A personal key is limited to hunts that its owner may see or edit. */
export const personKeyScopes = ['hunts:read', 'hunts:write'] as const
export type PersonKeyScope = (typeof personKeyScopes)[number]

export const webhookEvents = ['menu.out_of_date', 'review.created', 'message.received', 'subscriber.created', 'license.expiring'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export const sourceAuths = ['none', 'basic', 'header'] as const
export const sourceSchedules = ['manual', 'nightly', 'hourly'] as const
