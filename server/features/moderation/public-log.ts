import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LoggedDecision, ModerationCounts } from '#contracts/moderation.endpoints.ts'
import { explainedActions, type ReportReason } from '#contracts/moderation.rules.ts'
import type { ActionReason, ModerationAction, ModerationLoad } from '#contracts/moderation.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { inQueueOf, isReported } from './cases.ts'
import { peopleById } from './decisions.ts'
import { requireModeratorScopeFor } from './may-act.ts'
import type { CommunityModeration } from './subjects.ts'

/** Newest first: what was done, when, why and for how long. Omits people and IDs, and names only public communities. */
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
      'moderation_actions.community_id',
      'moderation_appeals.outcome',
      'communities.slug',
      'communities.name',
    ])
    .where(sql<SqlBool>`moderation_actions.action = any(${explainedActions}::text[])`)
    .$call((query) => newestAfter(query, 'moderation_actions.created_at', 'moderation_actions.id', after))
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
      isForSite: row.community_id === null,
      community: row.slug === null || row.name === null ? null : { slug: row.slug, name: row.name },
    })),
  }
}

export async function countLog(db: Db, days: number, now: Date): Promise<ModerationCounts> {
  const since = new Date(now.getTime() - days * dayMs)
  const [reports, held, actions, appeals, hours] = await Promise.all([
    sql<{ reason: string; count: number }>`
      select reason, count(*)::integer as count
      from (select reason, created_at from reports union all select reason, created_at from earlier_reports) filed
      where created_at >= ${since} group by reason`.execute(db),
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
    reports: reports.rows.reduce((sum, { count }) => sum + count, 0),
    reportsByReason: mostCommon(reports.rows.map(({ reason, count }) => ({ reason: reason as ReportReason, count }))),
    held: held.count,
    actions: mostCommon(actions.map(({ action, count }) => ({ action: action as ModerationAction, count }))),
    appeals: appeals.count,
    overturned: appeals.overturned,
    medianHours: hours,
  }
}

const days = 30

export async function getLoad(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  communities: CommunityModeration,
  actor: Actor,
  scope: string,
): Promise<ModerationLoad> {
  const now = clock.now()
  const moderatorScope = await requireModeratorScopeFor(db, communities, actor, scope, now)
  const inQueue = inQueueOf(moderatorScope, now)
  const since = new Date(now.getTime() - days * dayMs)
  const [waiting, hours, shares] = await Promise.all([
    sql<{ open: number; reported: number; held: number; overdue: number; oldest: Date | null }>`
      select count(*)::integer as open, (count(*) filter (where ${isReported}))::integer as reported,
        (count(*) filter (where source = 'filter'))::integer as held,
        (count(*) filter (where due_at < ${now}))::integer as overdue, min(opened_at) as oldest
      from moderation_cases where status = 'open' and ${inQueue}`.execute(db),
    medianHours(db, since, inQueue),
    sql<{ id: string; assigned: number; decided: number }>`
      select id, sum(assigned)::integer as assigned, sum(decided)::integer as decided from (
        select assigned_to as id, 1 as assigned, 0 as decided from moderation_cases
          where status = 'open' and assigned_to is not null and ${inQueue}
        union all
        select decided_by, 0, 1 from moderation_cases
          where status = 'decided' and decided_by is not null and decided_at >= ${since} and ${inQueue}
      ) as shares group by id order by assigned desc, decided desc, id limit 50`.execute(db),
  ])
  const people = await peopleById(db, idsOf(shares.rows))
  const [counted] = waiting.rows
  return {
    open: counted?.open ?? 0,
    reported: counted?.reported ?? 0,
    held: counted?.held ?? 0,
    overdue: counted?.overdue ?? 0,
    oldestAt: counted?.oldest?.toISOString() ?? null,
    medianHours: hours,
    moderators: shares.rows.map(({ id, assigned, decided }) => ({ id, name: people.get(id)?.name ?? '', assigned, decided })),
  }
}

/** With fewer decisions, their median doesn't predict the next one. */
const minDecisions = 5
const maxDecisions = 500

/** How long held content usually waits: the median of the latest decisions within 30 days. */
export async function getReviewTime({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<{ medianHours: number | null }> {
  const since = new Date(clock.now().getTime() - days * dayMs)
  const { rows } = await sql<{ decided: number; hours: number | null }>`
    select count(*)::integer as decided,
      percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at)) / 3600 as hours
    from (
      select decided_at, opened_at from moderation_cases
      where status = 'decided' and source = 'filter' and decided_at >= ${since}
      order by decided_at desc limit ${maxDecisions}) as latest`.execute(db)
  const { decided = 0, hours = null } = rows[0] ?? {}
  return { medianHours: hours === null || decided < minDecisions ? null : Math.round(hours * 10) / 10 }
}

/** Median hours from opening to decision for cases decided since this time, rounded to a tenth. Null if there were none. */
async function medianHours(db: Db, since: Date, which: RawBuilder<SqlBool>): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at)) / 3600 as hours
    from moderation_cases where status = 'decided' and decided_at >= ${since} and ${which}`.execute(db)
  const hours = rows[0]?.hours ?? null
  return hours === null ? null : Math.round(hours * 10) / 10
}
