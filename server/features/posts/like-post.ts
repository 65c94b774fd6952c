import { sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Poll } from '#contracts/post-in-community.ts'
import type { likePost } from '#contracts/posts.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireCommunity } from '#server/features/communities/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { addLike, hasLiked, removeLike, setLikesCount } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { lockPost, type PostFacts } from './posts.queries.ts'
import { viewerOf } from './visible-posts.ts'

/**
 * Likes a post (`true`), removes the like (`false`), or toggles it. The first two are idempotent. Repeating a toggle toggles again, so the
 * web app doesn't use it.
 * @throws AppError not_found, forbidden for a locked post or, in a community, if the actor isn't a member or is muted
 */
export async function changeLike(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  postId: string,
  wish: boolean | 'toggle',
): Promise<ResponseOf<typeof likePost>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // The lock serializes likes of a post, so that its count stays exact.
    const post = await lockPost(tx, viewerOf(actor, now), postId)
    if (post.is_locked) throw new AppError('forbidden', { message: 'Subscribe to the business to like this post.' })
    const isLiked = wish === 'toggle' ? !(await hasLiked(tx, postId, actor.id)) : wish
    if (isLiked) await requireTakingPart(tx, actor, post, now)
    const isChanged = isLiked ? await addLike(tx, postId, actor.id, now) : await removeLike(tx, postId, actor.id)
    if (!isChanged) return { id: postId, isLiked, likesCount: post.likes_count }
    const likesCount = post.likes_count + (isLiked ? 1 : -1)
    await setLikesCount(tx, post, likesCount)
    if (isLiked && !isOwnPost(actor.id, post)) await ctx.events.publish(tx, 'post.liked', { postId, userId: actor.id })
    return { id: postId, isLiked, likesCount }
  })
}

export async function loadPolls(db: Db, viewerId: string, postIds: readonly string[], now: Date): Promise<Map<string, Poll>> {
  if (postIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select polls.post_id, polls.closes_at, polls.votes_count,
      (select poll_votes.position from poll_votes where poll_votes.post_id = polls.post_id and poll_votes.user_id = ${viewerId}::uuid) as my_vote,
      array(select label from poll_options where poll_options.post_id = polls.post_id order by position) as labels,
      array(select votes_count from poll_options where poll_options.post_id = polls.post_id order by position) as counts
    from polls where polls.post_id = any(${postIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.post_id, toPoll(row, now)]))
}

type Row = {
  post_id: string
  closes_at: Date | null
  votes_count: number
  my_vote: number | null
  labels: string[]
  counts: number[]
}

/**
 * Results are visible after voting, or to everyone once the poll is closed, so that they don't influence votes. That includes the author,
 * who could otherwise look before voting.
 */
function toPoll(row: Omit<Row, 'post_id'>, now: Date): Poll {
  const isClosed = isPollClosed(row.closes_at, now)
  const isOpened = isClosed || row.my_vote !== null
  return {
    options: row.labels.map((label, position) => ({ position, label, votesCount: isOpened ? (row.counts[position] ?? 0) : null })),
    votesCount: row.votes_count,
    closesAt: row.closes_at?.toISOString() ?? null,
    isClosed,
    myVote: row.my_vote,
  }
}

export const isPollClosed = (closesAt: Date | null, now: Date): boolean => closesAt !== null && closesAt <= now

/**
 * Required for every like, comment and vote. In a community, only members who aren't muted may take part; a post out of view accepts no
 * interaction. The caller has checked that the post is visible.
 */
export async function requireTakingPart(
  db: Db,
  actor: Pick<Actor, 'id'>,
  post: Pick<PostFacts, 'community_id' | 'moderation'>,
  now: Date,
): Promise<void> {
  if (post.moderation !== null) throw new AppError('forbidden', { message: "This post isn't visible right now." })
  if (post.community_id !== null) await requireCommunity(db, actor, post.community_id, 'write', now)
}
