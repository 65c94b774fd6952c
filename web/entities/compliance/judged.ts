import { citedRule, sentenceOf, titles } from '#compliance/explain.ts'
import type { Effect, Finding, Topic } from '#compliance/findings.ts'
import { type Facts, joinTexts, judge } from '#compliance/judge.ts'
import type { Rule } from '#compliance/rules.ts'
import { isAdvertising, type Words } from '#compliance/words.ts'
import type { Business } from '#contracts/businesses.ts'
import { trustOf } from '#contracts/people.rules.ts'

export type Excerpt = { at: number; before: string; found: string; after: string }

export type Hint = {
  topic: Topic
  effect: Effect
  title: string
  says: string
  excerpts: Excerpt[]
  cited: (Rule & { isOwn: boolean }) | null
}

export const isNewAccount = ({ createdAt, isEmailVerified }: { createdAt: string; isEmailVerified: boolean }, now: number): boolean =>
  trustOf({ createdAt: new Date(createdAt), isEmailVerified }, new Date(now)) === 'new'

type Speaker = Pick<Business, 'state' | 'isLicenseVerified' | 'verification'>

/** `business` is the speaker; undefined while loading, when its license can't be judged. */
export function hintsFor(words: Words, business: Speaker | null | undefined, isNewWriter: boolean): Hint[] {
  if (words.businessId && words.kind !== 'review' && !business) return []
  const place = business ? { country: business.state === null ? null : 'US', state: business.state } : null
  const facts: Facts = {
    kind: words.kind,
    isAdvertising: isAdvertising(words),
    business:
      business && place && words.kind !== 'review'
        ? { place, isLicensed: business.isLicenseVerified, licenseNumber: business.verification.licenseNumber }
        : null,
    isNewWriter,
    // Only the server knows earlier texts.
    isRepeated: false,
  }
  const text = joinTexts(words.texts)
  const findings = judge(text, facts)
  return [...new Set(findings.map(({ rule }) => rule))]
    .map((topic) => {
      const own = findings.filter(({ rule }) => rule === topic)
      return {
        topic,
        effect: gravest(own),
        title: titles[topic],
        says: sentenceOf(topic),
        excerpts: own
          .filter(({ start, end }) => end > start)
          .slice(0, 3)
          .map((finding) => excerptOf(text, finding)),
        // People follow our guidelines; we don't know their jurisdiction.
        cited: place && citedRule({ rule: topic }, place),
      }
    })
    .sort((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect))
}

const order: readonly Effect[] = ['refuse', 'hold', 'advise']

const gravest = (findings: readonly Finding[]): Effect =>
  order.find((effect) => findings.some((finding) => finding.effect === effect)) ?? 'advise'

/** Characters of context around a match. */
const margin = 28

/** Limited to the part that contains the match, cut between words. */
export function excerptOf(text: string, { start, end }: Pick<Finding, 'start' | 'end'>): Excerpt {
  const before = text.slice(Math.max(0, start - margin), start)
  const after = text.slice(end, end + margin)
  const isCutBefore = start > margin && !before.includes('\n')
  const isCutAfter = end + margin < text.length && !after.includes('\n')
  return {
    at: start,
    before: isCutBefore ? `… ${before.replace(/^\S*\s/u, '')}` : (before.split('\n').at(-1) ?? ''),
    found: text.slice(start, end),
    after: isCutAfter ? `${after.replace(/\s\S*$/u, '')} …` : (after.split('\n')[0] ?? ''),
  }
}
