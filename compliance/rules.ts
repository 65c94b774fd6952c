import data from '../data/compliance-rules.json' with { type: 'json' }

/** What the table of rules knows of a jurisdiction; the words of the law are its own, ours are short. */
export const ruleTopics = ['age_notice', 'health', 'giveaway', 'license_number', 'minors', 'sale'] as const
export type RuleTopic = (typeof ruleTopics)[number]

export type Place = { country: string | null; state: string | null }

export type Rule = {
  topic: RuleTopic
  country: string | null
  state: string | null
  /** As people call it: "California". */
  jurisdiction: string
  demand: 'banned' | 'required' | 'allowed'
  says: string
  citation: string
  url: string | null
  /** The day on which the text was read for this entry; null where it is named from general knowledge. */
  checkedOn: string | null
  /** Whether the law's own text was read, a summary of it, or neither. */
  readAs: 'text' | 'summary' | 'known'
}

const rules = data.rules as Rule[]
export const allRules: readonly Rule[] = rules
export const aboutRules: string = data.about

const keyOf = (topic: RuleTopic, country: string | null, state: string | null) => `${topic} ${country ?? ''} ${state ?? ''}`
const byPlace = new Map(rules.map((rule) => [keyOf(rule.topic, rule.country, rule.state), rule]))

/**
 * The rule of a place, or of its country. Where the table has none, the strictest one that most of the places have applies: `isOwn` is
 * false then, and the rule says so itself.
 */
export function ruleFor(topic: RuleTopic, place: Place | null): Rule & { isOwn: boolean } {
  const own =
    place?.country == null
      ? undefined
      : (byPlace.get(keyOf(topic, place.country, place.state)) ?? byPlace.get(keyOf(topic, place.country, null)))
  return own ? { ...own, isOwn: true } : { ...(byPlace.get(keyOf(topic, null, null)) as Rule), isOwn: false }
}
