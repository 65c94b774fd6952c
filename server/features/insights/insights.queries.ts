import { sql } from 'kysely'
import { smallestGroup, type VisitKind } from '#contracts/insights.ts'
import type { Db } from '#server/db/connect.ts'
import { type Day, stepsBetween } from './days.ts'
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
 * The parts of a total over stretches of days, largest first, with the remainder under the key ''.
 *
 * A part is shown for a stretch if it has at least five known visitors. So must the remainder: because a visitor can be in
 * several parts, only the largest part of each day counts toward it. If that is too little, the smallest part that could be
 * shown joins the remainder.
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
