import { findLinks, findPhoneNumbers, type Span } from './contacts.ts'
import { fold } from './fold.ts'
import { findGiveaways } from './giveaways.ts'
import { findHealthClaims } from './health.ts'
import { type Effect, type Finding, type Place, ruleFor, type Topic, type WritingKind } from './rules.ts'
import { findChannels, findSales, findShipping } from './sales.ts'
import { find, type Hit, phrases, precededBy, read, type TokenizedText } from './tokens.ts'
import { unmask } from './unmask.ts'

export type Facts = {
  kind: WritingKind
  /** Whether the text is a promotion, product or event, which require a license. */
  isAdvertising: boolean
  /** The business that publishes the text; null for a person. */
  business: {
    place: Place
    isLicensed: boolean
    licenseNumber: string | null
  } | null
  /** Whether the account's trust is `new`. */
  isNewWriter: boolean
  /** Whether this account published nearly the same text recently, or several new accounts published it. */
  isRepeated: boolean
}

/** An offer may start in the title and end in the body. */
export const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')

/**
 * Applies all rules to a text and returns findings in text order. Missing notices are placed at its end; findings about the whole text
 * span all of it. Pure, and linear in the length of the text.
 */
export function checkText(text: string, facts: Facts): Finding[] {
  const { text: plain, at } = unmask(text)
  const reading = read(plain)
  const { business, kind, isAdvertising } = facts
  const isReview = kind === 'review'
  const place = business?.place ?? null
  const found: Finding[] = []
  const add = (rule: Topic, effect: Effect, spans: readonly Span[], places: readonly number[]) => {
    for (const { start, end } of merged(spans)) found.push({ rule, effect, ...sourceSpan(text, places, start, end) })
  }
  const rules = kind === 'community' ? prohibitions(reading) : null
  const isRule = ({ from }: Hit) => rules?.has(reading.tokens[from]?.sentence ?? -1) ?? false
  const spansOf = (hits: readonly Hit[]) => hits.filter((hit) => !isRule(hit)).map((hit) => spanOf(reading, hit))

  if (text !== '') {
    add('health', 'hold', spansOf(findHealthClaims(reading, { isBusiness: business !== null })), at)
    // Reviewers may mention gifts and prices.
    if (!isReview)
      add('giveaway', business !== null && allows(ruleFor('giveaway', place)) ? 'advise' : 'hold', spansOf(findGiveaways(reading)), at)
    if (business?.isLicensed) add('sale', 'hold', spansOf([...findShipping(reading), ...findChannels(reading)]), at)
    else if (kind === 'review' || kind === 'menu_item')
      add('sale', 'hold', spansOf([...findShipping(reading), ...findChannels(reading)]), at)
    else add('sale', 'hold', spansOf(findSales(reading)), at)
    const folded = fold(text)
    if (business === null && !isPage(kind)) add('phone', 'hold', findPhoneNumbers(folded.text), folded.at)
    // A licensed business counts as known, even if the author's account is new.
    if (facts.isNewWriter && !business?.isLicensed && !isPage(kind)) add('link', 'hold', findLinks(folded.text), folded.at)
    if (business !== null) add('minors', isAdvertising ? 'hold' : 'advise', spansOf(findAppealToMinors(reading)), at)
    if (facts.isRepeated) found.push({ rule: 'repeat', effect: 'hold', start: 0, end: text.length })
  }
  found.sort((a, b) => a.start - b.start || a.end - b.end)
  if (business !== null && isAdvertising) found.push(...findMissingNotices(text, business))
  if (business !== null && isPage(kind)) return found.map((finding) => ({ ...finding, effect: pageEffect(finding.rule, business) }))
  // Holding a reply, profile, hunt or event note would hide something that is already public, so refuse it instead.
  return kind === 'review_reply' || kind === 'profile' || kind === 'hunt' || kind === 'event_note'
    ? found.map((finding) => (finding.effect === 'hold' ? { ...finding, effect: 'refuse' } : finding))
    : found
}

/** A business's own page and menu, which stay up until the business changes them. */
const isPage = (kind: WritingKind): boolean => kind === 'business_profile' || kind === 'menu_item'

/**
 * An unlicensed business hasn't been verified, so sales, health claims and appeals to minors are refused. With a verified license, local
 * law decides the first two. Whether something appeals to minors depends on the package, not on a word, so that's up to moderators or the
 * authority.
 */
function pageEffect(rule: Topic, { isLicensed, place }: NonNullable<Facts['business']>): Effect {
  if (!isLicensed) return rule === 'sale' || rule === 'health' || rule === 'minors' ? 'refuse' : 'advise'
  if (rule !== 'sale' && rule !== 'health') return 'advise'
  const { demand, isOwn } = ruleFor(rule, place)
  return demand === 'banned' && isOwn ? 'refuse' : 'advise'
}

/** "No sales", "do not claim that it cures anything": community rules may name what they forbid. Returns the numbers of such sentences. */
function prohibitions({ tokens }: TokenizedText): Set<number> {
  const words = Map.groupBy(tokens, ({ sentence }) => sentence)
  return new Set([...words.keys()].filter((sentence) => prohibition.test((words.get(sentence) ?? []).map(({ word }) => word).join(' '))))
}

const prohibition =
  /^(?:please )?(?:no|not|never|don't|dont|nobody|avoid|without)\b|^do not\b|\b(?:forbidden|banned|prohibited)\b|(?:n't|\b(?:not|never|isnt|arent)) allowed\b|\b(?:be|are|is|gets?) removed\b|\bagainst (?:the|our|these) (?:rules?|law)\b/

const allows = (rule: ReturnType<typeof ruleFor>) => rule.demand === 'allowed'

/** Required notices missing from an advertisement. A picture may contain them, so if local law requires a notice, a moderator checks. */
function findMissingNotices(text: string, business: NonNullable<Facts['business']>): Finding[] {
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

const spanOf = ({ tokens }: TokenizedText, { from, to }: Hit): Span => ({
  start: (tokens[from] as TokenizedText['tokens'][number]).start,
  end: (tokens[to - 1] as TokenizedText['tokens'][number]).end,
})

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

/** Maps a range of the folded text to the source, including combining marks of its last letter. */
function sourceSpan(source: string, at: readonly number[], start: number, end: number): Span {
  const from = at[start] as number
  const last = at[end - 1] as number
  // Ends before the next letter, without trailing spaces or punctuation.
  const limit = at[end] as number
  let to = last + (String.fromCodePoint(source.codePointAt(last) as number).length as number)
  while (to < limit && /[\p{M}\p{Cf}]/u.test(String.fromCodePoint(source.codePointAt(to) as number)))
    to += String.fromCodePoint(source.codePointAt(to) as number).length
  return { start: from, end: Math.max(to, from) }
}

const list = phrases(
  `cartoon|cartoons|cartoon characters|coloring book|toy|toys|kid|kids|kiddos|children|childrens|toddler|toddlers|teen|teens|teenager|teenagers|school|schools|
  high school|kindergarten|playground|santa claus|santa's|easter bunny|superhero|superheroes|pokemon|pikachu|mickey mouse|spongebob|sponge bob|super mario|hello kitty|disney|
  minecraft|fortnite|paw patrol|skittles|sour patch|sour patch kids|nerds rope|oreo|oreos|doritos|cheetos|starburst|jolly ranchers|froot loops|fruit loops|lucky charms|
  cap'n crunch|gummy bears|gummy worms|cotton candy machine|just like candy|tastes like candy|looks like candy|candy lookalike|candy look alike`,
)

const warnings = new Set('reach away no not never protect protecting lock locked out without'.split(' '))

/** Words after "school" that don't concern children: "12 School Street", "school bus". */
const streets = /^(street|st|road|rd|avenue|ave|lane|ln|drive|dr|way|bus)$/

const isOtherSchool = ({ tokens }: TokenizedText, { from, to }: Hit): boolean =>
  tokens[from]?.word === 'school' && (tokens[from - 1]?.word === 'old' || streets.test(tokens[to]?.word ?? ''))

/** Banned in advertisements: cartoon characters, toys, candy look-alikes, children, and places for children. */
const findAppealToMinors = (reading: TokenizedText): Hit[] =>
  find(reading, list).filter((hit) => !precededBy(reading, hit, warnings, 5) && !isOtherSchool(reading, hit))

/** Accepts the license number or anything after the word "license" that looks like one. */
function namesLicense(text: string, licenseNumber: string | null): boolean {
  if (licenseNumber !== null && onlyLetters(text).includes(onlyLetters(licenseNumber))) return true
  return /\blic(?:ense|\.)?\s*(?:no\.?|number|#)?\s*:?\s*#?\s*(?=[a-z0-9-]{0,24}\d)[a-z0-9][a-z0-9-]{3,30}/.test(text)
}

const onlyLetters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** "21+", "for adults 21 and over", but not "over 21 strains" or "for 21 years". */
const namesAge = (text: string): boolean =>
  /\b(?:18|19|21)\s?(?:\+|and (?:up|over|older|above)|or (?:older|over)|years (?:old|of age|and|or)\b)|\b(?:over|ages?|aged) (?:18|19|21)\b(?! (?!always|plus|this|unless)[a-z]{3,}s\b)|\badults? (?:only|18|19|21|over|use)\b|\bfor adults\b/.test(
    text,
  )

/**
 * Findings that are new in an edited text. A finding with the same words in the earlier, published text was reviewed or accepted before.
 * A missing license always remains.
 */
export function newFindings(text: string, findings: readonly Finding[], before: string, facts: Facts): Finding[] {
  if (before === '' || findings.length === 0) return [...findings]
  const known = new Set(checkText(before, { ...facts, isRepeated: false }).map((finding) => keyOf(before, finding)))
  return findings.filter((finding) => finding.rule === 'license' || !known.has(keyOf(text, finding)))
}

const keyOf = (text: string, { rule, start, end }: Finding) => `${rule} ${text.slice(start, end).toLowerCase()}`
