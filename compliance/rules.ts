import data from '#data/compliance-rules.json' with { type: 'json' }

/** Topics in the table of rules by jurisdiction. Citations are in the law's own words, summaries in ours. */
export const ruleTopics = ['age_notice', 'health', 'giveaway', 'license_number', 'minors', 'sale'] as const
export type RuleTopic = (typeof ruleTopics)[number]

export type Place = { country: string | null; state: string | null }

export type Rule = {
  topic: RuleTopic
  country: string | null
  state: string | null
  /** As commonly named: "California". */
  jurisdiction: string
  demand: 'banned' | 'required' | 'allowed'
  says: string
  citation: string
  url: string | null
  /** The day the text was checked for this entry; null if it is from general knowledge. */
  checkedOn: string | null
  /** Whether the law itself, a summary, or neither was read. */
  readAs: 'text' | 'summary' | 'known'
}

const rules = data.rules as Rule[]
export const allRules: readonly Rule[] = rules
export const aboutRules: string = data.about

const keyOf = (topic: RuleTopic, country: string | null, state: string | null) => `${topic} ${country ?? ''} ${state ?? ''}`
const byPlace = new Map(rules.map((rule) => [keyOf(rule.topic, rule.country, rule.state), rule]))

/**
 * The rule of a place, or of its country. If there is none, the strictest rule common to most places applies, with `isOwn` false, which the
 * rule's text also says.
 */
export function ruleFor(topic: RuleTopic, place: Place | null): Rule & { isOwn: boolean } {
  const own =
    place?.country == null
      ? undefined
      : (byPlace.get(keyOf(topic, place.country, place.state)) ?? byPlace.get(keyOf(topic, place.country, null)))
  return own ? { ...own, isOwn: true } : { ...(byPlace.get(keyOf(topic, null, null)) as Rule), isOwn: false }
}
