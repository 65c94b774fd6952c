import { sql } from 'kysely'
import { checkText, type Facts, joinTexts, newFindings } from '#compliance/judge.ts'
import { differentBits, fingerprint, maxDifferentBits } from '#compliance/repeats.ts'
import {
  type Finding,
  fixOf,
  isAdvertising,
  type SubmittedText,
  sentenceOf,
  summarize,
  type Topic,
  type WritingKind,
} from '#compliance/rules.ts'
import type { HeldFinding, ReportSubject } from '#contracts/moderation.ts'
import { trustOf } from '#contracts/people.rules.ts'
import { dayMs, licenseDay } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'

type Text = string | null | undefined
/** Keyed by field, so that an error names the field. */
type Texts = Readonly<Record<string, Text>>

type Refusal = { phrase: string; message: string }

/** Text that its author changes in place is refused rather than held: nothing is lost, and the author immediately sees what to change. */
export function refusalsIn(text: string, facts: Facts, shown = ''): Refusal[] {
  return newFindings(text, checkText(text, facts), shown, facts)
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
      if (by) requireNotMuted(by)
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

/** The check for a business's page, locations, offer (`business_profile`) or menu. Takes facts if the business doesn't exist yet. */
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

/**
 * Result of the filters. `held`: stored, but visible only to its author and moderators until one decides. `findings` lists each rule once
 * with an explanation that doesn't quote the text.
 */
export type Verdict = { state: 'held' | null; findings: { rule: Topic; says: string }[] }

type Given = SubmittedText & {
  /** The content's ID, so that an edit doesn't count as a repetition of itself. */
  subjectId?: string
  /** The published text. Text already published, for example after approval, is not held again. */
  before?: readonly string[] | undefined
  /** The field that an error names; defaults to `content`. */
  field?: string
}

/**
 * Screens text in the transaction that writes it.
 * @throws AppError forbidden for advertising without a verified, unexpired license; invalid_input if the text can't be published as is
 */
export async function screenWords(db: Db, ctx: Pick<Context, 'clock'>, writer: Writer, words: Given): Promise<Verdict> {
  const { text, findings } = await findingsIn(db, ctx, writer, words)
  const refusal = findings.find(({ effect }) => effect === 'refuse')
  if (refusal) throw refused(text, refusal, words.field)
  const holding = findings.filter(({ effect }) => effect === 'hold')
  return { state: holding.length > 0 ? 'held' : null, findings: summarize(holding) }
}

/**
 * Screens a change to text in published content that is made separately, without editing the content. Refuses text that would be held.
 * @throws AppError invalid_input
 */
export async function requirePublishableWords(db: Db, ctx: Pick<Context, 'clock'>, writer: Writer, words: Given): Promise<void> {
  const { text, findings } = await findingsIn(db, ctx, writer, words)
  const finding = findings.find(({ effect }) => effect !== 'advise')
  if (finding) throw refused(text, finding, words.field)
}

async function findingsIn(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  writer: Writer,
  words: Given,
): Promise<{ text: string; findings: Finding[] }> {
  const text = joinTexts(words.texts)
  const facts = await factsOf(db, writer, words, text, ctx.clock.now())
  return { text, findings: newFindings(text, checkText(text, facts), joinTexts(words.before ?? []), facts) }
}

const refused = (text: string, finding: Finding, field = 'content') =>
  finding.rule === 'license'
    ? new AppError('forbidden', {
        message: `${sentenceOf(finding.rule)} Verify the license on the business dashboard, then publish this, or post it as an update.`,
      })
    : invalidField(field, fixOf(text, finding))

/** Replies are often alike, communities and profiles are written once, and events recur with the same text, so these aren't checked. */
const isRepeatable = (kind: Given['kind']) =>
  !['review_reply', 'community', 'business_profile', 'profile', 'event', 'event_note'].includes(kind)

async function factsOf(db: Db, writer: Writer, words: Given, text: string, now: Date): Promise<Facts> {
  const { kind, businessId, subjectId, before } = words
  const isUnchanged = before !== undefined && joinTexts(before) === text
  return {
    kind,
    isAdvertising: isAdvertising(words),
    business: businessId && kind !== 'review' ? await businessFacts(db, businessId, now) : null,
    isNewWriter: writer.trust === 'new',
    isRepeated: text !== '' && !isUnchanged && isRepeatable(kind) && (await isRepeatedText(db, writer, subjectId, text, now)),
  }
}

const rememberedMs = dayMs

/** The same text from this many new accounts counts as a campaign. */
const manyNewWriters = 3
/** Compares with at most this many of an account's latest texts within a day. */
const maxCompared = 200

/**
 * Whether the account has written nearly the same text within a day, or several new accounts, including this one, have written text with
 * the same fingerprint. Stores the fingerprint if there is a `subjectId`, which also prevents an edit from matching its own earlier
 * version.
 */
async function isRepeatedText(db: Db, writer: Writer, subjectId: string | undefined, text: string, now: Date): Promise<boolean> {
  const print = fingerprint(text)
  if (print === null) return false
  const since = new Date(now.getTime() - rememberedMs)
  const own = await db
    .selectFrom('recent_words')
    .select('fingerprint')
    .where('user_id', '=', writer.id)
    .where('said_at', '>', since)
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '<>', subjectId as string))
    .orderBy('said_at', 'desc')
    .limit(maxCompared)
    .execute()
  const isOwnRepeat = own.some((row) => differentBits(row.fingerprint, print) <= maxDifferentBits)
  const isCampaign = !isOwnRepeat && writer.trust === 'new' && (await newWritersOf(db, print, writer.id, since)) + 1 >= manyNewWriters
  if (subjectId !== undefined) {
    const said = { fingerprint: print, is_new_writer: writer.trust === 'new', said_at: now }
    await db
      .insertInto('recent_words')
      .values({ subject_id: subjectId, user_id: writer.id, ...said })
      .onConflict((conflict) => conflict.column('subject_id').doUpdateSet(said))
      .execute()
  }
  return isOwnRepeat || isCampaign
}

async function newWritersOf(db: Db, print: string, except: string, since: Date): Promise<number> {
  const { writers } = await db
    .selectFrom('recent_words')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('writers'))
    .where('fingerprint', '=', print)
    .where('is_new_writer', '=', true)
    .where('said_at', '>', since)
    .where('user_id', '<>', except)
    .executeTakeFirstOrThrow()
  return writers
}

type BusinessFacts = NonNullable<Facts['business']>

async function businessFacts(db: Db, businessId: string, now: Date): Promise<BusinessFacts> {
  const row = await db
    .selectFrom('businesses')
    .leftJoin('license_verifications', (join) =>
      join.onRef('license_verifications.business_id', '=', 'businesses.id').on('license_verifications.status', '=', 'verified'),
    )
    .select(['businesses.country', 'businesses.state', 'license_verified_through', 'license_verifications.license_number'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirstOrThrow()
  return {
    place: { country: row.country, state: row.state },
    isLicensed: row.license_verified_through !== null && row.license_verified_through >= licenseDay(now),
    licenseNumber: row.license_number,
  }
}

export type Writer = Pick<Actor, 'id' | 'trust'>

/** The author of scheduled content, who may not be signed in when it is published. */
export async function writerOf(db: Db, userId: string, now: Date): Promise<Writer> {
  const { created_at, email_verified } = await db
    .selectFrom('users')
    .select(['created_at', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { id: userId, trust: trustOf({ createdAt: created_at, isEmailVerified: email_verified }, now) }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'screening.purge': Record<string, never>
  }
}

export const screeningSchedules: JobSchedule[] = [{ name: 'screening.purge', cron: '17 * * * *', data: {} }]

export const screeningJobs = (ctx: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, 'screening.purge'> => ({
  // Text older than a day may be repeated.
  'screening.purge': async () => {
    const before = new Date(ctx.clock.now().getTime() - rememberedMs)
    await ctx.db.deleteFrom('recent_words').where('said_at', '<=', before).execute()
  },
})
