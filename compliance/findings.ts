/** What a rule is about; the same names stand in data/compliance-rules.json, in cases of moderators and in answers. */
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
 * `refuse`: it cannot go out like this. `hold`: it goes out once a moderator has looked. `advise`: it goes out, and its writer should
 * know of the rule.
 */
export type Effect = 'hold' | 'refuse' | 'advise'

/** One thing that a rule found in a text. `start` and `end` are UTF-16 offsets; equal where something is missing. */
export type Finding = { rule: Topic; effect: Effect; start: number; end: number }
