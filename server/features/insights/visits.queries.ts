import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { VisitKind, VisitSource } from '#contracts/insights.ts'
import type { Db } from '#server/db/connect.ts'

export type Visit = {
  at: Date
  businessId: string
  kind: VisitKind
  source: VisitSource
  subjectId: string | null
  visitor: bigint
}

/** Milliseconds after which the same action by the same visitor counts again. */
export const repeatMs = 30 * 60_000

/** The business being visited; `isOwn`: the visitor belongs to its team or has blocked it. */
export const visitedBusiness = (db: Db, idOrSlug: string, userId: string | null) =>
  db
    .selectFrom('businesses')
    .select([
      'id',
      sql<boolean>`exists (select from business_members where business_id = businesses.id and user_id = ${userId}::uuid)`.as('isOwn'),
      sql<boolean>`exists (select from business_blocks where business_id = businesses.id and user_id = ${userId}::uuid)`.as('isBlocked'),
    ])
    .where(isUuid(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .executeTakeFirst()

/** Inserts a batch of visits. Skips repeats, also across processes, and subjects of another business. */
export async function addVisits(db: Db, visits: readonly Visit[]): Promise<void> {
  const earliest = Math.min(...visits.map(({ at }) => at.getTime()))
  await sql`
    insert into visit_events (at, business_id, kind, source, subject_id, visitor)
    select distinct on (business_id, kind, subject_id, visitor) at, business_id, kind, source, subject_id, visitor
    from unnest(
      ${visits.map(({ at }) => at.toISOString())}::timestamptz[],
      ${visits.map(({ businessId }) => businessId)}::uuid[],
      ${visits.map(({ kind }) => kind)}::text[],
      ${visits.map(({ source }) => source)}::text[],
      ${visits.map(({ subjectId }) => subjectId)}::uuid[],
      ${visits.map(({ visitor }) => visitor.toString())}::bigint[]) as fresh (at, business_id, kind, source, subject_id, visitor)
    where not exists (
        select from visit_events as earlier
        where earlier.visitor = fresh.visitor and earlier.business_id = fresh.business_id and earlier.kind = fresh.kind
          and earlier.subject_id is not distinct from fresh.subject_id
          and earlier.at > ${new Date(earliest - repeatMs)}::timestamptz and earlier.at > fresh.at - ${repeatMs / 1000} * interval '1 second')
      and (fresh.kind <> 'product'
        or exists (select from products where products.id = fresh.subject_id and products.business_id = fresh.business_id))
      and (fresh.kind <> 'post'
        or exists (select from posts where posts.id = fresh.subject_id and posts.business_id = fresh.business_id))
    order by business_id, kind, subject_id, visitor, at`.execute(db)
}
