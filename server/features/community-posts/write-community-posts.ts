import { sql } from 'kysely'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { acceptAnswer, pinPost, unvotePoll, votePoll } from '#contracts/community-posts.endpoints.ts'
import type { CommunityPost, NewCommunityPost } from '#contracts/community-posts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Poll } from '#contracts/posts.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { loadComments } from '#server/features/comments/index.ts'
import { requireCommunity } from '#server/features/communities/index.ts'
import { descriptionsOf, requireReadyMedia } from '#server/features/media/index.ts'
import {
  isPollClosed,
  linkColumns,
  loadPolls,
  mayAccept,
  postFacts,
  requireTakingPart,
  storePost,
  type Viewer,
  viewerOf,
} from '#server/features/posts/index.ts'
import { screenWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { lockCommunityPost, maxPins, readCommunityPost, requireCommunityPost } from './read-community-posts.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * A retry with the same idempotency key gets the first response.
 * @throws AppError not_found, forbidden, invalid_input, idempotency_mismatch
 */
export async function createCommunityPost(
  ctx: Ctx,
  actor: Actor,
  input: NewCommunityPost,
  idempotency: IdempotencyKey | null,
): Promise<CommunityPost> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  const { communityId, postType, title, content, mediaIds, tags } = input
  const id = newId()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const { visibility } = await requireCommunity(tx, actor, communityId, 'write', now, { lock: 'update' })
      await requireReadyMedia(tx, actor.id, mediaIds)
      const link = await linkColumns(tx, viewer, input.link)
      const texts = [title, content, ...(input.poll?.options ?? []), tags.join(' '), ...(await descriptionsOf(tx, mediaIds))]
      const verdict = await screenWords(tx, ctx, actor, { kind: 'community_post', texts, postType, communityId, subjectId: id })
      const closedCommunityId = visibility === 'public' ? null : communityId
      const post = { id, communityId, closedCommunityId, postType, title, content, mediaIds, tags, link, mentions: input.mentions }
      await storePost(tx, ctx, viewer, { ...post, businessId: null, isExclusive: false, imageUrl: '', place: '' }, verdict)
      if (input.poll) await addPoll(tx, id, input.poll, now)
      return readCommunityPost(tx, viewer, id)
    }),
  )
}

async function addPoll(tx: Tx, postId: string, { options, closesInDays }: NonNullable<NewCommunityPost['poll']>, now: Date): Promise<void> {
  const closesAt = new Date(now.getTime() + closesInDays * dayMs)
  await tx.insertInto('polls').values({ post_id: postId, closes_at: closesAt }).execute()
  await tx
    .insertInto('poll_options')
    .values(options.map((label, position) => ({ post_id: postId, position, label })))
    .execute()
}

/**
 * Idempotent.
 * @throws AppError not_found, forbidden for non-moderators of the community, conflict at the limit of three pins
 */
export async function changePin(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  postId: string,
  isPinned: boolean,
): Promise<ResponseOf<typeof pinPost>> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const { community_id: communityId } = await requireCommunityPost(tx, viewer, postId)
    // Serializes concurrent pins. A community is always locked before its posts.
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    const post = await lockCommunityPost(tx, viewer, postId)
    if ((post.pinned_at !== null) === isPinned) return { id: postId, isPinned }
    if (isPinned) {
      if (post.moderation !== null) throw new AppError('conflict', { message: 'This post isn’t visible right now.' })
      if ((await pinnedCount(tx, communityId)) >= maxPins) {
        throw new AppError('conflict', { message: 'Three posts are already pinned. Unpin one of them first.' })
      }
    }
    const pinnedAt = isPinned ? now : null
    await tx.updateTable('posts').set({ pinned_at: pinnedAt, updated_at: now }).where('id', '=', postId).execute()
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: isPinned ? 'post.pinned' : 'post.unpinned',
      subjectType: 'post',
      subjectId: postId,
      details: { communityId },
    })
    return { id: postId, isPinned }
  })
}

/** Held, hidden and removed posts keep their pin but don't count toward the limit. */
const pinnedCount = (tx: Tx, communityId: string): Promise<number> =>
  countRows(
    tx.selectFrom('posts').where('community_id', '=', communityId).where('pinned_at', 'is not', null).where('moderation', 'is', null),
  )

type Answer = ResponseOf<typeof acceptAnswer>

/**
 * Accepts an answer to a question, replacing any previous one; null clears it. Idempotent.
 * @throws AppError not_found, forbidden if the actor neither asked nor moderates, conflict unless the post is a question and the comment
 * an answer to it
 */
export async function changeAnswer(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  postId: string,
  commentId: string | null,
): Promise<Answer> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const post = await lockCommunityPost(tx, viewer, postId)
    if (post.post_type !== 'question') throw new AppError('conflict', { message: 'Only a question can have an accepted answer.' })
    const { access } = await requireCommunity(tx, actor, post.community_id, 'read', now)
    if (!mayAccept(actor.id, post.author_id, access)) {
      throw new AppError('forbidden', { message: 'Only the person who asked, or a moderator, can accept an answer.' })
    }
    await requireTakingPart(tx, actor, post, now)
    if (post.accepted_comment_id === commentId) return { id: postId, acceptedCommentId: commentId }
    if (commentId !== null) await requireAnswer(tx, viewer, postId, commentId)
    await tx.updateTable('posts').set({ accepted_comment_id: commentId, updated_at: now }).where('id', '=', postId).execute()
    if (commentId !== null) await ctx.events.publish(tx, 'answer.accepted', { postId, acceptedBy: actor.id })
    // Audited for a moderator, but not for the author of the question.
    if (post.author_id !== actor.id) {
      const action = commentId === null ? 'answer.unaccepted' : 'answer.accepted'
      const details = { communityId: post.community_id, commentId }
      await recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'post', subjectId: postId, details })
    }
    return { id: postId, acceptedCommentId: commentId }
  })
}

/** @throws AppError not_found */
export async function readAnswer({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<Comment> {
  const viewer = viewerOf(actor, clock.now())
  const { accepted_comment_id: commentId } = await requireCommunityPost(db, viewer, postId)
  const [comment] = commentId === null ? [] : await loadComments(db, viewer, [commentId])
  if (!comment || comment.isDeleted) throw notFound('No answer has been accepted yet.')
  return comment
}

/** Only a top-level comment can be an answer. The post's lock keeps it from being deleted. */
async function requireAnswer(tx: Tx, viewer: Viewer, postId: string, commentId: string): Promise<void> {
  const [comment] = await loadComments(tx, viewer, [commentId])
  if (!comment || comment.postId !== postId) throw notFound('Comment not found.')
  if (comment.isDeleted) throw new AppError('conflict', { message: 'This comment was deleted.' })
  if (comment.parentId !== null) throw new AppError('conflict', { message: 'A reply to an answer can’t be accepted.' })
}

/**
 * Votes in a poll, or changes the vote. Idempotent.
 * @throws AppError not_found, forbidden if the person can't write in the community, invalid_input for an unknown option,
 * conflict once the poll is closed
 */
export async function changeVote(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  postId: string,
  position: number,
): Promise<ResponseOf<typeof votePoll>> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    // Serializes the votes of a poll, so that the counts can't race.
    const post = await lockCommunityPost(tx, viewer, postId)
    await requireTakingPart(tx, actor, post, now)
    await requireOpenPoll(tx, postId, now)
    await requireOption(tx, postId, position)
    const before = await voteOf(tx, postId, actor.id)
    if (before !== position) {
      await writeVote(tx, { postId, userId: actor.id, position, now })
      await countVotes(tx, postId, before, position)
    }
    return { id: postId, poll: await readPoll(tx, actor, postId, now) }
  })
}

/**
 * Idempotent. Voters can withdraw even if they have left the community, are muted in it, or no longer see the post.
 * @throws AppError not_found for others who don't see the post, conflict once the poll is closed
 */
export async function withdrawVote(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  postId: string,
): Promise<ResponseOf<typeof unvotePoll>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const post = await postFacts(tx, viewerOf(actor, now), postId, { lock: true })
    const before = await voteOf(tx, postId, actor.id)
    if (!post || (before === null && !post.is_visible)) throw notFound('Post not found.')
    await requireOpenPoll(tx, postId, now)
    if (before !== null) {
      await writeVote(tx, { postId, userId: actor.id, position: null, now })
      await countVotes(tx, postId, before, null)
    }
    return { id: postId, poll: post.is_visible ? await readPoll(tx, actor, postId, now) : null }
  })
}

const notAPoll = () => notFound('This post isn’t a poll.')

async function requireOpenPoll(tx: Tx, postId: string, now: Date): Promise<void> {
  const poll = await tx.selectFrom('polls').select('closes_at').where('post_id', '=', postId).executeTakeFirst()
  if (!poll) throw notAPoll()
  if (isPollClosed(poll.closes_at, now)) throw new AppError('conflict', { message: 'This poll is closed.' })
}

async function readPoll(tx: Tx, actor: Actor, postId: string, now: Date): Promise<Poll> {
  const poll = (await loadPolls(tx, actor.id, [postId], now)).get(postId)
  if (!poll) throw notAPoll()
  return poll
}

async function requireOption(tx: Tx, postId: string, position: number): Promise<void> {
  const option = await tx
    .selectFrom('poll_options')
    .select('position')
    .where('post_id', '=', postId)
    .where('position', '=', position)
    .executeTakeFirst()
  if (!option) throw invalidField('position', 'Choose one of the options')
}

async function voteOf(tx: Tx, postId: string, userId: string): Promise<number | null> {
  const vote = await tx
    .selectFrom('poll_votes')
    .select('position')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return vote?.position ?? null
}

type Vote = { postId: string; userId: string; position: number | null; now: Date }

async function writeVote(tx: Tx, { postId, userId, position, now }: Vote): Promise<void> {
  if (position === null) {
    await tx.deleteFrom('poll_votes').where('post_id', '=', postId).where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('poll_votes')
    .values({ post_id: postId, user_id: userId, position, created_at: now })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doUpdateSet({ position, created_at: now }))
    .execute()
}

async function countVotes(tx: Tx, postId: string, before: number | null, after: number | null): Promise<void> {
  await sql`
    update poll_options set votes_count = votes_count + case when position is not distinct from ${after}::smallint then 1 else -1 end
    where post_id = ${postId}::uuid and position in (${before}::smallint, ${after}::smallint)`.execute(tx)
  const by = Number(after !== null) - Number(before !== null)
  if (by !== 0) await sql`update polls set votes_count = votes_count + ${by} where post_id = ${postId}::uuid`.execute(tx)
}
