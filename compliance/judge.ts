import { findLinks, findPhoneNumbers, type Span } from './contacts.ts'
import type { Effect, Finding, Topic } from './findings.ts'
import { fold } from './fold.ts'
import { findGiveaways } from './giveaways.ts'
import { findHealthClaims } from './health.ts'
import { findAppealToMinors } from './minors.ts'
import { namesAge, namesLicense } from './notices.ts'
import { type Place, ruleFor } from './rules.ts'
import { findChannels, findSales, findShipping } from './sales.ts'
import { type Hit, type Reading, read } from './tokens.ts'
import { unmask } from './unmask.ts'
import type { WritingKind } from './words.ts'

/** What decides about the rules, beside the words. */
export type Facts = {
  kind: WritingKind
  /** A promotion or a product: what may only go out under a license. */
  isAdvertising: boolean
  /** The business that speaks; null for a person. */
  business: {
    place: Place
    /** With a license that was verified and has not expired. */
    isLicensed: boolean
    /** Of that license. */
    licenseNumber: string | null
  } | null
  /** Whether the account is too new to be known for anything. */
  isNewWriter: boolean
  /** The same words again: by the same account, or by many new ones. */
  isRepeated: boolean
}

/** The parts of a text as the one that is judged: what begins in the title may end in the words below it. */
export const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')

/**
 * Everything that the rules find in a text, in the order of the text; what is missing from it stands at its end, what is wrong with all
 * of it spans all of it. Pure, and linear in the length of the text.
 */
export function judge(text: string, facts: Facts): Finding[] {
  const { text: plain, at } = unmask(text)
  const reading = read(plain)
  const { business, kind, isAdvertising } = facts
  const isReview = kind === 'review'
  const place = business?.place ?? null
  const found: Finding[] = []
  const add = (rule: Topic, effect: Effect, spans: readonly Span[], places: readonly number[]) => {
    for (const { start, end } of merged(spans)) found.push({ rule, effect, ...sourceSpan(text, places, start, end) })
  }
  const isRule = (hit: Hit) => kind === 'community' && isProhibition(reading, hit)
  const spansOf = (hits: readonly Hit[]) => hits.filter((hit) => !isRule(hit)).map((hit) => spanOf(reading, hit))

  if (text !== '') {
    add('health', 'hold', spansOf(findHealthClaims(reading, { isBusiness: business !== null })), at)
    // Who reviews a place may say what was given to them, and what they paid.
    if (!isReview)
      add('giveaway', business !== null && allows(ruleFor('giveaway', place)) ? 'advise' : 'hold', spansOf(findGiveaways(reading)), at)
    if (business?.isLicensed) add('sale', 'hold', spansOf([...findShipping(reading), ...findChannels(reading)]), at)
    else if (kind === 'review' || kind === 'menu_item')
      add('sale', 'hold', spansOf([...findShipping(reading), ...findChannels(reading)]), at)
    else add('sale', 'hold', spansOf(findSales(reading)), at)
    const folded = fold(text)
    if (business === null && !isPage(kind)) add('phone', 'hold', findPhoneNumbers(folded.text), folded.at)
    // A business with a license is known, however new the account of whoever writes for it.
    if (facts.isNewWriter && !business?.isLicensed && !isPage(kind)) add('link', 'hold', findLinks(folded.text), folded.at)
    if (business !== null) add('minors', isAdvertising ? 'hold' : 'advise', spansOf(findAppealToMinors(reading)), at)
    if (facts.isRepeated) found.push({ rule: 'repeat', effect: 'hold', start: 0, end: text.length })
  }
  found.sort((a, b) => a.start - b.start || a.end - b.end)
  if (business !== null && isAdvertising) found.push(...missing(text, business))
  if (business !== null && isPage(kind)) return found.map((finding) => ({ ...finding, effect: pageEffect(finding.rule, business) }))
  // Each of these is part of something that others see already. To hold it would take that from view.
  return kind === 'review_reply' || kind === 'profile' || kind === 'hunt' || kind === 'event_note'
    ? found.map((finding) => (finding.effect === 'hold' ? { ...finding, effect: 'refuse' } : finding))
    : found
}

/** What a business says of itself and its goods. It stays up until the business changes it. */
const isPage = (kind: WritingKind): boolean => kind === 'business_profile' || kind === 'menu_item'

/**
 * Without a verified license nobody has checked who speaks: sales, health claims and appeal to minors are refused. With one, the law
 * of the place decides about the first two; about minors a moderator or the authority judges the package, not a word.
 */
function pageEffect(rule: Topic, { isLicensed, place }: NonNullable<Facts['business']>): Effect {
  if (!isLicensed) return rule === 'sale' || rule === 'health' || rule === 'minors' ? 'refuse' : 'advise'
  if (rule !== 'sale' && rule !== 'health') return 'advise'
  const { demand, isOwn } = ruleFor(rule, place)
  return demand === 'banned' && isOwn ? 'refuse' : 'advise'
}

/** "No sales", "do not claim that it cures anything": what the rules of a community forbid is not said in them. */
function isProhibition({ tokens }: Reading, { from }: Hit): boolean {
  const sentence = tokens.filter((token) => token.sentence === tokens[from]?.sentence).map(({ word }) => word)
  return (
    /^(?:please )?(?:no|not|never|don't|dont|do not|nobody|avoid|without)\b/.test(sentence.slice(0, 3).join(' ')) ||
    sentence.some((word) => forbidden.has(word))
  )
}

const forbidden = new Set('forbidden banned prohibited allowed removed against'.split(' '))

const allows = (rule: ReturnType<typeof ruleFor>) => rule.demand === 'allowed'

/** What an advertisement has to say and does not. A picture may say it: where the law of the place asks for it, somebody looks. */
function missing(text: string, business: NonNullable<Facts['business']>): Finding[] {
  const at = { start: text.length, end: text.length }
  if (!business.isLicensed) return [{ rule: 'license', effect: 'refuse', ...at }]
  const { text: plain } = fold(text)
  const effectOf = (topic: 'license_number' | 'age_notice'): Effect | null => {
    const { demand, isOwn } = ruleFor(topic, business.place)
    if (demand !== 'required') return null
    return isOwn ? 'hold' : 'advise'
  }
  const licenseEffect = namesLicense(plain, business.licenseNumber) ? null : effectOf('license_number')
  const ageEffect = namesAge(plain) ? null : effectOf('age_notice')
  return [
    ...(licenseEffect ? [{ rule: 'license_number' as const, effect: licenseEffect, ...at }] : []),
    ...(ageEffect ? [{ rule: 'age_notice' as const, effect: ageEffect, ...at }] : []),
  ]
}

const spanOf = ({ tokens }: Reading, { from, to }: Hit): Span => ({
  start: (tokens[from] as Reading['tokens'][number]).start,
  end: (tokens[to - 1] as Reading['tokens'][number]).end,
})

/** Overlapping stretches as one. */
function merged(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start)
  const whole: Span[] = []
  for (const span of sorted) {
    const last = whole.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else whole.push({ ...span })
  }
  return whole
}

/** Where a stretch of the folded text stands in what was typed, with the marks that belong to its last letter. */
function sourceSpan(source: string, at: readonly number[], start: number, end: number): Span {
  const from = at[start] as number
  const last = at[end - 1] as number
  // The last letter goes until the next one begins, and takes no space or sign behind it along.
  const limit = at[end] as number
  let to = last + (String.fromCodePoint(source.codePointAt(last) as number).length as number)
  while (to < limit && /[\p{M}\p{Cf}]/u.test(String.fromCodePoint(source.codePointAt(to) as number)))
    to += String.fromCodePoint(source.codePointAt(to) as number).length
  return { start: from, end: Math.max(to, from) }
}
