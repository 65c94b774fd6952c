import { type SqlBool, sql } from 'kysely'
import { type ActionReason, explainedActions, type ModerationAction } from '#contracts/moderation.ts'
import type { LoggedDecision, ModerationCounts } from '#contracts/moderation-log.ts'
import type { ReportReason } from '#contracts/report-reasons.ts'
import type { Db } from '#server/db/connect.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { medianHours } from './load.ts'

const dayMs = 86_400_000

/**
 * Moderation actions, newest first: when, what, why and for how long. Names and ids are omitted, and only public communities are
 * included.
 */
export async function listLog(db: Db, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<Page<LoggedDecision>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('moderation_actions')
    .leftJoin('communities', (join) =>
      join
        .onRef('communities.id', '=', 'moderation_actions.community_id')
        .on('communities.visibility', '=', 'public')
        .on('communities.moderation', 'is', null),
    )
    .leftJoin('moderation_appeals', 'moderation_appeals.action_id', 'moderation_actions.id')
    .select([
      'moderation_actions.id',
      'moderation_actions.action',
      'moderation_actions.subject',
      'moderation_actions.reason',
      'moderation_actions.created_at',
      'moderation_actions.ends_at',
      'moderation_actions.undone_at',
      'moderation_appeals.outcome',
      'communities.slug',
      'communities.name',
    ])
    .where(sql<SqlBool>`moderation_actions.action = any(${explainedActions}::text[])`)
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(moderation_actions.created_at, moderation_actions.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('moderation_actions.created_at', 'desc')
    .orderBy('moderation_actions.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.id])
  return {
    nextCursor,
    items: items.map((row) => ({
      at: row.created_at.toISOString(),
      action: row.action,
      subject: row.subject,
      reason: row.reason as ActionReason,
      days: row.ends_at === null ? null : Math.round((row.ends_at.getTime() - row.created_at.getTime()) / dayMs),
      outcome: row.outcome === 'overturned' ? ('overturned' as const) : row.undone_at === null ? ('stands' as const) : ('undone' as const),
      community: row.slug === null || row.name === null ? null : { slug: row.slug, name: row.name },
    })),
  }
}

export async function countLog(db: Db, days: number, now: Date): Promise<ModerationCounts> {
  const since = new Date(now.getTime() - days * dayMs)
  const [reports, held, actions, appeals, hours] = await Promise.all([
    db
      .selectFrom('reports')
      .select((eb) => ['reason', eb.fn.countAll<number>().as('count')])
      .where('created_at', '>=', since)
      .groupBy('reason')
      .execute(),
    db
      .selectFrom('moderation_cases')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('source', '=', 'filter')
      .where('opened_at', '>=', since)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('moderation_actions')
      .select((eb) => ['action', eb.fn.countAll<number>().as('count')])
      .where('created_at', '>=', since)
      .groupBy('action')
      .execute(),
    db
      .selectFrom('moderation_appeals')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.countAll<number>().filterWhere('outcome', '=', 'overturned').as('overturned'),
      ])
      .where('created_at', '>=', since)
      .executeTakeFirstOrThrow(),
    medianHours(db, since, sql<SqlBool>`true`),
  ])
  const mostCommon = <Row extends { count: number }>(rows: Row[]) => rows.sort((a, b) => b.count - a.count)
  return {
    days,
    reports: reports.reduce((sum, { count }) => sum + count, 0),
    reportsByReason: mostCommon(reports.map(({ reason, count }) => ({ reason: reason as ReportReason, count }))),
    held: held.count,
    actions: mostCommon(actions.map(({ action, count }) => ({ action: action as ModerationAction, count }))),
    appeals: appeals.count,
    overturned: appeals.overturned,
    medianHours: hours,
  }
}
