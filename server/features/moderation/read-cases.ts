import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listCases as contract, HeldContent } from '#contracts/moderation.endpoints.ts'
import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { ActsFor, HeldFinding, ModerationCase, ModerationCaseDetail } from '#contracts/moderation.ts'
import { trustOf } from '#contracts/people.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { type MayReadMediaOfCase, mediaOf } from '#server/features/media/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import type { SubjectPreview } from '#server/kernel/moderated-subject.ts'
import { type CaseRow, caseRow, decidedCases, lockCase, openCases, reportsOf, toCases } from './cases.ts'
import { decisionsAbout, decisionsOfCase, named, peopleById, toDecisions } from './decisions.ts'
import {
  conflictOfInterest,
  type ModeratorScope,
  possibleActions,
  requireModeratorScope,
  requireModeratorScopeFor,
  rolesInCase,
} from './may-act.ts'
import { type CommunityModeration, findSubjects, type ModerationParts, previewSubjects, previewVersion, type Subjects } from './subjects.ts'

type Query = Parsed<(typeof contract)['query']>

export async function listCases(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { subjects, communities }: ModerationParts,
  actor: Actor,
  query: Query,
): Promise<Page<ModerationCase>> {
  const now = clock.now()
  const moderatorScope = await requireModeratorScopeFor(db, communities, actor, query.scope, now)
  const filter = { moderatorScope, now, kind: query.kind, mineOf: query.mine ? actor.id : null, limit: query.limit + 1 }
  const page =
    query.status === 'open'
      ? toPage(await openCases(db, filter, openCursor(query.cursor)), query.limit, openKey)
      : toPage(await decidedCases(db, filter, decodeCursor(query.cursor, ['time', 'id'])), query.limit, decidedKey)
  return { items: await toCases(db, subjects, actor.id, page.items, now), nextCursor: page.nextCursor }
}

const openKey = (row: CaseRow) => [row.due_at?.getTime() ?? 0, row.opened_at.toISOString(), row.id]
const decidedKey = (row: CaseRow) => [(row.decided_at as Date).toISOString(), row.id]

/** The largest time value of a JavaScript Date. */
const latest = 8_640_000_000_000_000

export function openCursor(cursor: string | undefined) {
  const key = decodeCursor(cursor, ['number', 'time', 'id'])
  if (key === null) return null
  const [due, openedAt, id] = key
  if (!Number.isInteger(due) || due < 0 || due > latest) throw invalidField('cursor', 'Not valid')
  return { due: due === 0 ? null : new Date(due), openedAt, id }
}

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Viewing a message is recorded in the audit log. Moderators whom the case is about, or whose business it is about, see no reports,
 * history, notes or names of moderators.
 */
export async function getCase(
  { db, clock }: Ctx,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  chosen: ActsFor | undefined,
): Promise<ModerationCaseDetail> {
  const now = clock.now()
  const row = await caseRow(db, id)
  if (!row) throw notFound('Case not found.')
  const moderatorScope = await requireModeratorScope(db, parts.communities, actor, row, now, { chosen })
  if (row.subject === 'message') {
    await inTransaction(db, (tx) =>
      recordAudit(tx, {
        at: now,
        actorId: actor.id,
        action: 'message.looked_at',
        subjectType: 'message',
        subjectId: row.subject_id,
        details: { caseId: id },
      }),
    )
  }
  const subject = parts.subjects[row.subject]
  const roles = await rolesInCase(db, parts, actor, moderatorScope, row)
  const isOwn = conflictOfInterest(roles.concerned) !== null
  const [[base], previews, reports, decisionRows, history] = await Promise.all([
    toCases(db, parts.subjects, actor.id, [row], now),
    subject.preview(db, [row.subject_id]),
    isOwn ? [] : reportsOf(db, id),
    decisionsOfCase(db, id),
    isOwn ? null : historyOf(db, parts, actor, moderatorScope, row, now),
  ])
  const decisions = await toDecisions(db, parts, actor, moderatorScope, decisionRows, now)
  const preview = previews.get(row.subject_id)
  const reporters =
    moderatorScope.actsFor === 'site'
      ? await peopleById(
          db,
          reports.map((report) => report.reporter_id),
        )
      : new Map()
  const media = await mediaOf(db, preview?.mediaIds ?? [])
  return {
    ...(base as ModerationCase),
    title: preview?.title ?? null,
    path: preview?.path ?? null,
    text: preview?.text ?? '',
    media: (preview?.mediaIds ?? []).flatMap((mediaId) => media.get(mediaId) ?? []),
    version: previewVersion(preview),
    context: preview?.context ?? [],
    reports: reports.map((report) => ({
      id: report.id,
      reason: report.reason as ReportReason,
      details: report.details,
      createdAt: report.created_at.toISOString(),
      reporter: named(reporters, report.reporter_id),
    })),
    decisions,
    history,
    actsFor: moderatorScope.actsFor,
    ...possibleActions(moderatorScope, roles, row.status),
  }
}

async function historyOf(
  db: Db,
  parts: ModerationParts,
  actor: Actor,
  moderatorScope: ModeratorScope,
  row: CaseRow,
  now: Date,
): Promise<ModerationCaseDetail['history']> {
  if (row.user_id === null) return null
  const person = await db
    .selectFrom('users')
    .select(['created_at', 'email_verified', 'muted_until', 'suspended_until', 'banned_at'])
    .where('id', '=', row.user_id)
    .executeTakeFirst()
  if (!person) return null
  const [counts, decisions] = await Promise.all([
    earlierCases(db, row.user_id, row.id, moderatorScope),
    decisionsAbout(db, row.user_id, moderatorScope),
  ])
  const accountStatus = {
    mutedUntil: later(person.muted_until, now),
    suspendedUntil: later(person.suspended_until, now),
    isBanned: person.banned_at !== null,
  }
  return {
    joinedAt: person.created_at.toISOString(),
    trust: trustOf({ createdAt: person.created_at, isEmailVerified: person.email_verified }, now),
    accountStatus: moderatorScope.actsFor === 'site' ? accountStatus : null,
    casesCount: counts.all_of_them,
    actedCount: counts.acted_on,
    decisions: await toDecisions(db, parts, actor, moderatorScope, decisions, now),
  }
}

const later = (end: Date | null, now: Date): string | null => (end !== null && end > now ? end.toISOString() : null)

const earlierCases = (db: Db, userId: string, exceptId: string, moderatorScope: ModeratorScope) =>
  db
    .selectFrom('moderation_cases')
    .select((eb) => [
      eb.fn.countAll<number>().as('all_of_them'),
      eb.fn
        .countAll<number>()
        .filterWhere((where) =>
          where.exists(
            where
              .selectFrom('moderation_actions')
              .select('moderation_actions.id')
              .whereRef('moderation_actions.case_id', '=', 'moderation_cases.id')
              .where('moderation_actions.action', 'not in', ['approve', 'dismiss'])
              .where('moderation_actions.undone_at', 'is', null),
          ),
        )
        .as('acted_on'),
    ])
    .where('moderation_cases.user_id', '=', userId)
    .where('moderation_cases.id', '<>', exceptId)
    .where('moderation_cases.status', '=', 'decided')
    .$if(moderatorScope.actsFor === 'community', (query) =>
      query
        .where('moderation_cases.community_id', '=', moderatorScope.actsFor === 'community' ? moderatorScope.communityId : '')
        .where('moderation_cases.is_for_site', '=', false),
    )
    .executeTakeFirstOrThrow()

/** Idempotent. @throws AppError not_found, second_factor_required, forbidden to claim a case about the actor or their business */
export async function assignCase(
  { db, clock }: Ctx,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  isMine: boolean,
): Promise<ModerationCase> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const row = await lockCase(tx, id)
    if (!row) throw notFound('Case not found.')
    const moderatorScope = await requireModeratorScope(tx, parts.communities, actor, row, now)
    const conflict = isMine ? conflictOfInterest((await rolesInCase(tx, parts, actor, moderatorScope, row)).concerned) : null
    if (conflict !== null) throw new AppError('forbidden', { message: conflict })
    const assigned = isMine ? actor.id : row.assigned_to === actor.id ? null : row.assigned_to
    if (row.status === 'decided' || assigned === row.assigned_to) return
    await tx.updateTable('moderation_cases').set({ assigned_to: assigned }).where('id', '=', id).execute()
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: isMine ? 'case.taken' : 'case.given_back',
      subjectType: 'moderation_case',
      subjectId: id,
    })
  })
  const row = await caseRow(db, id)
  const [answer] = row ? await toCases(db, parts.subjects, actor.id, [row], now) : []
  if (!answer) throw notFound('Case not found.')
  return answer
}

/**
 * Anyone who may view a case may see its media: site moderators, and community moderators unless the case is only for the site. Cases
 * identify their subjects in the same way as `media_uses`.
 */
export const mayReadCaseMedia =
  (communities: CommunityModeration): MayReadMediaOfCase =>
  async (db, actor, uses, now) => {
    const { rows: cases } = await sql<{ community_id: string | null; is_for_site: boolean }>`
      select community_id, is_for_site
      from json_to_recordset(${JSON.stringify(uses)}::json) as used (kind text, "subjectId" uuid)
      join moderation_cases on moderation_cases.subject = used.kind and moderation_cases.subject_id = used."subjectId"`.execute(db)
    if (cases.length > 0 && hasRole(actor, 'moderator')) return true
    for (const { community_id: communityId, is_for_site: isForSite } of cases) {
      if (communityId !== null && !isForSite && (await communities.moderates(db, actor, communityId, now))) return true
    }
    return false
  }

/**
 * The author's content that a filter holds for review, newest first. A page omits content that was deleted or no longer belongs to the
 * author.
 */
export async function listHeldContent(
  db: Db,
  subjects: Subjects,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<HeldContent>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('moderation_cases')
    .select(['id', 'subject', 'subject_id', 'findings', 'opened_at'])
    .where('user_id', '=', userId)
    .where('status', '=', 'open')
    .where('source', '=', 'filter')
    .$call((query) => newestAfter(query, 'opened_at', 'id', after))
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.opened_at.toISOString(), row.id])
  const facts = await findSubjects(db, subjects, items)
  const shown = items.filter((_, i) => facts[i]?.state === 'held' && facts[i].userId === userId)
  const previews = await previewSubjects(db, subjects, shown)
  return { items: shown.map((row, i) => toHeldContent(row, previews[i])), nextCursor }
}

type Row = { id: string; subject: HeldContent['subject']; findings: unknown; opened_at: Date }

const toHeldContent = (row: Row, preview: SubjectPreview | undefined): HeldContent => ({
  id: row.id,
  subject: row.subject,
  title: preview?.title ?? null,
  path: preview?.path ?? null,
  heldFor: (row.findings as HeldFinding[]).flatMap(({ says }) => says ?? []),
  since: row.opened_at.toISOString(),
})
