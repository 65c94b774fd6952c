import { sql } from 'kysely'
import { type Facts, judge, remaining } from '#compliance/judge.ts'
import { fixOf } from '#compliance/rules.ts'
import type { WritingKind } from '#compliance/words.ts'
import type { HeldFinding, ReportSubject } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { type Actor, requireVoice } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type BusinessFacts, businessFacts } from './screen-words.ts'

type Text = string | null | undefined
/** Keyed by field, so that an error names the field. */
type Texts = Readonly<Record<string, Text>>

type Refusal = { phrase: string; message: string }

/** Text that its author changes in place is refused rather than held: nothing is lost, and the author sees at once what to change. */
export function refusalsIn(text: string, facts: Facts, shown = ''): Refusal[] {
  return remaining(text, judge(text, facts), shown, facts)
    .filter(({ effect }) => effect === 'refuse')
    .map((finding) => ({ phrase: text.slice(finding.start, finding.end), message: fixOf(text, finding) }))
}

/**
 * Error messages by field. `shown` is the current text, which isn't screened again.
 * @throws AppError muted if there is new text and its author is muted
 */
export type WordCheck = (texts: Texts, shown?: readonly Text[]) => Record<string, string>

/** `by` is null for jobs, whose author was checked earlier. */
export function createWordCheck(facts: Facts, by: Pick<Actor, 'mutedUntil'> | null): WordCheck {
  // A menu repeats a brand or a strain hundreds of times.
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

export const personFacts = (kind: WritingKind, writer: Pick<Actor, 'trust'>): Facts => ({
  ...personal,
  kind,
  isNewWriter: writer.trust === 'new',
})

/** Facts about a business's page, locations, offer (`business_profile`) or menu. The business need not exist yet. */
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

/** @throws AppError invalid_input with a message for every refused field */
export function requireClean(refused: Readonly<Record<string, string>>): void {
  const [message] = Object.values(refused)
  if (message !== undefined) throw new AppError('invalid_input', { message, fields: refused })
}

type Row = { id: string; moderation: string | null }

/** Explains to authors why their held content is waiting for review, by ID. Skips the query if nothing is held. */
export async function reasonsOf(db: Db, subject: ReportSubject, rows: readonly Row[]): Promise<Map<string, string[]>> {
  const ids = rows.filter(({ moderation }) => moderation === 'held').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const cases = await db
    .selectFrom('moderation_cases')
    .select(['subject_id', 'findings'])
    .where('subject', '=', subject)
    .where(sql<boolean>`subject_id = any(${ids}::uuid[])`)
    .where('status', '=', 'open')
    .execute()
  return new Map(cases.map((row) => [row.subject_id, (row.findings as HeldFinding[]).flatMap(({ says }) => says ?? [])]))
}
