import { type RawBuilder, sql } from 'kysely'
import { figure } from '#contracts/fields.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'

type Engagement = 'like' | 'comment' | 'follow' | 'favorite' | 'review'

/**
 * Weight of each action when it happens. Actions that take more effort weigh more. By design, subscriptions and the follows they imply
 * don't count: they may cost money, and money must not buy rank. No plan, badge or payment counts either.
 */
export const trendWeights: Record<Engagement, number> = { like: 1, favorite: 2, follow: 3, comment: 3, review: 5 }

/** Days until an action counts half as much. After `windowDays`, it doesn't count. */
export const halfLifeDays = 3
export const windowDays = 14

/** More than the three shown, because viewers don't see businesses they have blocked. */
const maxTrends = 100

/** Trends stored for each map cell (about 35 miles from north to south) in addition to the overall list, for people nearby. */
const maxTrendsOfCell = 10
const cellDegrees = 0.5

/** Older trends are hidden because their "this week" would be wrong. */
export const staleAfterHours = 24

/** Texts count people: a person follows, favorites and reviews a business once, but may like and comment on many of its posts. */
const engagementTexts: Record<Engagement, [one: string, many: string]> = {
  like: ['person liked its posts', 'people liked its posts'],
  comment: ['person commented on its posts', 'people commented on its posts'],
  follow: ['new follower', 'new followers'],
  favorite: ['new favorite', 'new favorites'],
  review: ['new review', 'new reviews'],
}

export function trendReason(kind: Engagement, counts: { thisWeek: number; inWindow: number }): string {
  const count = counts.thisWeek || counts.inWindow
  const [one, many] = engagementTexts[kind]
  return `${figure(count)} ${count === 1 ? one : many} ${counts.thisWeek > 0 ? 'this week' : 'in the last two weeks'}`
}

type Trend = { business_id: string; score: number; kind: Engagement; this_week: number; in_window: number }

const weightOf = sql.join(
  Object.entries(trendWeights).map(([kind, weight]) => sql`when ${sql.lit(kind)} then ${sql.lit(weight)}`),
  sql` `,
)

/**
 * The businesses with the most engagement in the last two weeks, overall and in each map cell, best first. Each kind of engagement counts
 * once per person and business, at its latest time, so that no single person can move a business up. Team members and banned people don't
 * count. Each table is read from its time index, so the cost depends only on the last two weeks.
 */
export const trendsQuery = (now: Date): RawBuilder<Trend> => sql<Trend>`
  with engagement (kind, business_id, user_id, at) as (
    select 'like', posts.business_id, post_likes.user_id, post_likes.created_at
      from post_likes join posts on posts.id = post_likes.post_id
      where post_likes.created_at > ${since(now, windowDays)} and posts.business_id is not null and posts.moderation is null
    union all
    select 'comment', posts.business_id, comments.author_id, comments.created_at
      from comments join posts on posts.id = comments.post_id
      where comments.created_at > ${since(now, windowDays)} and posts.business_id is not null and posts.moderation is null
        and not comments.is_deleted and comments.moderation is null
    union all
    select 'follow', business_id, user_id, created_at from business_follows
      where created_at > ${since(now, windowDays)} and not is_implied
    union all
    select 'favorite', business_id, user_id, created_at from favorites where created_at > ${since(now, windowDays)}
    union all
    select 'review', business_id, user_id, created_at from reviews
      where created_at > ${since(now, windowDays)} and moderation is null
  ),
  people as (
    select kind, business_id, user_id, max(at) as at
    from engagement
    where not exists (
      select from business_members
      where business_members.business_id = engagement.business_id and business_members.user_id = engagement.user_id)
      and not exists (select from users where users.id = engagement.user_id and users.banned_at is not null)
    group by kind, business_id, user_id
  ),
  kinds as (
    select business_id, kind, count(*) filter (where at > ${since(now, 7)})::integer as this_week, count(*)::integer as in_window, (case kind ${weightOf} end) * sum(
      power(0.5, greatest(extract(epoch from ${now}::timestamptz - at), 0) / ${sql.lit(halfLifeDays * 86_400)}::double precision)) as score
    from people group by business_id, kind
  ),
  totals as (
    select business_id, sum(score)::double precision as score, (array_agg(kind order by score desc, kind))[1] as kind
    from kinds group by business_id
  ),
  placed as (
    select totals.*, row_number() over (order by score desc, business_id desc) as place, row_number() over (
      partition by floor(pin_latitude / ${sql.lit(cellDegrees)}), floor(pin_longitude / ${sql.lit(cellDegrees)})
      order by score desc, business_id desc) as place_in_cell
    from totals join businesses on businesses.id = business_id
  ),
  best as (
    select business_id, score, kind from placed where place <= ${sql.lit(maxTrends)} or place_in_cell <= ${sql.lit(maxTrendsOfCell)}
  )
  select business_id, best.score, kind, kinds.this_week, kinds.in_window
  from best join kinds using (business_id, kind)
  order by best.score desc, business_id desc`

const since = (now: Date, days: number) => sql<Date>`${new Date(now.getTime() - days * dayMs)}::timestamptz`

/** Skips businesses deleted in the meantime. */
async function replaceTrends(tx: Tx, trends: { businessId: string; score: number; reason: string }[], now: Date): Promise<void> {
  await sql`
    insert into business_trends (business_id, score, reason, computed_at)
    select business_id, score, reason, ${now}::timestamptz
    from unnest(
      ${trends.map((trend) => trend.businessId)}::uuid[],
      ${trends.map((trend) => trend.score)}::double precision[],
      ${trends.map((trend) => trend.reason)}::text[]) as trend (business_id, score, reason)
    where exists (select from businesses where businesses.id = trend.business_id)
    order by business_id
    on conflict (business_id) do update
      set score = excluded.score, reason = excluded.reason, computed_at = excluded.computed_at`.execute(tx)
  await tx.deleteFrom('business_trends').where('computed_at', '<>', now).execute()
}

export const trendRows = (db: Db, isShown: RawBuilder<boolean>, computedAfter: Date, limit: number) =>
  db
    .selectFrom('business_trends')
    .innerJoin('businesses', 'businesses.id', 'business_trends.business_id')
    .select(['business_id', 'reason'])
    .where('computed_at', '>', computedAfter)
    .where('businesses.moderation', 'is', null)
    .where('businesses.closure', 'is', null)
    .where(isShown)
    .orderBy('score', 'desc')
    .orderBy('business_id', 'desc')
    .limit(limit)
    .execute()

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'home.compute-trends': Record<string, never>
  }
}

type Ctx = Pick<Context, 'db' | 'clock'>

export const homeJobs = (ctx: Ctx): Pick<JobHandlers, 'home.compute-trends'> => ({
  'home.compute-trends': () => computeTrends(ctx),
})

export const homeSchedules: readonly JobSchedule[] = [{ name: 'home.compute-trends', cron: '*/15 * * * *', data: {} }]

/** Reading two weeks of a large site takes longer than other statements may. */
const timeoutMs = 300_000

/** Ended follows that no longer count are deleted even if the trends fail. */
export async function computeTrends({ db, clock }: Ctx): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('ended_follows').where('ended_at', '<=', since(now, windowDays)).execute()
  const { rows } = await inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${`${timeoutMs}`}, true), set_config('work_mem', '64MB', true)`.execute(tx)
    return trendsQuery(now).execute(tx)
  })
  const trends = rows.map((row) => ({
    businessId: row.business_id,
    score: row.score,
    reason: trendReason(row.kind, { thisWeek: row.this_week, inWindow: row.in_window }),
  }))
  await inTransaction(db, (tx) => replaceTrends(tx, trends, now))
}
