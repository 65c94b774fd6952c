import { sql } from 'kysely'
import type { listCommunityPosts as contract } from '#contracts/community-posts.endpoints.ts'
import type { CommunityPost, TrendingTag } from '#contracts/community-posts.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { dayMs } from '#contracts/time.ts'
import { readsCommunity, requireCommunity } from '#server/features/communities/index.ts'
import { decayed, loadPosts, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { memberPostKeys, type PostKey, pinnedKeys, postKeys } from './community-posts.queries.ts'
import { toCommunityPost } from './read-community-post.ts'
import { maxPins } from './write-community-posts.ts'

type Query = Parsed<(typeof contract)['query']>

/**
 * Posts of a community, or of all communities the person is in, newest first.
 * @throws AppError not_found if the viewer can't see the community, forbidden if they can see it but not read it
 */
export async function listCommunityPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { communityId, type, tag, pinned, limit, cursor }: Query,
): Promise<Page<CommunityPost>> {
  const now = clock.now()
  const selection = { type, tag, after: decodeCursor(cursor, ['time', 'id']), limit: limit + 1 }
  const show = async (keys: readonly PostKey[]) =>
    (
      await loadPosts(
        db,
        viewerOf(actor, now),
        keys.map(({ id }) => id),
      )
    ).flatMap((post) => toCommunityPost(post) ?? [])

  if (communityId === undefined) {
    if (pinned) throw invalidField('pinned', 'Only with a community')
    const { items, nextCursor } = toPage(await memberPostKeys(db, actor.id, selection, now), limit, keyOf)
    return { items: await show(items), nextCursor }
  }
  await requireCommunity(db, actor, communityId, 'read', now)
  if (pinned) return { items: await show(await pinnedKeys(db, actor.id, communityId, maxPins)), nextCursor: null }
  const { items, nextCursor } = toPage(await postKeys(db, actor.id, communityId, selection), limit, keyOf)
  return { items: await show(items), nextCursor }
}

const keyOf = (row: PostKey) => [row.created_at.toISOString(), row.id] as const

const maxTags = 10
/** A tag used only once, four weeks ago, is no longer trending. */
const staleDays = 28

/** Tags trending in a community. @throws AppError not_found, forbidden if the viewer may see the community but not read it */
export async function listTags({ db, clock }: Ctx, actor: Actor, communityId: string): Promise<TrendingTag[]> {
  const now = clock.now()
  await requireCommunity(db, actor, communityId, 'read', now)
  const { rows } = await sql<TrendingTag>`
    select tag, ${decayed(now)} as score from community_tags
    where community_id = ${communityId}::uuid and scored_at > ${daysBefore(now)}::timestamptz
    order by score desc, tag limit ${maxTags}`.execute(db)
  return rows
}

/** Tags trending in the person's own communities and in public ones. Tags of other communities never leak. */
export async function listTrendingTags({ db, clock }: Ctx, actor: Actor): Promise<TrendingTag[]> {
  const now = clock.now()
  const { rows } = await sql<TrendingTag>`
    with readable as materialized (
      select communities.id from communities where ${readsCommunity(sql`${actor.id}::uuid`, sql`communities.id`, sql<Date>`${now}::timestamptz`)})
    select tag, sum(${decayed(now)}) as score
    from community_tags
    where scored_at > ${daysBefore(now)}::timestamptz and community_id in (select id from readable)
    group by tag order by score desc, tag limit ${maxTags}`.execute(db)
  return rows
}

type Ctx = Pick<Context, 'db' | 'clock'>

const daysBefore = (now: Date): Date => new Date(now.getTime() - staleDays * dayMs)
