import { type SqlBool, sql } from 'kysely'
import { explainedActions } from '#contracts/moderation.rules.ts'
import { appealDays, type ModerationAppeal, type OwnAppeal } from '#contracts/moderation.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, newestAfter, oldestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { excerpt } from './cases.ts'
import { lockDecision, revertDecision, undoneEntry } from './decide-case.ts'
import { type DecisionRow, decisionRow, decisionsByIds, named, peopleById, toDecisions } from './decisions.ts'
import { affectedBy, areOwn, type ModeratorScope, reversalRefusals } from './may-act.ts'
import { asOfNow, type ModerationParts, previewSubjects } from './subjects.ts'

export const appealUntil = (createdAt: Date): Date => new Date(createdAt.getTime() + appealDays * dayMs)

type AppealRow = {
  id: string
  content: string
  created_at: Date
  decided_at: Date | null
  outcome: 'upheld' | 'overturned' | null
  answer: string
}

export const toOwnAppeal = (row: AppealRow): OwnAppeal => ({
  id: row.id,
  content: row.content,
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  outcome: row.outcome,
  answer: row.answer,
})

/**
 * Only the affected person may appeal an action, once, within 180 days.
 * @throws AppError not_found for another person's action or one that can't be appealed, conflict if it was undone, is too old or was
 * already appealed
 */
export async function makeAppeal(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, actionId: string, content: string): Promise<OwnAppeal> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom('moderation_actions').select('id').where('id', '=', actionId).forShare().execute()
    const decision = await decisionRow(tx, actionId)
    if (decision?.user_id !== actor.id || !explainedActions.includes(decision.action)) throw notFound('Action not found.')
    if (decision.undone_at !== null) throw new AppError('conflict', { message: 'This action was already undone.' })
    if (now > appealUntil(decision.created_at)) {
      throw new AppError('conflict', { message: `You can appeal within ${appealDays} days. That time has passed.` })
    }
    const row = await tx
      .insertInto('moderation_appeals')
      .values({ id: newId(), action_id: actionId, user_id: actor.id, content, moderator_id: decision.moderator_id, created_at: now })
      .onConflict((conflict) => conflict.column('action_id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new AppError('conflict', { message: 'You’ve already appealed this.' })
    return toOwnAppeal(row)
  })
}

/** Only the site's moderators decide appeals. */
const asSite: ModeratorScope = { actsFor: 'site' }

const appeals = (db: Db) => db.selectFrom('moderation_appeals').selectAll()
type FullRow = Awaited<ReturnType<ReturnType<typeof appeals>['execute']>>[number]
type Query = { limit: number; cursor?: string | undefined; status: 'open' | 'decided' }

/** Pending appeals, oldest first; decided ones, newest first. */
export async function listAppeals(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  parts: ModerationParts,
  actor: Actor,
  { limit, cursor, status }: Query,
): Promise<Page<ModerationAppeal>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const isOpen = status === 'open'
  const rows = await appeals(db)
    .where('decided_at', isOpen ? 'is' : 'is not', null)
    .$call((query) => (isOpen ? oldestAfter(query, 'created_at', 'id', after) : newestAfter(query, 'decided_at', 'id', after)))
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [((isOpen ? row.created_at : row.decided_at) as Date).toISOString(), row.id])
  return { items: await toAppeals(db, parts, actor, items, clock.now()), nextCursor }
}

async function toAppeals(db: Db, parts: ModerationParts, actor: Actor, rows: readonly FullRow[], now: Date): Promise<ModerationAppeal[]> {
  const [decisionRows, people] = await Promise.all([
    decisionsByIds(
      db,
      rows.map((row) => row.action_id),
    ),
    peopleById(
      db,
      rows.flatMap((row) => [row.user_id, row.decided_by]),
    ),
  ])
  const views = new Map((await toDecisions(db, parts, actor, asSite, decisionRows, now)).map((view) => [view.id, view]))
  const readable = decisionRows.filter(({ subject }) => subject !== 'message')
  const previews = await previewSubjects(db, parts.subjects, readable)
  const previewOf = new Map(readable.map(({ id }, i) => [id, previews[i]]))
  const reported = await reportedBy(db, actor.id, decisionRows)
  const reversals = await reversalRefusals(db, parts, actor, asSite, decisionRows, 'appeal')
  const areAboutActor = await areOwn(db, actor.id, await affectedBy(db, parts.subjects, decisionRows))
  const isOwn = new Map(decisionRows.map(({ id }, i) => [id, areAboutActor[i]]))
  const mayDecide = (row: FullRow) => appealRefusal(actor.id, row, reported) === null && reversals.get(row.action_id) === null
  return rows.flatMap((row) => {
    const decision = views.get(row.action_id)
    if (!decision) return []
    return [
      {
        id: row.id,
        decision,
        title: previewOf.get(row.action_id)?.title ?? null,
        excerpt: excerpt(previewOf.get(row.action_id)?.text ?? ''),
        person: people.get(row.user_id) ?? null,
        content: row.content,
        createdAt: row.created_at.toISOString(),
        decidedAt: row.decided_at?.toISOString() ?? null,
        decidedBy: isOwn.get(row.action_id) ? null : named(people, row.decided_by),
        outcome: row.outcome,
        answer: row.answer,
        mayDecide: row.decided_at === null && mayDecide(row),
      },
    ]
  })
}

/**
 * Neither the acting moderator nor the appellant nor anyone who reported the subject may decide the appeal. A check constraint enforces the
 * first of these rules.
 */
function appealRefusal(
  actorId: string,
  row: Pick<FullRow, 'action_id' | 'user_id' | 'moderator_id'>,
  reported: ReadonlySet<string>,
): string | null {
  if (row.user_id === actorId) return 'This is your own appeal, so another moderator has to decide it.'
  if (row.moderator_id === actorId) return 'This appeal is against your own decision, so another moderator has to decide it.'
  return reported.has(row.action_id) ? 'You reported this, so another moderator has to decide the appeal.' : null
}

/** The actions about subjects that the person has reported, by ID. */
async function reportedBy(db: Db, personId: string, decisions: readonly DecisionRow[]): Promise<Set<string>> {
  const reports = await db
    .selectFrom('reports')
    .select(['subject', 'subject_id'])
    .where('reporter_id', '=', personId)
    .where(sql<SqlBool>`subject_id = any(${decisions.map((decision) => decision.subject_id)}::uuid[])`)
    .execute()
  const isReported = (decision: DecisionRow) =>
    reports.some((report) => report.subject === decision.subject && report.subject_id === decision.subject_id)
  return new Set(decisions.filter(isReported).map(({ id }) => id))
}

type Decision = { outcome: 'upheld' | 'overturned'; answer: string }

/** Overturning the decision undoes the action. @throws AppError not_found, forbidden, conflict if the appeal was already decided */
export async function decideAppeal(
  ctx: Context,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  { outcome, answer }: Decision,
): Promise<ModerationAppeal> {
  const now = ctx.clock.now()
  const decided = await inTransaction(ctx.db, async (tx) => {
    const found = await appeals(tx).where('id', '=', id).executeTakeFirst()
    if (!found) throw notFound('Appeal not found.')
    const decision = await lockDecision(tx, parts, found.action_id, actor.id)
    const row = await appeals(tx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    const judge = await asOfNow(tx, actor, now)
    if (!hasRole(judge, 'moderator')) throw new AppError('forbidden')
    const reported = await reportedBy(tx, actor.id, [decision])
    const reversals = await reversalRefusals(tx, parts, judge, asSite, [decision], 'appeal')
    const refusal = appealRefusal(actor.id, row, reported) ?? reversals.get(decision.id)
    if (refusal) throw new AppError('forbidden', { message: refusal })
    if (row.decided_at !== null) throw new AppError('conflict', { message: `This appeal was already decided: ${row.outcome}.` })
    await writeDecision(tx, id, { decided_at: now, decided_by: actor.id, outcome, answer })
    const isUndone = outcome === 'overturned' && decision.undone_at === null
    if (isUndone) await revertDecision(tx, ctx, parts, decision, { actorId: actor.id, reason: 'appeal', now })
    await ctx.events.publish(tx, 'appeal.decided', { appealId: id })
    const [view] = await toAppeals(tx, parts, judge, [await appeals(tx).where('id', '=', id).executeTakeFirstOrThrow()], now)
    const entry = { at: now, actorId: actor.id, subjectType: 'moderation_appeal', subjectId: id, details: { actionId: decision.id } }
    await recordAudit(tx, { ...entry, action: `appeal.${outcome}` })
    if (isUndone) await recordAudit(tx, { ...undoneEntry(decision, now), actorId: actor.id })
    return view as ModerationAppeal
  })
  ctx.cache.invalidate('businesses')
  return decided
}

const writeDecision = (
  tx: Tx,
  id: string,
  decision: { decided_at: Date; decided_by: string; outcome: 'upheld' | 'overturned'; answer: string },
) => tx.updateTable('moderation_appeals').set(decision).where('id', '=', id).execute()
