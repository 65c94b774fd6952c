import type { Finding, Topic } from './findings.ts'
import { type Place, type Rule, type RuleTopic, ruleFor, ruleTopics } from './rules.ts'

/** What a finding means, said to whoever wrote the words. */
const says: Record<Topic, string> = {
  health: 'It reads like a claim about health. Nobody here may say that a product treats, prevents or cures anything.',
  giveaway: 'It reads like a giveaway of products.',
  sale: 'It reads like a sale between people. Nothing is sold or shipped here.',
  phone: 'It shows a phone number to everybody.',
  link: 'It has a link, and the account is new.',
  repeat: 'Nearly the same words were posted here within the last day.',
  minors: 'It has words that may appeal to minors.',
  license_number: 'It does not name the license number.',
  age_notice: 'It does not say that it is for adults of legal age.',
  license: 'Promotions and products need a verified, unexpired license.',
}

/** In a few words, as a heading. */
export const titles: Record<Topic, string> = {
  health: 'Health claim',
  giveaway: 'Giveaway',
  sale: 'Sale between people',
  phone: 'Phone number',
  link: 'Link',
  repeat: 'Said before',
  minors: 'Appeal to minors',
  license_number: 'License number',
  age_notice: 'Age notice',
  license: 'License',
}

export const sentenceOf = (rule: Topic): string => says[rule]

/** What a refusal says: which sentence is to change, and why. */
export const fixOf = (text: string, finding: Finding): string => `Rewrite or remove “${passageAt(text, finding)}”. ${says[finding.rule]}`

const mostQuoted = 140

/** The sentence that a finding is in, or the words themselves where the sentence is long. */
function passageAt(text: string, { start, end }: Finding): string {
  // A dot within a word or a number ends nothing.
  const endsAt = (at: number) => /[!?\n]/.test(text[at] as string) || (text[at] === '.' && /\s/.test(text[at + 1] ?? ' '))
  let from = start
  while (from > 0 && !endsAt(from - 1)) from--
  let to = end
  while (to < text.length && !endsAt(to)) to++
  const sentence = text.slice(from, to).trim()
  if (sentence.length <= mostQuoted) return sentence
  const words = text.slice(start, end).trim()
  // Half of a character that is made of two is none.
  return words.length <= mostQuoted ? words : `${words.slice(0, mostQuoted).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The rule of the law behind a finding; null where it is one of ours alone. A person's words follow the law of no place we know. */
export function citedRule({ rule }: Pick<Finding, 'rule'>, place: Place | null): (Rule & { isOwn: boolean }) | null {
  return isRuleTopic(rule) ? ruleFor(rule, place) : null
}

const isRuleTopic = (topic: Topic): topic is RuleTopic & Topic => (ruleTopics as readonly string[]).includes(topic)

/** Each rule once, in the order of the findings: what a case keeps, and what the writer is told. Never a word of the text. */
export function summarize(findings: readonly Finding[]): { rule: Topic; says: string }[] {
  return [...new Set(findings.map(({ rule }) => rule))].map((rule) => ({ rule, says: says[rule] }))
}
