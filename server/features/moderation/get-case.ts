import type { ModerationCase, ModerationCaseDetail } from '../../../contracts/moderation.ts'
import type { ReportReason } from '../../../contracts/reports.ts'
import { trustOf } from '../../../contracts/trust.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { mediaOf } from '../media/index.ts'
import { type CaseRow, caseRow, lockCase, reportsOf } from './cases.queries.ts'
import { toCases } from './cases.view.ts'
import { deedsAbout, deedsOfCase, toDeeds } from './deeds.ts'
import { possibleActions } from './may-act.ts'
import { named, peopleById } from './people.ts'
import type { ModerationParts } from './ports.ts'
import { requireSeat, type Seat } from './seats.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** A look at somebody's message is noted, with whose case it was. @throws AppError not_found, second_factor_required */
export async function getCase({ db, clock }: Ctx, parts: ModerationParts, actor: Actor, id: string): Promise<ModerationCaseDetail> {
  const now = clock.now()
  const row = await caseRow(db, id)
  if (!row) throw notFound('There is no such case.')
  const seat = await requireSeat(db, parts.communities, actor, row, now)
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
  const [[base], previews, reports, deeds, history, possible] = await Promise.all([
    toCases(db, parts.subjects, actor.id, [row], now),
    subject.preview(db, [row.subject_id]),
    reportsOf(db, id),
    deedsOfCase(db, id),
    historyOf(db, actor, seat, row, now),
    possibleActions(db, parts, actor, seat, row),
  ])
  const preview = previews.get(row.subject_id)
  const reporters =
    seat.actsFor === 'site'
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
    context: preview?.context ?? [],
    reports: reports.map((report) => ({
      id: report.id,
      reason: report.reason as ReportReason,
      details: report.details,
      createdAt: report.created_at.toISOString(),
      reporter: named(reporters, report.reporter_id),
    })),
    deeds: await toDeeds(db, actor.id, seat, deeds),
    history,
    actsFor: seat.actsFor,
    ...possible,
  }
}

async function historyOf(db: Db, actor: Actor, seat: Seat, row: CaseRow, now: Date): Promise<ModerationCaseDetail['history']> {
  if (row.user_id === null) return null
  const person = await db
    .selectFrom('users')
    .select(['created_at', 'email_verified', 'muted_until', 'suspended_until', 'banned_at'])
    .where('id', '=', row.user_id)
    .executeTakeFirst()
  if (!person) return null
  const [counts, deeds] = await Promise.all([earlierCases(db, row.user_id, row.id, seat), deedsAbout(db, row.user_id, seat)])
  const standing = {
    mutedUntil: later(person.muted_until, now),
    suspendedUntil: later(person.suspended_until, now),
    isBanned: person.banned_at !== null,
  }
  return {
    joinedAt: person.created_at.toISOString(),
    trust: trustOf({ createdAt: person.created_at, isEmailVerified: person.email_verified }, now),
    standing: seat.actsFor === 'site' ? standing : null,
    casesCount: counts.all_of_them,
    actedCount: counts.acted_on,
    deeds: await toDeeds(db, actor.id, seat, deeds),
  }
}

const later = (end: Date | null, now: Date): string | null => (end !== null && end > now ? end.toISOString() : null)

const earlierCases = (db: Db, userId: string, exceptId: string, seat: Seat) =>
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
    .$if(seat.actsFor === 'community', (query) =>
      query
        .where('moderation_cases.community_id', '=', seat.actsFor === 'community' ? seat.communityId : '')
        .where('moderation_cases.is_for_site', '=', false),
    )
    .executeTakeFirstOrThrow()

/** Takes a case or gives it back; what is so already stays. @throws AppError not_found, second_factor_required */
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
    if (!row) throw notFound('There is no such case.')
    await requireSeat(tx, parts.communities, actor, row, now)
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
  if (!answer) throw notFound('There is no such case.')
  return answer
}
