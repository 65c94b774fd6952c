import { reportReasons } from './report-reasons.ts'

/**
 * - `approve`: shown, or shown again
 * - `dismiss`: unfounded report; nothing changes
 * - `hide`: visible only to its author and moderators
 * - `remove`: visible only to moderators
 * - `warn`, `mute`, `suspend`, `ban`: apply to the person. In a community, mute and ban are limited to it.
 */
export const moderationActions = ['approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'suspend', 'ban'] as const

export const explainedActions: readonly (typeof moderationActions)[number][] = ['hide', 'remove', 'warn', 'mute', 'suspend', 'ban']

/** Report reasons, or a community's rules. */
export const decisionReasons = [...reportReasons, 'community_rules' as const]
