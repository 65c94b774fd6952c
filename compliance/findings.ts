/** Rule topics, shared by data/compliance-rules.json, moderation cases and API responses. */
export const topics = [
  'health',
  'giveaway',
  'sale',
  'phone',
  'link',
  'repeat',
  'minors',
  'license_number',
  'age_notice',
  'license',
] as const
export type Topic = (typeof topics)[number]

/**
 * `refuse`: can't be published as is. `hold`: published after a moderator's review. `advise`: published, with a note to the author about
 * the rule.
 */
export type Effect = 'hold' | 'refuse' | 'advise'

/** A finding in a text. `start` and `end` are UTF-16 offsets, equal if something is missing. */
export type Finding = { rule: Topic; effect: Effect; start: number; end: number }
