import type { Parsed } from '../../../contracts/endpoint.ts'
import type { editPost as contract, Post } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { requireReadyMedia } from '../media/index.ts'
import { distinct } from './create-post.ts'
import { lockPost } from './lock-post.ts'
import { requireAge, requireFitting } from './post-rules.ts'
import { hasCommentsOfOthers, mediaIdsOf, replaceMedia, updatePost } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { readPost } from './read-posts.ts'
import { viewerOf } from './viewer.ts'

type Input = Parsed<(typeof contract)['body']>

/**
 * Changes a post of one's own or of a business that one belongs to; what is not given stays.
 * @throws AppError not_found, forbidden, invalid_input, age_restricted, conflict
 */
export async function editPost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string, input: Input): Promise<Post> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const post = await lockPost(tx, viewer, postId)
    if (!isOwnPost(actor.id, post)) throw new AppError('forbidden', { message: 'Only those whose post it is can change it.' })
    const { postType = post.post_type, isExclusive = post.is_exclusive } = input
    requireFitting({ postType, isExclusive }, post.business_id !== null)
    requireAge(postType, viewer.age, post.business_id === null ? null : post)
    // Nobody can add to them meanwhile: whoever comments holds the post, too.
    if (post.is_exclusive && !isExclusive && (await hasCommentsOfOthers(tx, postId))) {
      throw new AppError('conflict', { message: 'Subscribers commented on this post in confidence. Publish it anew instead.' })
    }
    if (input.mediaIds) await changeMedia(tx, actor.id, postId, input.mediaIds)
    await updatePost(tx, postId, {
      post_type: postType,
      is_exclusive: isExclusive,
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(input.content === undefined ? {} : { content: input.content }),
      ...(input.place === undefined ? {} : { place: input.place || null }),
      ...(input.tags === undefined ? {} : { tags: distinct(input.tags) }),
      ...(Object.keys(input).length > 0 ? { edited_at: now, updated_at: now } : {}),
    })
    return readPost(tx, viewer, postId)
  })
}

/** What is on the post already may stay, whoever uploaded it. @throws AppError invalid_input */
async function changeMedia(tx: Tx, userId: string, postId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, postId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  await replaceMedia(tx, postId, mediaIds)
}
