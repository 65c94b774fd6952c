import { type SqlBool, sql } from 'kysely'
import type { OwnReport, ReportReason } from '../../../contracts/reports.ts'
import type { Db } from '../../db/connect.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'

type Query = { limit: number; cursor?: string | undefined }

/** Newest first. Whether something was done, never what, to whom or by whom: that is theirs whom it concerns. */
export async function listOwnReports(db: Db, reporterId: string, { limit, cursor }: Query): Promise<Page<OwnReport>> {
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
