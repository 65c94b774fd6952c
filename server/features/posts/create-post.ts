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
import { requirePublishable } from './post-rules.ts'
import { changePostsCount, insertPost, membershipIn, replaceMedia, someMemberships } from './post-writes.queries.ts'
import { readPost } from './read-posts.ts'
import { type Viewer, viewerOf } from './viewer.ts'

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
      requirePublishable(input, viewer, business)
      await requireReadyMedia(tx, actor.id, input.mediaIds)
      return publishPost(tx, ctx, viewer, { ...input, id, businessId: business?.id ?? null })
    }),
  )
}

type PostToPublish = Omit<NewPost, 'businessId'> & { id: string; businessId: string | null }

/**
 * Writes a post and tells of it. Whoever calls has asked whether the writer speaks for the business, for its rules
 * (`requirePublishable`), and holds the media.
 * @throws AppError conflict when too much waits to be fetched for this person
 */
export async function publishPost(tx: Tx, ctx: Omit<Ctx, 'db'>, viewer: Viewer, post: PostToPublish): Promise<Post> {
  const now = ctx.clock.now()
  // Before the post, as everywhere: see lock-post.ts.
  await lockPeople(tx, [viewer.id])
  // What is written for a business is not counted: whose number rises would tell who wrote it.
  if (post.businessId === null) await changePostsCount(tx, viewer.id, 1)
  await insertPost(tx, {
    id: post.id,
    author_id: viewer.id,
    business_id: post.businessId,
    title: post.title,
    content: post.content,
    post_type: post.postType,
    is_exclusive: post.isExclusive,
    source_image_url: post.imageUrl || null,
    place: post.place || null,
    tags: distinct(post.tags),
    created_at: now,
    updated_at: now,
  })
  await replaceMedia(tx, post.id, post.mediaIds)
  if (post.imageUrl) await fetchOutside(tx, ctx, { url: post.imageUrl, ownerId: viewer.id, attach: { postId: post.id } })
  await ctx.events.publish(tx, 'post.published', { postId: post.id })
  return readPost(tx, viewer, post.id)
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
