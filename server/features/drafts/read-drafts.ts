import { sql } from 'kysely'
import type { listDrafts as contract, getBestTimes as timesContract } from '#contracts/drafts.endpoints.ts'
import type { Draft } from '#contracts/drafts.ts'
import { minPeople } from '#contracts/drafts.ts'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { minReactions, reactionDays } from '#contracts/limits.ts'
import type { Media } from '#contracts/media.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { type Authorized, asAuthorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type DraftRow, draftKeys, draftRows, requireDraft } from './drafts.queries.ts'

/** Where people find the drafts of a business, or their own. */
export const draftsPath = (businessSlug: string | null): string =>
  businessSlug === null ? '/create-post' : `/business-dashboard?tab=social&business=${businessSlug}`

/** @throws AppError not_found */
export async function loadDraft(db: Db, actor: Pick<Actor, 'id'>, draftId: string): Promise<Draft> {
  const { id } = await requireDraft(db, actor.id, draftId, { lock: false })
  return readDraft(db, id)
}

/** @throws AppError not_found */
export async function readDraft(db: Db, draftId: Authorized<'post_drafts'>): Promise<Draft> {
  const [draft] = await readDrafts(db, [draftId])
  if (!draft) throw notFound('Draft not found.')
  return draft
}

/** In the order of the IDs. */
async function readDrafts(db: Db, ids: readonly Authorized<'post_drafts'>[]): Promise<Draft[]> {
  if (ids.length === 0) return []
  const rows = new Map((await draftRows(db, ids)).map((row) => [row.draft_id, row]))
  const media = await mediaOf(
    db,
    [...rows.values()].flatMap((row) => row.media_ids),
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toDraft(row, media)] : []
  })
}

const toDraft = (row: DraftRow, media: ReadonlyMap<string, Media>): Draft => ({
  id: row.draft_id,
  businessId: row.business_id,
  author: toPerson(row),
  title: row.title,
  content: row.content,
  postType: row.post_type,
  isExclusive: row.is_exclusive,
  media: row.media_ids.flatMap((id) => media.get(id) ?? []),
  imageUrl: row.source_image_url ?? '',
  place: row.place,
  tags: row.tags,
  mentions: row.mentions as Draft['mentions'],
  status: row.status,
  publishAt: row.publish_at?.toISOString() ?? null,
  error: row.error,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

type Query = Parsed<(typeof contract)['query']>

/** @throws AppError not_found or forbidden about the business, invalid_input about the cursor */
export async function listDrafts(db: Db, actor: Actor, { business, status, limit, cursor }: Query): Promise<Page<Draft>> {
  const owner = business === undefined ? { personId: actor.id } : { businessId: (await requirePermission(db, actor, business, 'posts')).id }
  const after = decodeCursor(cursor, ['id'])
  const keys = await draftKeys(db, owner, { status, afterId: after?.[0] ?? null, limit: limit + 1 })
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  const ids = items.map(({ id }) => asAuthorized('post_drafts', id))
  return { items: await readDrafts(db, ids), nextCursor }
}

type BestTimes = ResponseOf<typeof timesContract>

/**
 * Shows when people outside the team liked or commented on a business's posts. To protect individuals, hours with fewer than five different
 * people are omitted, and all hours if there are too few reactions in total.
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

/** Checks with PostgreSQL, because it computes the hours. */
async function isZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}

/** The main location has the ID of its business. */
async function zoneOf(db: Db, businessId: string): Promise<string | null> {
  const location = await db.selectFrom('locations').select('time_zone').where('id', '=', businessId).executeTakeFirst()
  // Browsers accept some names, such as AET, that PostgreSQL does not.
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
