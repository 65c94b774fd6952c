import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { checkText, type Facts, joinTexts } from '#compliance/judge.ts'
import {
  citedRule,
  type Effect,
  type Finding,
  isAdvertising,
  type Rule,
  type SubmittedText,
  sentenceOf,
  type Topic,
  titles,
} from '#compliance/rules.ts'
import type { Business } from '#contracts/businesses.ts'
import { trustOf } from '#contracts/people.rules.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { useStableWhilePressed } from '#web/ui/use-stable-while-pressed.ts'
import { Source } from './source.tsx'

/** Debounce in milliseconds, so unfinished words aren't judged. */
const pause = 600

const headings = {
  refuse: { title: 'This can’t be published as is', lead: 'Edit it, then try again.' },
  hold: { title: 'A moderator will review this first', lead: 'You can submit it as is. Others will see it once a moderator approves it.' },
  advise: { title: 'Good to know', lead: 'You can publish it as is. You’re responsible for what you post.' },
} as const

export function HintsList({ words }: { words: SubmittedText }) {
  const hints = useStableWhilePressed(useHints(words))
  const gravest = hints[0]?.effect
  return (
    <div aria-live="polite" aria-atomic="false">
      {gravest && (
        <section
          aria-label="What the rules say"
          className={
            gravest === 'refuse'
              ? 'rounded-card border border-clay bg-sunk p-4 sm:p-5'
              : 'rounded-card border border-line bg-sunk p-4 sm:p-5'
          }
        >
          <p className={gravest === 'refuse' ? 'font-semibold text-clay' : 'font-semibold'}>{headings[gravest].title}</p>
          <p className="mt-0.5 text-muted text-sm">{headings[gravest].lead}</p>
          <ul className="mt-3 grid gap-3.5">
            {hints.map((hint) => (
              <HintItem key={hint.topic} hint={hint} isApart={hint.effect !== gravest} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Shows hints for the text at the last pause, until the next one, to avoid flicker. */
function useHints(words: SubmittedText): Hint[] {
  const user = useCurrentUser()
  const businessId = words.kind === 'review' ? null : (words.businessId ?? null)
  const { data: business } = useQuery({ ...businessOptions(businessId ?? ''), enabled: businessId !== null })
  const [hints, setHints] = useState<Hint[]>([])
  const key = JSON.stringify(words)
  useEffect(() => {
    const timer = setTimeout(() => {
      const judged = hintsFor(
        JSON.parse(key) as SubmittedText,
        businessId === null ? null : business,
        user !== null && isNewAccount(user, Date.now()),
      )
      setHints((before) => (JSON.stringify(before) === JSON.stringify(judged) ? before : judged))
    }, pause)
    return () => clearTimeout(timer)
  }, [key, business, businessId, user])
  return hints
}

/** `isApart` marks a hint that is less severe than the first one, so it names its own effect. */
function HintItem({ hint: { title, says, excerpts, cited, effect, topic }, isApart }: { hint: Hint; isApart: boolean }) {
  return (
    <li className="border-line border-t pt-3.5">
      <p className="text-[0.9375rem]">
        <span className="font-medium">{title}.</span> {says}
        {isApart && (
          <span className="text-muted"> {effect === 'hold' ? 'A moderator will review it first.' : 'You can still publish it.'}</span>
        )}
      </p>
      {excerpts.length > 0 && (
        <ul className="mt-1.5 grid gap-1">
          {excerpts.map((excerpt) => (
            <li key={excerpt.at}>
              <Quote excerpt={excerpt} />
            </li>
          ))}
        </ul>
      )}
      {topic === 'license' && (
        <p className="mt-1.5 text-sm">
          <Link to="/business-dashboard" className={textLink}>
            Verify the license on the dashboard
          </Link>
          <span className="text-muted">, or post it as an update.</span>
        </p>
      )}
      <p className="mt-1.5 text-muted text-sm">
        {cited ? (
          <>
            {cited.isOwn && <span className="text-ink">{cited.jurisdiction}: </span>}
            {cited.says} {cited.isOwn ? <Source rule={cited} /> : <RulesLink />}
          </>
        ) : (
          <Link to="/guidelines" className={textLink}>
            Our guidelines
          </Link>
        )}
      </p>
    </li>
  )
}

const RulesLink = () => (
  <Link to="/rules" className={textLink}>
    All rules, with their sources
  </Link>
)

const Quote = ({ excerpt: { before, found, after } }: { excerpt: Excerpt }) => (
  <q className="text-muted text-sm wrap-anywhere">
    {before}
    <mark className="rounded-tag bg-shine-soft px-0.5 font-medium text-shine-ink">{found}</mark>
    {after}
  </q>
)

type Excerpt = { at: number; before: string; found: string; after: string }

type Hint = {
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

/** `business` is the author. While it loads (undefined), its license can't be judged. */
export function hintsFor(words: SubmittedText, business: Speaker | null | undefined, isNewWriter: boolean): Hint[] {
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
    // Only the server has earlier texts, so repetition can't be judged here.
    isRepeated: false,
  }
  const text = joinTexts(words.texts)
  const findings = checkText(text, facts)
  return [...new Set(findings.map(({ rule }) => rule))]
    .map((topic) => {
      const own = findings.filter(({ rule }) => rule === topic)
      return {
        topic,
        effect: mostSevere(own),
        title: titles[topic],
        says: sentenceOf(topic),
        excerpts: own
          .filter(({ start, end }) => end > start)
          .slice(0, 3)
          .map((finding) => excerptOf(text, finding)),
        // People's jurisdiction is unknown, so only our guidelines apply to them.
        cited: place && citedRule({ rule: topic }, place),
      }
    })
    .sort((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect))
}

const order: readonly Effect[] = ['refuse', 'hold', 'advise']

const mostSevere = (findings: readonly Finding[]): Effect =>
  order.find((effect) => findings.some((finding) => finding.effect === effect)) ?? 'advise'

const margin = 28

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
