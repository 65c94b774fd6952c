import { type Insertable, sql, type Updateable } from 'kysely'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { DB, Tx } from '#server/db/connect.ts'
import { changePostCount, lockCommunity } from '#server/features/communities/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { formerMemberId } from '#server/kernel/own-data.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { isMember } from './visible-posts.ts'

export const membershipIn = (tx: Tx, userId: string, businessId: string) =>
  tx
    .selectFrom('businesses')
    .leftJoin('business_members', (join) => join.onRef('business_members.business_id', '=', 'businesses.id').on('user_id', '=', userId))
    .select(['businesses.id', 'businesses.country', 'businesses.state', 'business_members.role'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()

/** Reads at most two of a person's businesses, enough to see if there is exactly one. */
export const someMemberships = (tx: Tx, userId: string) =>
  tx.selectFrom('business_members').select('business_id').where('user_id', '=', userId).limit(2).execute()

/** Changes an author's count of visible personal posts outside communities. Lock the author before any post: see `lockCounts`. */
export const changePostsCount = (tx: Tx, userId: string, by: 1 | -1) =>
  tx
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', by) }))
    .where('id', '=', userId)
    .execute()

export async function insertPost(tx: Tx, row: Insertable<DB['posts']>): Promise<void> {
  await tx.insertInto('posts').values(row).execute()
  await markForSearch(tx, 'post', [row.id])
}

export async function updatePostRow(tx: Tx, postId: string, changes: Updateable<DB['posts']>): Promise<void> {
  await tx.updateTable('posts').set(changes).where('id', '=', postId).execute()
  await markForSearch(tx, 'post', [postId])
}

/** Links posts to restored products again, unless their authors have linked something else since or deleted their accounts. */
export async function linkProductsAgain(tx: Tx, links: readonly { post_id: string; product_id: string }[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    update posts set linked_product_id = products.id
    from json_to_recordset(${JSON.stringify(links)}::json) as link (post_id uuid, product_id uuid)
      join products on products.id = link.product_id
    where posts.id = link.post_id and posts.author_id <> ${formerMemberId}::uuid
      and num_nonnulls(linked_hunt_id, linked_business_id, linked_product_id, linked_strain) = 0`.execute(tx)
}

/** Deletes a post with its media, likes and comments. Returns it if it existed. */
export const removePost = (tx: Tx, postId: string) =>
  tx
    .deleteFrom('posts')
    .where('id', '=', postId)
    .returning(['author_id', 'business_id', 'community_id', 'tags', 'moderation', 'created_at'])
    .executeTakeFirst()

export async function hasLiked(tx: Tx, postId: string, userId: string): Promise<boolean> {
  const like = await tx
    .selectFrom('post_likes')
    .select('user_id')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return like !== undefined
}

/** Call after the comment was written or removed, with the post locked (`lockPost`). */
export async function changeCommentsCount(tx: Tx, postId: string, by: 1 | -1): Promise<void> {
  const [post] = await addToCommentsCount(tx, { postId, by })
  if (post?.community_id) await rankPosts(tx, [postId])
}

const addToCommentsCount = compileOnce(['postId', 'by'], (db, { postId, by }: Slots<{ postId: string; by: number }>) =>
  db
    .updateTable('posts')
    .set((eb) => ({ comments_count: eb('comments_count', '+', by) }))
    .where('id', '=', postId)
    .returning('community_id'),
)

/** Writes the values by which a community's Top and Active lists sort its visible posts. Requires locks on the posts. */
export async function rankPosts(tx: Tx, postIds: readonly string[]): Promise<void> {
  await sql`
    insert into community_post_ranks (post_id, community_id, likes_count, created_at, active_at)
    select posts.id, posts.community_id, posts.likes_count, posts.created_at, greatest(posts.created_at, (
      select max(comments.created_at) from comments
      where comments.post_id = posts.id and comments.moderation is null and not comments.is_deleted))
    from posts where posts.id = any(${postIds}::uuid[]) and posts.community_id is not null and posts.moderation is null
    on conflict (post_id) do update set likes_count = excluded.likes_count, active_at = excluded.active_at`.execute(tx)
}

export const unrankPost = (tx: Tx, postId: string) => tx.deleteFrom('community_post_ranks').where('post_id', '=', postId).execute()

export async function replaceMedia(tx: Tx, postId: string, mediaIds: readonly string[]): Promise<void> {
  const removed = await tx.deleteFrom('post_media').where('post_id', '=', postId).returning('media_id').execute()
  if (removed.length + mediaIds.length === 0) return
  await sql`
    insert into post_media (post_id, position, media_id)
    select ${postId}::uuid, position - 1, media_id from unnest(${mediaIds}::uuid[]) with ordinality as given (media_id, position)`.execute(
    tx,
  )
  await syncMediaUses(tx, 'post', [postId])
}

/** Whether a business's post has comments, other than deleted ones, by anyone outside the business. */
export async function hasCommentsOfOthers(tx: Tx, postId: string): Promise<boolean> {
  const comment = await tx
    .selectFrom('comments')
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .select('comments.id')
    .where('comments.post_id', '=', postId)
    .where('comments.is_deleted', '=', false)
    .where(sql<boolean>`comments.business_id is distinct from posts.business_id`)
    .where(sql<boolean>`not ${isMember(sql`comments.author_id`, sql`posts.business_id`)}`)
    .limit(1)
    .executeTakeFirst()
  return comment !== undefined
}

export async function pendingMediaOf(tx: Tx, postId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('post_media')
    .innerJoin('media', 'media.id', 'post_media.media_id')
    .select('media_id')
    .where('post_id', '=', postId)
    .where('media.status', '=', 'processing')
    .execute()
  return rows.map((row) => row.media_id)
}

export const mediaIdsOf = async (tx: Tx, postId: string): Promise<string[]> =>
  (await tx.selectFrom('post_media').select('media_id').where('post_id', '=', postId).orderBy('position').execute()).map(
    (row) => row.media_id,
  )

type Counted = { author_id: string; business_id: string | null; community_id: string | null; tags: readonly string[]; created_at: Date }

/** Locks the rows that count a post: its community, then its author. Call before locking the post itself. */
export async function lockCounts(tx: Tx, post: Pick<Counted, 'author_id' | 'community_id'>): Promise<void> {
  if (post.community_id !== null) await lockCommunity(tx, post.community_id)
  await lockPeople(tx, [post.author_id])
}

/**
 * Counts a post that becomes visible (1) or hidden (-1): in its community, with its tags, or for its author. Posts for a business aren't
 * counted, because the number would reveal the author. Requires locks on the counters (`lockCounts`).
 */
export async function countShown(tx: Tx, post: Counted, by: 1 | -1, now: Date): Promise<void> {
  if (post.community_id !== null) {
    await changePostCount(tx, post.community_id, by)
    await countTags(tx, { communityId: post.community_id, tags: post.tags, createdAt: post.created_at }, by, now)
  } else if (post.business_id === null) await changePostsCount(tx, post.author_id, by)
}

/** Announces a newly visible post to followers. Community posts appear only in the community's own lists. */
export async function announce(tx: Tx, ctx: Pick<Context, 'events'>, post: { id: string; community_id: string | null }): Promise<void> {
  if (post.community_id === null) await ctx.events.publish(tx, 'post.published', { postId: post.id })
}

/** Notifies the people whom a visible post mentions, unless they were notified before. */
export const announceMentions = (tx: Tx, ctx: Pick<Context, 'events'>, postId: string): Promise<void> =>
  ctx.events.publish(tx, 'mentions.written', { postId, commentId: null })

/** A tag use loses half its weight after this time. */
const halfLifeSeconds = 7 * 24 * 60 * 60
/** Lower scores count as 0. A single use falls below this after about twenty weeks. */
const minScore = 1e-6

/** Weight at `now` of a tag use at `since`: starts at 1 and halves every week. */
const weightOf = (since: Date, now: Date): number => 0.5 ** (Math.max(0, now.getTime() - since.getTime()) / 1000 / halfLifeSeconds)

type Tagged = { communityId: string; tags: readonly string[]; createdAt: Date }

/**
 * Adds or subtracts a post's tags in its community. A score is stored as of `scored_at`. All uses decay at the same rate, so the sum can be
 * moved to any other time. Requires a lock on the community.
 */
export async function countTags(tx: Tx, { communityId, tags, createdAt }: Tagged, by: 1 | -1, now: Date): Promise<void> {
  const weight = weightOf(createdAt, now)
  if (tags.length === 0 || weight < minScore) return
  if (by === 1) {
    await sql`
      insert into community_tags (community_id, tag, score, scored_at)
      select ${communityId}::uuid, tag, ${weight}::double precision, ${now}::timestamptz from unnest(${tags}::text[]) as tag
      on conflict (community_id, tag) do update set score = ${decayed(now)} + excluded.score, scored_at = excluded.scored_at`.execute(tx)
    return
  }
  const ofThese = sql`community_id = ${communityId}::uuid and tag = any(${tags}::text[])`
  await sql`delete from community_tags where ${ofThese} and ${decayed(now)} - ${weight} <= ${minScore}`.execute(tx)
  await sql`
    update community_tags set score = ${decayed(now)} - ${weight}, scored_at = ${now}::timestamptz where ${ofThese}`.execute(tx)
}

export const decayed = (now: Date) => sql<number>`(community_tags.score * power(0.5::double precision,
  greatest(0, extract(epoch from ${now}::timestamptz - community_tags.scored_at))::double precision / ${sql.lit(halfLifeSeconds)}))`
