import { fixOf, sentenceOf, summarize } from '../../../compliance/explain.ts'
import type { Finding, Topic } from '../../../compliance/findings.ts'
import { type Facts, joinTexts, judge } from '../../../compliance/judge.ts'
import { remaining } from '../../../compliance/remaining.ts'
import { isAdvertising, type Words } from '../../../compliance/words.ts'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { businessFacts } from './business-facts.ts'
import { isSaidAgain } from './recent-words.ts'
import type { Writer } from './writer.ts'

/**
 * What the filters say of a text. `held`: it is stored, and shown to nobody but its writer until a moderator has looked at it.
 * `findings` has each rule once, with what it says; never words of the text.
 */
export type Verdict = { state: 'held' | null; findings: { rule: Topic; says: string }[] }

type Given = Words & {
  /** Of what says them, so that an edit is not taken for a repetition of itself. */
  subjectId?: string
  /** What is shown there now: what it says already does not hold it again, be it that a moderator has approved it. */
  before?: readonly string[] | undefined
  /** The field that a refusal names; `content` where nothing is said. */
  field?: string
}

/**
 * Holds the words of somebody against the rules. Called within the transaction that writes them.
 * @throws AppError forbidden for advertising without a verified, unexpired license; invalid_input where the words cannot go out like this
 */
export async function screenWords(db: Db, ctx: Pick<Context, 'clock'>, writer: Writer, words: Given): Promise<Verdict> {
  const now = ctx.clock.now()
  const text = joinTexts(words.texts)
  const facts = await factsOf(db, writer, words, text, now)
  const findings = remaining(text, judge(text, facts), joinTexts(words.before ?? []), facts)
  const refusal = findings.find(({ effect }) => effect === 'refuse')
  if (refusal) throw refused(text, refusal, words.field)
  const holding = findings.filter(({ effect }) => effect === 'hold')
  return { state: holding.length > 0 ? 'held' : null, findings: summarize(holding) }
}

const refused = (text: string, finding: Finding, field = 'content') =>
  finding.rule === 'license'
    ? new AppError('forbidden', {
        message: `${sentenceOf(finding.rule)} Verify the license on the business dashboard, then publish this, or post it as an update.`,
      })
    : invalidField(field, fixOf(text, finding))

/** Many answers say the same; a community, a business and a person say what they are once; an event that recurs says the same each time. */
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
    isRepeated: text !== '' && !isUnchanged && isRepeatable(kind) && (await isSaidAgain(db, writer, subjectId, text, now)),
  }
}
