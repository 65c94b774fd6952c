import data from '#data/compliance-rules.json' with { type: 'json' }

/** Topics in the table of rules by jurisdiction. */
export const ruleTopics = ['age_notice', 'health', 'giveaway', 'license_number', 'minors', 'sale'] as const
export type RuleTopic = (typeof ruleTopics)[number]

export type Place = { country: string | null; state: string | null }

export type Rule = {
  topic: RuleTopic
  country: string | null
  state: string | null
  /** The common name, such as "California". */
  jurisdiction: string
  demand: 'banned' | 'required' | 'allowed'
  says: string
  citation: string
  url: string | null
  /** The day the law or a summary was read; null if the entry is from general knowledge. */
  checkedOn: string | null
  /** Whether the law itself, a summary, or neither was read. */
  readAs: 'text' | 'summary' | 'known'
}

const rules = data.rules as Rule[]
export const allRules: readonly Rule[] = rules
export const aboutRules: string = data.about

const keyOf = (topic: RuleTopic, country: string | null, state: string | null) => `${topic} ${country ?? ''} ${state ?? ''}`
const byPlace = new Map(rules.map((rule) => [keyOf(rule.topic, rule.country, rule.state), rule]))

/** The rule of a place or, if it has none, of its country. If neither has one, returns the general rule, with `isOwn: false`. */
export function ruleFor(topic: RuleTopic, place: Place | null): Rule & { isOwn: boolean } {
  const own =
    place?.country == null
      ? undefined
      : (byPlace.get(keyOf(topic, place.country, place.state)) ?? byPlace.get(keyOf(topic, place.country, null)))
  return own ? { ...own, isOwn: true } : { ...(byPlace.get(keyOf(topic, null, null)) as Rule), isOwn: false }
}

const says: Record<Topic, string> = {
  health: 'It reads like a health claim. You can’t say that a product treats, prevents or cures anything.',
  giveaway: 'It reads like a product giveaway.',
  sale: 'It reads like a sale between people. Nothing is sold or shipped here.',
  phone: 'It shows a phone number to everyone.',
  link: 'It has a link, and the account is new.',
  repeat: 'Nearly the same text was posted here in the last 24 hours.',
  minors: 'It has words that may appeal to minors.',
  license_number: 'It doesn’t include the license number.',
  age_notice: 'It doesn’t say that it’s for adults of legal age.',
  license: 'Promotions, products and events need a verified, unexpired license.',
}

export const titles: Record<Topic, string> = {
  health: 'Health claim',
  giveaway: 'Giveaway',
  sale: 'Sale between people',
  phone: 'Phone number',
  link: 'Link',
  repeat: 'Repeated text',
  minors: 'Appeal to minors',
  license_number: 'License number',
  age_notice: 'Age notice',
  license: 'License',
}

export const sentenceOf = (rule: Topic): string => says[rule]

/** The error message: which sentence to change, and why. */
export const fixOf = (text: string, finding: Finding): string => `Rewrite or remove “${passageAt(text, finding)}”. ${says[finding.rule]}`

const maxQuotedLength = 140

/** The sentence that contains a finding, or only the words found if the sentence is long. */
function passageAt(text: string, { start, end }: Finding): string {
  // A dot within a word or a number doesn't end a sentence.
  const endsAt = (at: number) => /[!?\n]/.test(text[at] as string) || (text[at] === '.' && /\s/.test(text[at + 1] ?? ' '))
  let from = start
  while (from > 0 && !endsAt(from - 1)) from--
  let to = end
  while (to < text.length && !endsAt(to)) to++
  const sentence = text.slice(from, to).trim()
  if (sentence.length <= maxQuotedLength) return sentence
  const words = text.slice(start, end).trim()
  // Don't cut a surrogate pair in half.
  return words.length <= maxQuotedLength ? words : `${words.slice(0, maxQuotedLength).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The legal rule behind a finding; null if the rule is the site's own. Without a place, returns the general rule. */
export function citedRule({ rule }: Pick<Finding, 'rule'>, place: Place | null): (Rule & { isOwn: boolean }) | null {
  return isRuleTopic(rule) ? ruleFor(rule, place) : null
}

const isRuleTopic = (topic: Topic): topic is RuleTopic & Topic => (ruleTopics as readonly string[]).includes(topic)

/** Lists each rule once, in the order of the findings. Contains no words from the text. */
export function summarize(findings: readonly Finding[]): { rule: Topic; says: string }[] {
  return [...new Set(findings.map(({ rule }) => rule))].map((rule) => ({ rule, says: says[rule] }))
}

const writingKinds = [
  'post',
  'community_post',
  'comment',
  'review',
  'review_reply',
  'hunt_comment',
  'community',
  'business_profile',
  'menu_item',
  'hunt',
  'profile',
  'event',
  'event_note',
] as const
export type WritingKind = (typeof writingKinds)[number]

export type SubmittedText = {
  kind: WritingKind
  /** The parts in page order: title, content. Some may be empty. */
  texts: readonly string[]
  postType?: string | undefined
  /** The business that publishes the text or owns the page. Null or omitted for personal text. */
  businessId?: string | null | undefined
  communityId?: string | null | undefined
}

/** Advertising for a business, restricted by age: promotions, products and events. */
export const isAdvertising = ({ kind, postType }: Pick<SubmittedText, 'kind' | 'postType'>): boolean =>
  kind === 'event' || (kind === 'post' && (postType === 'promotion' || postType === 'product'))

/** Topics of findings, shared by moderation cases and API responses. */
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

/** A finding in a text. `start` and `end` are UTF-16 offsets, equal for missing text. */
export type Finding = { rule: Topic; effect: Effect; start: number; end: number }
