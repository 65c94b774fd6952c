import { sql } from 'kysely'
import type { Comment, writeComment as contract } from '../../../contracts/comments.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { isShutOut } from '../people/index.ts'
import { changeCommentsCount, membershipIn, requireTakingPart, type Viewer, viewerOf } from '../posts/index.ts'
import { screenWords } from '../screening/index.ts'
import { changeRepliesCount, commentFacts, insertComment } from './comments.queries.ts'
import { holdComment } from './hold-comment.ts'
import { lockOpenPost } from './open-post.ts'
import { readComment } from './read-comments.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>
type Input = Parsed<(typeof contract)['body']>

/**
 * Comments on a post or replies to a comment, under the own name or a business's.
 * @throws AppError not_found (the post is locked, too), forbidden about the business, where it has blocked the writer, or for whom the
 * community is only to read,
 * conflict for a reply to what was deleted
 */
export async function writeComment(
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
      await requireWelcome(tx, actor.id, post.business_id)
      if (input.businessId !== null && post.community_id !== null)
        throw invalidField('businessId', 'In a community people speak for themselves')
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
      if (verdict.state === null) {
        if (parentId !== null) await changeRepliesCount(tx, parentId, 1)
        await changeCommentsCount(tx, postId, 1)
        await ctx.events.publish(tx, 'comment.written', { commentId: id })
      } else await holdComment(tx, { id, author_id: actor.id }, post.community_id, verdict, now)
      return readComment(tx, viewer, id)
    }),
  )
}

/** Under the posts of a business that has blocked them, people write nothing, whoever they speak for. @throws AppError forbidden */
export async function requireWelcome(tx: Tx, userId: string, businessId: string | null): Promise<void> {
  if (businessId === null) return
  const { rows } = await sql<{ is_shut_out: boolean }>`
    select ${isShutOut(sql`${userId}::uuid`, sql`${businessId}::uuid`)} as is_shut_out`.execute(tx)
  if (rows[0]?.is_shut_out) throw new AppError('forbidden', { message: "You can't comment on the posts of this business." })
}

async function requireMembership(tx: Tx, userId: string, businessId: string): Promise<void> {
  const business = await membershipIn(tx, userId, businessId)
  if (!business) throw notFound('Business not found.')
  if (business.role === null) throw new AppError('forbidden', { message: 'Only those who run a business can comment for it.' })
}

/** The comment whose replies this one joins: replies have none of their own. @throws AppError not_found, conflict */
async function threadOf(tx: Tx, viewer: Viewer, postId: string, commentId: string): Promise<string> {
  const comment = await commentFacts(tx, viewer, commentId)
  if (!comment?.is_visible || comment.post_id !== postId) throw notFound('Comment not found.')
  if (comment.is_deleted) throw new AppError('conflict', { message: 'This comment was deleted.' })
  if (comment.parent_id === null) return comment.id
  const first = await commentFacts(tx, viewer, comment.parent_id)
  if (!first?.is_visible) throw notFound('Comment not found.')
  return first.id
}
