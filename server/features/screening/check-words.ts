import { fixOf } from '../../../compliance/explain.ts'
import { type Facts, judge } from '../../../compliance/judge.ts'
import { remaining } from '../../../compliance/remaining.ts'
import type { WritingKind } from '../../../compliance/words.ts'
import type { Db } from '../../db/connect.ts'
import { type Actor, requireVoice } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type BusinessFacts, businessFacts } from './business-facts.ts'

type Text = string | null | undefined
/** By the fields of the call, so that a refusal names the field. */
type Texts = Readonly<Record<string, Text>>

/** Words that a rule refuses, and what its writer is told. */
type Refusal = { phrase: string; message: string }

/** Text that stays up until its writer changes it is refused, not held: nothing is lost, and its writer reads at once what to change. */
export function refusalsIn(text: string, facts: Facts, shown = ''): Refusal[] {
  return remaining(text, judge(text, facts), shown, facts)
    .filter(({ effect }) => effect === 'refuse')
    .map((finding) => ({ phrase: text.slice(finding.start, finding.end), message: fixOf(text, finding) }))
}

/**
 * What is refused in these texts, by field. `shown` is what the same thing says now: text that stays is not asked about again.
 * @throws AppError muted where there is new text and its writer may not publish any
 */
export type WordCheck = (texts: Texts, shown?: readonly Text[]) => Record<string, string>

/** `by`: null for a job, which runs after its writer was let through. */
export function createWordCheck(facts: Facts, by: Pick<Actor, 'mutedUntil'> | null): WordCheck {
  // A menu names a brand or a strain hundreds of times.
  const known = new Map<string, string | null>()
  const messageFor = (text: string): string | null => {
    let message = known.get(text)
    if (message === undefined) {
      message = refusalsIn(text, facts)[0]?.message ?? null
      known.set(text, message)
    }
    return message
  }
  return (texts, shown = []) => {
    const refused: Record<string, string> = {}
    for (const [field, text] of Object.entries(texts)) {
      if (!text || shown.includes(text)) continue
      if (by) requireVoice(by)
      if (messageFor(text) === null) continue
      const [refusal] = refusalsIn(text, facts, shown.filter(Boolean).join('\n'))
      if (refusal) refused[field] = refusal.message
    }
    return refused
  }
}

const personal: Facts = { kind: 'profile', isAdvertising: false, business: null, isNewWriter: false, isRepeated: false }

/** Of a person's own words. */
export const personFacts = (kind: WritingKind, writer: Pick<Actor, 'trust'>): Facts => ({
  ...personal,
  kind,
  isNewWriter: writer.trust === 'new',
})

/** Of the page, the places, the offer (`business_profile`) or the menu of a business, which need not be there yet. */
export async function businessWords(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  by: Pick<Actor, 'mutedUntil'> | null,
  kind: 'business_profile' | 'menu_item',
  business: string | BusinessFacts,
): Promise<WordCheck> {
  const facts = typeof business === 'string' ? await businessFacts(db, business, ctx.clock.now()) : business
  return createWordCheck({ ...personal, kind, business: facts }, by)
}

/** @throws AppError invalid_input that names every refused field */
export function requireClean(refused: Readonly<Record<string, string>>): void {
  const [message] = Object.values(refused)
  if (message !== undefined) throw new AppError('invalid_input', { message, fields: refused })
}
