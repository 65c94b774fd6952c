import { type SqlBool, sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { report as reportContract } from '#contracts/moderation.endpoints.ts'
import * as contract from '#contracts/moderation.endpoints.ts'
import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { OwnReport, ReportSubject } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { openReportCase } from '#server/features/moderation/index.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { findSubject } from './reports.queries.ts'

export function registerReports(api: Api): void {
  route(api, contract.report, ({ ctx, actor, body }) => report(ctx, actor, body))
  route(api, contract.listOwnReports, ({ ctx, actor, query }) => listOwnReports(ctx.db, actor.id, query))
}

type Query = { limit: number; cursor?: string | undefined }

/** Newest first. Shows only whether action was taken; details are private to the reported person. */
async function listOwnReports(db: Db, reporterId: string, { limit, cursor }: Query): Promise<Page<OwnReport>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('reports')
    .select(['id', 'subject', 'reason', 'created_at', 'resolved_at'])
    .select(
      sql<boolean>`exists (select from moderation_actions where moderation_actions.case_id = reports.case_id
        and moderation_actions.action not in ('approve', 'dismiss') and moderation_actions.undone_at is null)`.as('was_acted_on'),
    )
    .where('reporter_id', '=', reporterId)
    .$if(after !== null, (query) => query.where(sql<SqlBool>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.id])
  return {
    nextCursor,
    items: items.map((row) => ({
      id: row.id,
      subject: row.subject,
      reason: row.reason as ReportReason,
      createdAt: row.created_at.toISOString(),
      decidedAt: row.resolved_at?.toISOString() ?? null,
      outcome: row.resolved_at === null ? 'waiting' : row.was_acted_on ? 'action_taken' : 'no_action',
    })),
  }
}

const ownSentences: Record<ReportSubject, string> = {
  post: 'This is your own post. You can delete it.',
  comment: 'This is your own comment. You can delete it.',
  review: 'This is your own review. You can delete it.',
  person: "You can't report yourself.",
  hunt: 'This is your own hunt. You can delete it.',
  hunt_comment: 'This is your own comment. You can delete it.',
  community: 'This is your own community.',
  message: 'You wrote this message yourself.',
  event: 'Your business published this event. You can cancel it.',
  gallery_item: 'Your business shows this photo. You can remove it.',
  product: "This is on your business's menu. You can change it.",
  business: "You run this business, so you can't report it.",
}

/** Reports something visible to the reporter that isn't their own. */
async function report(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  given: Parsed<(typeof reportContract)['body']>,
): Promise<void> {
  const now = clock.now()
  const found = await findSubject(db, viewerOf(actor, now), given.subject, given.subjectId, now)
  if (!found) throw notFound("This no longer exists or isn't visible to you.")
  if (found.is_own) throw new AppError('forbidden', { message: ownSentences[given.subject] })
  const { user_id: userId, community_id: communityId } = found
  await inTransaction(db, (tx) => openReportCase(tx, { ...given, reporterId: actor.id, userId, communityId, now }))
}
