import { type RawBuilder, sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { likePost } from '#contracts/posts.endpoints.ts'
import type { Poll } from '#contracts/posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inStatement, inTransaction } from '#server/db/transaction.ts'
import { requireCommunity } from '#server/features/communities/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { hasLiked } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { type PostFacts, postFacts, selectFacts } from './posts.queries.ts'
import { compileForReader, type Reader, type Viewer, viewerOf } from './visible-posts.ts'

type Liked = PostFacts & {
  /** The number of likes if the statement changed it, otherwise null. */
  changed_count: number | null
}

/**
 * Locks a post, and changes the viewer's like and the post's count. The lock serializes likes of a post, so that its count is exact.
 * `change` is a data-modifying statement up to its conflict clause.
 */
const compileLike = (by: 1 | -1, change: (reader: Reader) => RawBuilder<unknown>, end: RawBuilder<unknown>) =>
  compileForReader<{ postId: string }, Liked>(
    ['postId'],
    (db, reader, { postId }) => sql<Liked>`
      with post as materialized (${selectFacts(db, reader).where('posts.id', '=', postId).forNoKeyUpdate('posts')}),
      changed as (${change(reader)} ${end}),
      counted as (
        update posts set likes_count = posts.likes_count + ${sql.lit(by)} from changed where posts.id = changed.post_id
        returning posts.id, posts.likes_count),
      ranked as (
        update community_post_ranks set likes_count = counted.likes_count from counted where community_post_ranks.post_id = counted.id)
      select post.*, (select likes_count from counted) as changed_count from post`,
  )

const insertLike = (mayTakePart: RawBuilder<boolean>) =>
  compileLike(
    1,
    ({ id, now }) => sql`
      insert into post_likes (post_id, user_id, created_at)
      select post.id, ${id}, ${now} from post
      where post.moderation is null and ${mayTakePart} and post.is_visible and not post.is_locked`,
    sql`on conflict do nothing returning post_id`,
  )
const likeOutsideCommunities = insertLike(sql`post.community_id is null`)
const likeAnywhere = insertLike(sql`true`)
/** Also removes a like from a post that isn't open to the viewer anymore. */
const unlike = compileLike(
  -1,
  ({ id }) => sql`delete from post_likes using post where post_likes.post_id = post.id and post_likes.user_id = ${id}`,
  sql`returning post_likes.post_id`,
)

/**
 * Likes a post (`true`), removes the like (`false`), or toggles it. The first two are idempotent. Repeating a toggle toggles again, so the
 * web app doesn't use it. People can remove their like even from a post that they no longer see or can't open.
 * @throws AppError not_found, forbidden for a locked or moderated post or, in a community, if the actor isn't a member or is muted
 */
export async function changeLike(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  postId: string,
  desired: boolean | 'toggle',
): Promise<ResponseOf<typeof likePost>> {
  const viewer = viewerOf(actor, ctx.clock.now())
  if (desired === false) return inStatement(ctx.db, (db) => removeLike(db, viewer, postId))
  return inTransaction(ctx.db, async (tx) => {
    if (desired === 'toggle') {
      await postFacts(tx, viewer, postId, { lock: true })
      if (await hasLiked(tx, postId, actor.id)) return removeLike(tx, viewer, postId)
    }
    return addLike(ctx, tx, actor, viewer, postId)
  })
}

async function addLike({ events }: Pick<Context, 'events'>, tx: Tx, actor: Actor, viewer: Viewer, postId: string) {
  const [found] = await likeOutsideCommunities(tx, viewer, { postId })
  const post = requireOpen(found)
  await requireTakingPart(tx, actor, post, viewer.now)
  const liked = post.community_id === null ? post : requireOpen((await likeAnywhere(tx, viewer, { postId }))[0])
  if (liked.changed_count !== null && !isOwnPost(actor.id, post)) await events.publish(tx, 'post.liked', { postId, userId: actor.id })
  return { id: postId, isLiked: true, likesCount: liked.changed_count ?? liked.likes_count }
}

async function removeLike(db: Db, viewer: Viewer, postId: string) {
  let [post] = await unlike(db, viewer, { postId })
  // If the viewer's own like was committed while this statement waited for the lock, only a second statement sees the like.
  if (post?.changed_count === null) [post] = await unlike(db, viewer, { postId })
  // As in a locked post, the count isn't shown.
  if (post && post.changed_count !== null && !(post.is_visible && !post.is_locked)) return { id: postId, isLiked: false, likesCount: 0 }
  return { id: postId, isLiked: false, likesCount: post?.changed_count ?? requireOpen(post).likes_count }
}

function requireOpen(post: Liked | undefined): Liked {
  if (!post?.is_visible) throw notFound('Post not found.')
  if (post.is_locked) throw new AppError('forbidden', { message: 'Subscribe to the business to like this post.' })
  return post
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
 * Results are visible after voting, or to everyone once the poll is closed, so that they don't influence votes. This also applies to the
 * author, who could otherwise look before voting.
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
 * Every like, comment and vote requires this. In a community, only members who aren't muted may take part. Moderated posts can't be liked,
 * commented on or voted in. Doesn't check whether the post is visible.
 */
export async function requireTakingPart(
  db: Db,
  actor: Pick<Actor, 'id'>,
  post: Pick<PostFacts, 'community_id' | 'moderation'>,
  now: Date,
): Promise<void> {
  if (post.moderation !== null) throw new AppError('forbidden', { message: 'This post isn’t visible right now.' })
  if (post.community_id !== null) await requireCommunity(db, actor, post.community_id, 'write', now)
}
