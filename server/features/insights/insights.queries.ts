import { sql } from 'kysely'
import type { VisitKind } from '#contracts/insights.endpoints.ts'
import { smallestGroup } from '#contracts/limits.ts'
import { addDays } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { type Day, readZones, stepsBetween, zoneJoins, zoneOfRow } from './days.ts'
import type { Counted, Group } from './published.ts'

export async function countedDays(db: Db, businessId: string, from: Day, to: Day): Promise<Map<VisitKind, Counted[]>> {
  const rows = await db
    .selectFrom('visit_days')
    .select(['kind', 'day', 'visits', 'visitors'])
    .where('business_id', '=', businessId)
    .where('part', '=', 'all')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
  return Map.groupBy(rows, (row) => row.kind)
}

export const lastCount = (db: Db) => db.selectFrom('visit_rollup').select(['open_from', 'counted_at']).executeTakeFirstOrThrow()

/**
 * The parts of a total over periods, largest first; the remainder has the key ''. A part needs five known visitors in a period to be shown.
 * So does the remainder, for which each day counts only its largest small part, because a visitor can be in several. If the remainder has
 * fewer, the smallest part that could be shown joins it.
 */
export async function partsOf(
  db: Db,
  businessId: string,
  part: 'source' | 'subject',
  kind: VisitKind,
  stretches: readonly Group[],
  limit: number,
): Promise<{ key: string; visits: number }[]> {
  if (stretches.length === 0) return []
  const days = stretches.flatMap(({ first, last }, n) =>
    stepsBetween(first, last, 'day').map((day) => ({ day, n, isWhole: first === last })),
  )
  const { rows } = await sql<{ key: string; visits: number }>`
    with cell as materialized (
      select stretch.n, stretch.is_whole, visit_days.key, visit_days.day, visit_days.visits, visit_days.visitors
      from unnest(
          ${days.map(({ day }) => day)}::date[], ${days.map(({ n }) => n)}::integer[], ${days.map(({ isWhole }) => isWhole)}::boolean[]
        ) as stretch (day, n, is_whole)
        join visit_days on visit_days.business_id = ${businessId}::uuid and visit_days.part = ${part}
          and visit_days.day = stretch.day and visit_days.kind = ${kind}
    ),
    -- A one-day stretch, the usual case for a busy business, needs no aggregation. No joins from here on, because PostgreSQL can't
    -- estimate the number of rows per stretch and assumes one.
    whole as materialized (
      select n, key, day, visits, visitors, visitors::bigint as people from cell where is_whole
      union all
      select n, key, day, visits, visitors, sum(visitors) over (partition by n, key) from cell where not is_whole
    ),
    unsafe as (
      select n from (select n, day, max(visitors) as visitors from whole where people < ${smallestGroup} group by n, day) as small
      group by n having sum(visitors) < ${smallestGroup}
    ),
    joining as (
      select distinct on (n) n, key from whole
      where people >= ${smallestGroup} and n = any (array(select n from unsafe))
      order by n, people, key
    ),
    told as materialized (
      select key, visits from whole where people >= ${smallestGroup} and (n, key) not in (select n, key from joining)
    )
    (select key, sum(visits)::integer as visits from told group by key order by visits desc, key limit ${limit})
    union all
    select '', ((select coalesce(sum(visits), 0) from cell) - (select coalesce(sum(visits), 0) from told))::integer
    order by visits desc, key`.execute(db)
  return rows.filter(({ visits }) => visits > 0)
}

export const postTitles = (db: Db, businessId: string, ids: readonly string[]) =>
  db
    .selectFrom('posts')
    .select(['id', 'title as name'])
    .where('business_id', '=', businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

export const productNames = (db: Db, businessId: string, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('business_id', '=', businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

export type Audience = { followers: number; subscribers: number; saves: number }

const counts = sql`
  (select count(*) from business_follows where business_id = businesses.id)::integer as followers,
  (select count(*) from subscriptions where business_id = businesses.id)::integer as subscribers,
  (select count(*) from favorites where business_id = businesses.id)::integer as saves`

export async function audienceNow(db: Db, businessId: string): Promise<Audience> {
  const { rows } = await sql<Audience>`select ${counts} from businesses where id = ${businessId}::uuid`.execute(db)
  return rows[0] ?? { followers: 0, subscribers: 0, saves: 0 }
}

/** The latest counts recorded on this day or in the six days before. */
export const audienceOn = (db: Db, businessId: string, day: Day): Promise<Audience | undefined> =>
  db
    .selectFrom('audience_days')
    .select(['followers', 'subscribers', 'saves'])
    .where('business_id', '=', businessId)
    .where('day', '<=', day)
    .where('day', '>', addDays(day, -7))
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()

const audiencesAtOnce = 100

/** The last run of a day wins, so it is safe to repeat. Skips businesses without a team. */
export async function recordAudiences(db: Db, now: Date, atOnce = audiencesAtOnce): Promise<void> {
  const zones = await readZones(db)
  for (let after: string | undefined; ; ) {
    const ids = idsOf(await teamsAfter(db, after, atOnce))
    await sql`
      insert into audience_days (business_id, day, followers, subscribers, saves)
      select businesses.id, (${now}::timestamptz at time zone ${zoneOfRow(zones)})::date, ${counts}
      from businesses ${zoneJoins(zones)}
      where businesses.id = ${pageIds(ids)}
      order by businesses.id
      on conflict (business_id, day) do update
        set followers = excluded.followers, subscribers = excluded.subscribers, saves = excluded.saves`.execute(db)
    if (ids.length < atOnce) return
    after = ids.at(-1)
  }
}

const teamsAfter = (db: Db, id: string | undefined, limit: number) =>
  db
    .selectFrom('business_members')
    .select('business_id as id')
    .distinct()
    .$if(id !== undefined, (query) => query.where('business_id', '>', id as string))
    .orderBy('business_id')
    .limit(limit)
    .execute()

/**
 * New follows, favorites and subscriptions per day, without those undone since. A follow implied by a subscription counts as the
 * subscription.
 */
export async function newByDay(db: Db, businessId: string, timeZone: string, from: Day, to: Day) {
  const day = sql`(created_at at time zone ${timeZone})::date`
  const of = (metric: 'follow' | 'save' | 'subscribe', table: string, only = sql``) => sql`
    select ${sql.lit(metric)}::text as metric, ${day} as day, count(*)::integer as count from ${sql.table(table)}
    where business_id = ${businessId}::uuid ${only}
      and created_at >= (${from}::date)::timestamp at time zone ${timeZone} and created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
    group by 2`
  const { rows } = await sql<{ metric: 'follow' | 'save' | 'subscribe'; day: Day; count: number }>`
    ${of('follow', 'business_follows', sql`and not is_implied`)}
    union all ${of('save', 'favorites')}
    union all ${of('subscribe', 'subscriptions')}
    order by metric, day`.execute(db)
  return rows
}
