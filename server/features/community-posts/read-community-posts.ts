import { type RawBuilder, sql } from 'kysely'
import type { TopPeriod } from '#contracts/choices.ts'
import type { listCommunityPosts as contract } from '#contracts/community-posts.endpoints.ts'
import type { CommunityPost, TrendingTag } from '#contracts/community-posts.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { CommunityPostType, type Post } from '#contracts/posts.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { readsCommunity, requireCommunity } from '#server/features/communities/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import {
  decayed,
  heldPostKeys,
  isAfter,
  isInFeeds,
  isPersonNotMuted,
  loadPosts,
  lockPost,
  mergeNewest,
  type PostFacts,
  postFacts,
  type Viewer,
  viewerOf,
} from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

/** Pinned posts come first, so a larger number would push all other posts far down. */
export const maxPins = 3

type Query = Parsed<(typeof contract)['query']>

/**
 * Posts of a community, sorted as requested, or of all communities the person is in, newest first. Includes the person's own
 * held posts.
 * @throws AppError not_found if the viewer can't see the community, forbidden if they can see it but not read it, invalid_input about
 * the cursor, or about `pinned` or `sort` without a community
 */
export async function listCommunityPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { communityId, type, tag, sort, period, pinned, limit, cursor }: Query,
): Promise<Page<CommunityPost>> {
  const now = clock.now()
  const viewer = viewerOf(actor, now)
  const isSorted = sort !== 'new'
  const selection = { type, tag, after: isSorted ? null : decodeCursor(cursor, ['time', 'id']), limit: limit + 1 }
  const show = async (keys: readonly PostKey[]) => (await loadPosts(db, viewer, idsOf(keys))).flatMap((post) => toCommunityPost(post) ?? [])
  const held = (place: Parameters<typeof heldPostKeys>[2]) =>
    heldPostKeys(db, viewer, place, selection.after, selection.limit, { type, tag })

  if (communityId === undefined) {
    if (pinned) throw invalidField('pinned', 'Choose a community to use this')
    if (isSorted) throw invalidField('sort', 'Choose a community to use this')
    const keys = await Promise.all([memberPostKeys(db, actor.id, selection, now), held({ in: 'communities' })])
    const { items, nextCursor } = toPage(mergeNewest(...keys, selection.limit), limit, keyOf)
    return { items: await show(items), nextCursor }
  }
  await requireCommunity(db, actor, communityId, 'read', now)
  if (pinned) return { items: await show(await pinnedKeys(db, actor.id, communityId, maxPins)), nextCursor: null }
  if (isSorted) {
    const rows = await rankedKeys(db, viewer, communityId, { sort, period, type, tag, cursor, limit: limit + 1 })
    const { items, nextCursor } = toPage(rows, limit, ({ rank, created_at, id }) => [sort, rank, created_at.toISOString(), id])
    return { items: await show(items), nextCursor }
  }
  const keys = await Promise.all([postKeys(db, actor.id, communityId, selection), held({ communityId })])
  const { items, nextCursor } = toPage(mergeNewest(...keys, selection.limit), limit, keyOf)
  return { items: await show(items), nextCursor }
}

const keyOf = (row: PostKey) => [row.created_at.toISOString(), row.id] as const

const maxTags = 10
/** A tag whose score hasn't changed for four weeks is no longer trending. */
const staleDays = 28

/** @throws AppError not_found, forbidden if the viewer may see the community but not read it */
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

type PostKey = { id: string; created_at: Date }
type After = readonly [createdAt: string, id: string] | null
type Selection = { type: CommunityPostType | undefined; tag: string | undefined; after: After; limit: number }

const newestFirst = sql`order by posts.created_at desc, posts.id desc`

/** A community's posts that can be listed for the viewer. Doesn't check whether the viewer can read the community. */
const listed = (viewerId: string, communityId: RawBuilder<unknown>, { type, tag, after }: Omit<Selection, 'limit'>) => sql`
  posts.community_id = ${communityId} and posts.moderation is null
    and ${type === undefined ? sql`true` : sql`posts.post_type = ${type}`}
    and ${tag === undefined ? sql`true` : sql`posts.tags @> array[${tag}]::text[]`}
    and ${isAfter(after)}
    and ${isNotBlocked(sql`${viewerId}::uuid`, sql`posts.author_id`)}`

async function postKeys(db: Db, viewerId: string, communityId: string, selection: Selection): Promise<PostKey[]> {
  const { rows } = await sql<PostKey>`
    select posts.id, posts.created_at from posts
    where ${listed(viewerId, sql`${communityId}::uuid`, selection)}
    ${newestFirst} limit ${selection.limit}`.execute(db)
  return rows
}

type Ranked = PostKey & { rank: number }
type RankedSelection = Pick<Query, 'type' | 'tag' | 'period' | 'cursor' | 'limit'> & { sort: 'top' | 'active' }

const periodDays: Record<TopPeriod, number | null> = { week: 7, month: 30, all: null }

/**
 * A community's posts by rank: their likes, or the time in milliseconds of their latest comment or, if there is none, of the post itself.
 * Held posts are ranked for their author only, by their own time and likes.
 */
export async function rankedKeys(db: Db, viewer: Viewer, communityId: string, selection: RankedSelection): Promise<Ranked[]> {
  const { sort, period, type, tag, limit } = selection
  const after = readRank(selection.cursor, sort)
  const days = sort === 'top' ? periodDays[period] : null
  const since = days === null ? sql`true` : sql`created_at > ${new Date(viewer.now.getTime() - days * dayMs)}::timestamptz`
  const isFitting = sql`${type === undefined ? sql`true` : sql`posts.post_type = ${type}`}
    and ${tag === undefined ? sql`true` : sql`posts.tags @> array[${tag}]::text[]`}`
  const [rank, order] =
    sort === 'top'
      ? [sql`likes_count::double precision`, sql`likes_count desc, created_at desc, id desc`]
      : [sql`(extract(epoch from active_at) * 1000)::double precision`, sql`active_at desc, id desc`]
  const isLater =
    after === null
      ? sql`true`
      : sort === 'top'
        ? sql`(likes_count, created_at, id) < (${after.rank}::integer, ${after.createdAt}::timestamptz, ${after.id}::uuid)`
        : sql`(active_at, id) < (${new Date(after.rank)}::timestamptz, ${after.id}::uuid)`
  // Sort the posts of a week or month before looking them up: reading in order of likes would scan all older posts.
  const ranks = sql`select * from (select post_id as id, community_id, likes_count, created_at, active_at from community_post_ranks) as named
    where community_id = ${communityId}::uuid and ${since} and ${isLater} ${days === null ? sql`` : sql`order by ${order} offset 0`}`
  const { rows } = await sql<Ranked>`
    with listed as (
      select ranks.id, ranks.likes_count, ranks.created_at, ranks.active_at from (${ranks}) as ranks
        cross join lateral (select author_id, post_type, tags from posts where posts.id = ranks.id offset 0) as posts
      where ${isFitting} and ${isNotBlocked(sql`${viewer.id}::uuid`, sql`posts.author_id`)}
      order by ${order} limit ${limit}
    ), held as (
      select posts.id, posts.likes_count, posts.created_at, posts.created_at as active_at from posts
      where posts.author_id = ${viewer.id}::uuid and posts.community_id = ${communityId}::uuid and posts.moderation = 'held' and ${isFitting}
    )
    select id, created_at, ${rank} as rank
    from (select * from listed union all select * from held where ${since} and ${isLater}) as page
    order by ${order} limit ${limit}`.execute(db)
  return rows
}

/** The cursor names its sort order, so that a cursor of another order is rejected instead of misread. */
function readRank(cursor: string | undefined, sort: RankedSelection['sort']) {
  const key = decodeCursor(cursor, ['string', 'number', 'time', 'id'])
  if (key === null) return null
  const [of, rank, createdAt, id] = key
  const max = sort === 'top' ? 2_147_483_647 : 8_640_000_000_000_000
  if (of !== sort || !Number.isInteger(rank) || rank < 0 || rank > max) throw invalidField('cursor', 'Not valid')
  return { rank, createdAt, id }
}

async function pinnedKeys(db: Db, viewerId: string, communityId: string, max: number): Promise<PostKey[]> {
  const { rows } = await sql<PostKey>`
    select posts.id, posts.created_at from posts
    where posts.community_id = ${communityId}::uuid and posts.pinned_at is not null and posts.moderation is null
      and ${isNotBlocked(sql`${viewerId}::uuid`, sql`posts.author_id`)}
    order by posts.pinned_at desc, posts.id limit ${max}`.execute(db)
  return rows
}

/**
 * The newest posts of the person's communities. As in the feed of followed people, the cost depends on the number of
 * communities: only the newest post of each is looked up, and only the `limit` communities with the newest ones are read
 * further. Like that feed, leaves out hidden posts and those of muted people.
 */
async function memberPostKeys(db: Db, viewerId: string, selection: Selection, now: Date): Promise<PostKey[]> {
  const viewer = sql<string>`${viewerId}::uuid`
  const of = (communityId: RawBuilder<unknown>, max: RawBuilder<unknown>) => sql`
    select posts.id, posts.created_at from posts
    where ${listed(viewerId, communityId, selection)} and ${isInFeeds({ id: viewer })} and ${isPersonNotMuted({ id: viewer }, sql`posts.author_id`)}
    ${newestFirst} limit ${max}`
  const max = sql.lit(selection.limit)
  const { rows } = await sql<PostKey>`
    with mine as materialized (
      select community_members.community_id from community_members
      where community_members.user_id = ${viewer} and ${readsCommunity(viewer, sql`community_members.community_id`, sql<Date>`${now}::timestamptz`)}
    ), sources as materialized (
      select mine.community_id from mine cross join lateral (${of(sql`mine.community_id`, sql`1`)}) as newest
      order by newest.created_at desc, newest.id desc limit ${max}
    )
    select page.id, page.created_at
    from sources cross join lateral (${of(sql`sources.community_id`, max)}) as page
    order by page.created_at desc, page.id desc limit ${max}`.execute(db)
  return rows
}

/** @throws AppError not_found if the post doesn't exist, isn't visible to the viewer or isn't in a community */
export async function readCommunityPost(db: Db, viewer: Viewer, id: string): Promise<CommunityPost> {
  const [post] = await loadPosts(db, viewer, [id])
  const found = post && toCommunityPost(post)
  if (!found) throw notFound('Post not found.')
  return found
}

type InCommunity = PostFacts & { community_id: string }

/** @throws AppError not_found */
export async function requireCommunityPost(db: Db, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await postFacts(db, viewer, id))
}

/** Like `requireCommunityPost`, but locks the post until the transaction ends. @throws AppError not_found */
export async function lockCommunityPost(tx: Tx, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await lockPost(tx, viewer, id))
}

function inCommunity(post: PostFacts | undefined): InCommunity {
  if (!post?.is_visible || post.community_id === null) throw notFound('Post not found.')
  return { ...post, community_id: post.community_id }
}

/** Uses the specification's names. Null for a post without a community or an author. */
function toCommunityPost(post: Post): CommunityPost | null {
  const { author, community } = post
  const postType = CommunityPostType.options.find((type) => type === post.postType)
  if (author === null || community === null || postType === undefined) return null
  return {
    ...post,
    postType,
    community,
    author: { ...author, displayName: author.name, profileImageUrl: author.imageUrl },
    images: post.media.flatMap((each) => (each.kind === 'image' ? (each.sources.at(-1)?.webp ?? []) : [])),
  }
}
