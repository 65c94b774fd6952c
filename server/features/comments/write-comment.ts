import { sql } from 'kysely'
import type { Comment, createComment as contract, updateComment as updateContract } from '#contracts/comments.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { closedCommunity } from '#server/features/communities/index.ts'
import { replaceMentions } from '#server/features/mentions/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { ensureFormerMember, isBlockedByBusiness } from '#server/features/people/index.ts'
import {
  changeCommentsCount,
  isOwnPost,
  membershipIn,
  type PostFacts,
  postFacts,
  requireTakingPart,
  type Viewer,
  viewerOf,
} from '#server/features/posts/index.ts'
import { screenWords, type Verdict } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import {
  type CommentFacts,
  changeRepliesCount,
  commentFacts,
  emptyComment,
  hasReplies,
  insertComment,
  removeComment,
  updateWords,
} from './comments.queries.ts'
import { isOwnComment, lockOpenPost, readComment } from './read-comments.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>
type Input = Parsed<(typeof contract)['body']>
type Edit = Parsed<(typeof updateContract)['body']>

/**
 * Writes a comment or a reply, as the actor or as a business.
 * @throws AppError not_found (including for a locked post), forbidden if the actor can't act for the business, is blocked by the post's
 * business or can only read the community, invalid_input, conflict for a reply to a deleted comment, idempotency_mismatch
 */
export async function createComment(
  ctx: Ctx,
  actor: Actor,
  postId: string,
  input: Input,
  idempotency: IdempotencyKey | null,
): Promise<Comment> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  const id = newId()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const post = await lockOpenPost(tx, viewer, postId)
      await requireTakingPart(tx, actor, post, now)
      await requireNotBlocked(tx, actor.id, post.business_id)
      if (input.businessId !== null && post.community_id !== null)
        throw invalidField('businessId', 'In a community, you can post only as yourself')
      if (input.businessId !== null) await requireMembership(tx, actor.id, input.businessId)
      const parentId = input.parentId === null ? null : await threadOf(tx, viewer, postId, input.parentId)
      const said = { kind: 'comment' as const, texts: [input.content], businessId: input.businessId, subjectId: id }
      const verdict = await screenWords(tx, ctx, actor, { ...said, communityId: post.community_id })
      await insertComment(tx, {
        id,
        post_id: postId,
        parent_id: parentId,
        author_id: actor.id,
        business_id: input.businessId,
        content: input.content,
        moderation: verdict.state,
        created_at: now,
      })
      const mentions = {
        writerId: actor.id,
        content: input.content,
        mentions: input.mentions,
        closedCommunityId: await closedCommunity(tx, viewer, post.community_id, now),
      }
      const isMentioning = await replaceMentions(tx, { commentId: id }, mentions)
      if (verdict.state === null) {
        if (isMentioning) await ctx.events.publish(tx, 'mentions.written', { postId: null, commentId: id })
        if (parentId !== null) await changeRepliesCount(tx, parentId, 1)
        await changeCommentsCount(tx, postId, 1)
        await ctx.events.publish(tx, 'comment.written', { commentId: id })
      } else await holdComment(tx, ctx, { id, author_id: actor.id, business_id: input.businessId }, post.community_id, verdict, now)
      return readComment(tx, viewer, id)
    }),
  )
}

/** People blocked by a business can't comment on its posts, even on behalf of another business. @throws AppError forbidden */
async function requireNotBlocked(tx: Tx, userId: string, businessId: string | null): Promise<void> {
  if (businessId === null) return
  const [found] = await shutOut(tx, { userId, businessId })
  if (found?.is_shut_out) throw new AppError('forbidden', { message: 'You can’t comment on this business’s posts.' })
}

const shutOut = compileOnce(
  ['userId', 'businessId'],
  (_db, { userId, businessId }: Slots<{ userId: string; businessId: string }>) => sql<{ is_shut_out: boolean }>`
    select ${isBlockedByBusiness(sql`${userId}::uuid`, sql`${businessId}::uuid`)} as is_shut_out`,
)

async function requireMembership(tx: Tx, userId: string, businessId: string): Promise<void> {
  const business = await membershipIn(tx, userId, businessId)
  if (!business) throw notFound('Business not found.')
  if (business.role === null) throw new AppError('forbidden', { message: 'Only the team of a business can comment for it.' })
}

/** The top-level comment that a reply belongs to; replies aren't nested. @throws AppError not_found, conflict */
async function threadOf(tx: Tx, viewer: Viewer, postId: string, commentId: string): Promise<string> {
  const comment = await commentFacts(tx, viewer, commentId)
  if (!comment?.is_visible || comment.post_id !== postId) throw notFound('Comment not found.')
  if (comment.is_deleted) throw new AppError('conflict', { message: 'This comment was deleted.' })
  if (comment.parent_id === null) return comment.id
  const first = await commentFacts(tx, viewer, comment.parent_id)
  if (!first?.is_visible) throw notFound('Comment not found.')
  return first.id
}

/** @throws AppError not_found, forbidden for another person's comment, invalid_input for refused text or mentions */
export async function updateComment(ctx: Ctx, actor: Actor, commentId: string, { content, mentions }: Edit): Promise<Comment> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const before = await commentFacts(tx, viewer, commentId)
    if (!before) throw notFound('Comment not found.')
    const post = await lockOpenPost(tx, viewer, before.post_id, 'Comment not found.')
    const comment = await commentFacts(tx, viewer, commentId)
    if (!comment?.is_visible || comment.is_deleted) throw notFound('Comment not found.')
    if (!isOwnComment(actor.id, comment)) throw new AppError('forbidden', { message: 'Only the author can change a comment.' })
    await requireTakingPart(tx, actor, post, now)
    await requireNotBlocked(tx, actor.id, post.business_id)
    const old = await tx.selectFrom('comments').select('content').where('id', '=', commentId).executeTakeFirstOrThrow()
    const verdict = await screenWords(tx, ctx, actor, {
      kind: 'comment',
      texts: [content],
      before: comment.moderation === null ? [old.content] : undefined,
      businessId: comment.business_id,
      communityId: post.community_id,
      subjectId: commentId,
    })
    if (mentions !== undefined || content !== old.content) {
      const closedCommunityId = await closedCommunity(tx, viewer, post.community_id, now)
      const written = { writerId: actor.id, content, mentions: mentions ?? [], before: old.content, closedCommunityId }
      const isMentioning = await replaceMentions(tx, { commentId }, written)
      const isShown = verdict.state === null && comment.moderation === null
      if (isMentioning && isShown) await ctx.events.publish(tx, 'mentions.written', { postId: null, commentId })
    }
    // The person who wrote the held text for a business answers for it.
    const author_id = verdict.state === 'held' && comment.business_id !== null ? actor.id : comment.author_id
    await updateWords(tx, commentId, { content, author_id }, now)
    if (verdict.state === 'held') {
      if (comment.moderation === null) await holdEditedComment(tx, comment)
      await holdComment(tx, ctx, { ...comment, author_id }, post.community_id, verdict, now)
    }
    return readComment(tx, viewer, commentId)
  })
}

/** Holds the comment until a moderator has reviewed its new text. Requires a lock on the post. */
async function holdEditedComment(tx: Tx, { id, post_id: postId, parent_id: parentId }: CommentFacts): Promise<void> {
  await tx.updateTable('comments').set({ moderation: 'held' }).where('id', '=', id).execute()
  if (parentId !== null) await changeRepliesCount(tx, parentId, -1)
  await changeCommentsCount(tx, postId, -1)
}

/**
 * Deletes the actor's own comment (even on a post they can no longer see) or one on their own post. A comment with replies is
 * emptied and remains until the last reply is deleted. Moderators decide a case instead.
 * @throws AppError not_found, forbidden
 */
export async function deleteComment(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, commentId: string): Promise<void> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  await inTransaction(ctx.db, async (tx) => {
    const before = await commentFacts(tx, viewer, commentId)
    // Lock the post first, as all writers of its comment count do.
    const post = before && (await postFacts(tx, viewer, before.post_id, { lock: true }))
    const comment = await commentFacts(tx, viewer, commentId)
    if (!post || !comment || comment.is_deleted) throw notFound('Comment not found.')
    requireRight(viewer, post, comment)
    await deleteOrEmptyComment(tx, comment)
    // Moderated comments aren't counted.
    if (comment.moderation === null) await changeCommentsCount(tx, post.id, -1)
  })
}

function requireRight(viewer: Viewer, post: PostFacts, comment: CommentFacts): void {
  if (isOwnComment(viewer.id, comment)) return
  if (!post.is_visible || post.is_locked || !comment.is_visible) throw notFound('Comment not found.')
  if (!isOwnPost(viewer.id, post)) throw new AppError('forbidden', { message: 'Only the author can delete a comment.' })
}

/** Requires a lock on the post. Doesn't change the post's count. */
async function deleteOrEmptyComment(tx: Tx, comment: Pick<CommentFacts, 'id' | 'parent_id' | 'moderation'>): Promise<void> {
  if (await hasReplies(tx, comment.id)) {
    await emptyComment(tx, comment.id)
    return
  }
  await removeComment(tx, comment.id)
  if (comment.parent_id === null) return
  const parent = await changeRepliesCount(tx, comment.parent_id, comment.moderation === null ? -1 : 0)
  if (parent.is_deleted && !(await hasReplies(tx, comment.parent_id))) await removeComment(tx, comment.parent_id)
}

const holdComment = (
  tx: Tx,
  ctx: Pick<Ctx, 'events'>,
  comment: { id: string; author_id: string; business_id: string | null },
  communityId: string | null,
  { findings }: Verdict,
  now: Date,
): Promise<string> =>
  holdForReview(tx, ctx, {
    subject: 'comment',
    subjectId: comment.id,
    userId: comment.author_id,
    businessId: comment.business_id,
    communityId,
    findings,
    now,
  })

const batch = 50

/**
 * Comments with replies are emptied and lose their author instead of being deleted. Comments in a business's name remain with
 * the business.
 */
export const eraseComments: EraseStep = {
  name: 'comments',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('comments').select(['id', 'post_id']).where('author_id', '=', userId).limit(batch).execute()
    for (const { id, post_id } of rows) await inTransaction(ctx.db, (tx) => eraseComment(tx, id, post_id, ctx.clock.now()))
    return rows.length
  },
}

async function eraseComment(tx: Tx, id: string, postId: string, now: Date): Promise<void> {
  // Lock the post first, as all writers of its comment count do.
  await sql`select from posts where id = ${postId}::uuid for update`.execute(tx)
  const comment = await tx
    .selectFrom('comments')
    .select(['id', 'parent_id', 'moderation', 'is_deleted', 'business_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!comment) return
  if (comment.business_id === null && !comment.is_deleted) {
    await deleteOrEmptyComment(tx, comment)
    if (comment.moderation === null) await changeCommentsCount(tx, postId, -1)
  }
  const author_id = await ensureFormerMember(tx, now)
  await tx.updateTable('comments').set({ author_id }).where('id', '=', id).execute()
}
