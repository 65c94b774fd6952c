import type { Comment } from '../../../contracts/comments.ts'
import type { acceptAnswer } from '../../../contracts/community-posts.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { loadComments } from '../comments/index.ts'
import { requireCommunity } from '../communities/index.ts'
import { mayAccept, requireTakingPart, type Viewer, viewerOf } from '../posts/index.ts'
import { lockCommunityPost, requireCommunityPost } from './read-community-post.ts'

type Answer = ResponseOf<typeof acceptAnswer>

/**
 * Accepts an answer to a question, or with null takes it back; another one takes its place. What is already so stays.
 * @throws AppError not_found, forbidden for who neither asked nor moderates, conflict for what is no question or no answer to it
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
    if (post.post_type !== 'question') throw new AppError('conflict', { message: 'Only a question has an answer.' })
    const { access } = await requireCommunity(tx, actor, post.community_id, 'read', now)
    if (!mayAccept(actor.id, post.author_id, access)) {
      throw new AppError('forbidden', { message: 'Only whoever asked, or a moderator, can say which answer helped.' })
    }
    await requireTakingPart(tx, actor, post, now)
    if (post.accepted_comment_id === commentId) return { id: postId, acceptedCommentId: commentId }
    if (commentId !== null) await requireAnswer(tx, viewer, postId, commentId)
    await tx.updateTable('posts').set({ accepted_comment_id: commentId, updated_at: now }).where('id', '=', postId).execute()
    if (commentId !== null) await ctx.events.publish(tx, 'answer.accepted', { postId })
    // As a moderator it is a deed; as whoever asked it is theirs to say.
    if (post.author_id !== actor.id) {
      const action = commentId === null ? 'answer.unaccepted' : 'answer.accepted'
      const details = { communityId: post.community_id, commentId }
      await recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'post', subjectId: postId, details })
    }
    return { id: postId, acceptedCommentId: commentId }
  })
}

/** The answer that was accepted, as this viewer may read it. @throws AppError not_found */
export async function readAnswer({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<Comment> {
  const viewer = viewerOf(actor, clock.now())
  const { accepted_comment_id: commentId } = await requireCommunityPost(db, viewer, postId)
  const [comment] = commentId === null ? [] : await loadComments(db, viewer, [commentId])
  if (!comment || comment.isDeleted) throw notFound('No answer was accepted yet.')
  return comment
}

/** A comment to the post itself: what answers an answer is no answer. Whoever deletes it waits at the post. */
async function requireAnswer(tx: Tx, viewer: Viewer, postId: string, commentId: string): Promise<void> {
  const [comment] = await loadComments(tx, viewer, [commentId])
  if (!comment || comment.postId !== postId) throw notFound('Comment not found.')
  if (comment.isDeleted) throw new AppError('conflict', { message: 'This comment was deleted.' })
  if (comment.parentId !== null) throw new AppError('conflict', { message: 'A reply to an answer cannot be accepted itself.' })
}
