import { sql } from 'kysely'
import type { getBestTimes as contract } from '#contracts/drafts.endpoints.ts'
import { minPeople } from '#contracts/drafts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { minReactions, reactionDays } from '#contracts/limits.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'

type BestTimes = ResponseOf<typeof contract>

/**
 * When other people liked or commented on a business's posts. To protect individuals, hours with fewer than five different
 * people are omitted.
 * @throws AppError not_found, forbidden about the business; invalid_input about the time zone
 */
export async function getBestTimes(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  wantedZone: string | undefined,
): Promise<BestTimes> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'posts')
  const timeZone = wantedZone ?? (await zoneOf(ctx.db, business.id)) ?? 'UTC'
  if (wantedZone !== undefined && !(await isZone(ctx.db, wantedZone))) throw invalidField('timeZone', 'Unknown time zone')
  const since = new Date(ctx.clock.now().getTime() - reactionDays * dayMs)
  const rows = await reactionHours(ctx.db, business.id, timeZone, since)
  const reactionCount = rows.reduce((sum, row) => sum + row.reactions, 0)
  const shown = reactionCount < minReactions ? [] : rows.filter(({ people }) => people >= minPeople)
  return {
    timeZone,
    reactionCount,
    hours: shown
      .map(({ weekday, hour, reactions }) => ({ weekday, hour, reactionCount: reactions }))
      .sort((a, b) => b.reactionCount - a.reactionCount || a.weekday - b.weekday || a.hour - b.hour),
  }
}

/** Checks with PostgreSQL, which does the arithmetic. */
async function isZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}

/** The main location has the ID of its business. */
async function zoneOf(db: Db, businessId: string): Promise<string | null> {
  const location = await db.selectFrom('locations').select('time_zone').where('id', '=', businessId).executeTakeFirst()
  // Browsers know some names, such as AET, that PostgreSQL does not.
  return location && (await isZone(db, location.time_zone)) ? location.time_zone : null
}

async function reactionHours(db: Db, businessId: string, timeZone: string, since: Date) {
  const { rows } = await sql<{ weekday: number; hour: number; reactions: number; people: number }>`
    with reactions as (
      select post_likes.user_id, post_likes.created_at
      from posts join post_likes on post_likes.post_id = posts.id
      where posts.business_id = ${businessId}::uuid and post_likes.created_at >= ${since}::timestamptz
      union all
      select comments.author_id, comments.created_at
      from posts join comments on comments.post_id = posts.id
      where posts.business_id = ${businessId}::uuid and comments.created_at >= ${since}::timestamptz and not comments.is_deleted
        and comments.moderation is null
    )
    select extract(isodow from created_at at time zone ${timeZone})::int - 1 as weekday,
      extract(hour from created_at at time zone ${timeZone})::int as hour,
      count(*)::int as reactions,
      count(distinct user_id)::int as people
    from reactions
    where not exists (
      select from business_members m where m.business_id = ${businessId}::uuid and m.user_id = reactions.user_id)
    group by 1, 2`.execute(db)
  return rows
}
