import type { NewPost, Post } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { fetchOutside, requireReadyMedia } from '../media/index.ts'
import { lockPeople } from '../people/index.ts'
import { requireAge, requireFitting } from './post-rules.ts'
import { changePostsCount, insertPost, membershipIn, replaceMedia, someMemberships } from './post-writes.queries.ts'
import { readPost } from './read-posts.ts'
import { viewerOf } from './viewer.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * Publishes a post under a business or the own name. A repetition with the same idempotency key gets the first one's answer.
 * @throws AppError invalid_input, not_found or forbidden about the business, age_restricted, idempotency_mismatch
 */
export async function createPost(ctx: Ctx, actor: Actor, input: NewPost, idempotency: IdempotencyKey | null): Promise<Post> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  const id = newId()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const business = await businessFor(tx, actor.id, input.businessId)
      requireFitting(input, business !== null)
      requireAge(input.postType, viewer.age, business)
      await requireReadyMedia(tx, actor.id, input.mediaIds)
      // Before the post, as everywhere: see lock-post.ts.
      await lockPeople(tx, [actor.id])
      // What is written for a business is not counted: whose number rises would tell who wrote it.
      if (business === null) await changePostsCount(tx, actor.id, 1)
      await insertPost(tx, {
        id,
        author_id: actor.id,
        business_id: business?.id ?? null,
        title: input.title,
        content: input.content,
        post_type: input.postType,
        is_exclusive: input.isExclusive,
        source_image_url: input.imageUrl || null,
        place: input.place || null,
        tags: distinct(input.tags),
        created_at: now,
        updated_at: now,
      })
      await replaceMedia(tx, id, input.mediaIds)
      if (input.imageUrl) await fetchOutside(tx, ctx, { url: input.imageUrl, ownerId: actor.id, attach: { postId: id } })
      await ctx.events.publish(tx, 'post.published', { postId: id })
      return readPost(tx, viewer, id)
    }),
  )
}

/** Where the writer does not say: the business of somebody who belongs to exactly one. @throws AppError not_found, forbidden */
async function businessFor(tx: Tx, userId: string, businessId: string | null | undefined) {
  if (businessId === null) return null
  const id = businessId ?? (await onlyBusinessOf(tx, userId))
  if (id === null) return null
  const business = await membershipIn(tx, userId, id)
  if (!business) throw notFound('Business not found.')
  if (business.role === null) throw new AppError('forbidden', { message: 'Only those who run a business can post for it.' })
  return business
}

async function onlyBusinessOf(tx: Tx, userId: string): Promise<string | null> {
  const [first, second] = await someMemberships(tx, userId)
  return first && !second ? first.business_id : null
}

export const distinct = (tags: readonly string[]): string[] => [...new Set(tags)]
