export const communityCategories = ['growing', 'strains', 'medical', 'business', 'general'] as const

/**
 * - `public`: signed-in people find, read and join it; members write
 * - `invite_only`: signed-in people find it with its description and rules; only members read and write; others request to join or are
 *   invited
 * - `private`: visible only to members and people they invite
 */
export const communityVisibilities = ['public', 'private', 'invite_only'] as const

export const maxRules = 15
export const maxRequestLength = 500
