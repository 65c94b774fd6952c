import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { addDays, type Day, readZones, zoneJoins, zoneOfRow } from './days.ts'

export type Audience = { followers: number; subscribers: number; saves: number }

const counts = sql`
  (select count(*) from business_follows where business_id = businesses.id)::integer as followers,
  (select count(*) from subscriptions where business_id = businesses.id)::integer as subscribers,
  (select count(*) from favorites where business_id = businesses.id)::integer as saves`

export async function audienceNow(db: Db, businessId: string): Promise<Audience> {
  const { rows } = await sql<Audience>`select ${counts} from businesses where id = ${businessId}::uuid`.execute(db)
  return rows[0] ?? { followers: 0, subscribers: 0, saves: 0 }
}

/** Counts at the end of a day, or of one of the six before if there is no record for it. */
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

/** Records today's counts of every business with a team; the last run of a day wins. */
export async function writeDownAudiences(db: Db, now: Date): Promise<void> {
  const zones = await readZones(db)
  await sql`
    insert into audience_days (business_id, day, followers, subscribers, saves)
    select businesses.id, (${now}::timestamptz at time zone ${zoneOfRow(zones)})::date, ${counts}
    from businesses ${zoneJoins(zones)}
    where exists (select from business_members where business_id = businesses.id)
    order by businesses.id
    on conflict (business_id, day) do update
      set followers = excluded.followers, subscribers = excluded.subscribers, saves = excluded.saves`.execute(db)
}

/** New ones per day that still exist. A follow implied by a subscription counts as the subscription. */
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
