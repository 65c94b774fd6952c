import { type CommunityPostType, maxMedia, type NewPost, type Post } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { withoutZip } from '../../kernel/geo/place-search.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { fetchOutside, requireReadyMedia } from '../media/index.ts'
import { holdForReview } from '../moderation/index.ts'
import { screenWords, type Verdict, type Writer } from '../screening/index.ts'
import type { Linked } from './links.ts'
import { requirePublishable } from './post-rules.ts'
import { insertPost, membershipIn, replaceMedia, someMemberships } from './post-writes.queries.ts'
import { readPost } from './read-posts.ts'
import { announce, countShown, lockCounts } from './shown-counts.ts'
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
      const post = { ...input, id, businessId: business?.id ?? null }
      return publishPost(tx, ctx, viewer, post, await screenPost(tx, ctx, actor, post))
    }),
  )
}

type PostToPublish = Omit<NewPost, 'businessId' | 'postType'> & {
  id: string
  businessId: string | null
  postType: NewPost['postType'] | CommunityPostType
  /** Where it goes; the caller holds the community and has asked whether the writer may write there. */
  communityId?: string
  link?: Linked
}

const shown: Verdict = { state: null, findings: [] }

/** The words of a post as its readers see them, held against the rules. @throws AppError forbidden, invalid_input */
export function screenPost(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  writer: Writer,
  {
    id,
    businessId,
    communityId,
    postType,
    ...post
  }: Pick<PostToPublish, 'id' | 'businessId' | 'communityId' | 'postType' | 'title' | 'content' | 'tags' | 'place'>,
  before?: readonly string[],
): Promise<Verdict> {
  const kind = communityId === undefined ? 'post' : 'community_post'
  return screenWords(tx, ctx, writer, { kind, texts: wordsOf(post), before, postType, businessId, communityId, subjectId: id })
}

type Words = { title: string; content: string; tags: readonly string[]; place: string | null }

export const wordsOf = ({ title, content, tags, place }: Words): string[] => [title, content, tags.join(' '), place ?? '']

/**
 * Writes a post and tells of it. Whoever calls has asked whether the writer speaks for the business, for its rules
 * (`requirePublishable`), holds the media, and has had the words screened.
 * @throws AppError conflict when too much waits to be fetched for this person
 */
export async function publishPost(tx: Tx, ctx: Omit<Ctx, 'db'>, viewer: Viewer, post: PostToPublish, verdict = shown): Promise<Post> {
  await storePost(tx, ctx, viewer, post, verdict)
  return readPost(tx, viewer, post.id)
}

/** `publishPost` for whoever has more to add to the post before it is read. What is held is counted nowhere and told to nobody. */
export async function storePost(tx: Tx, ctx: Omit<Ctx, 'db'>, viewer: Viewer, post: PostToPublish, verdict = shown): Promise<void> {
  const now = ctx.clock.now()
  const row = {
    id: post.id,
    author_id: viewer.id,
    business_id: post.businessId,
    community_id: post.communityId ?? null,
    title: post.title,
    content: post.content,
    post_type: post.postType,
    is_exclusive: post.isExclusive,
    source_image_url: post.imageUrl || null,
    place: withoutZip(post.place) || null,
    tags: distinct(post.tags),
    ...post.link,
    moderation: verdict.state,
    created_at: now,
    updated_at: now,
  }
  await lockCounts(tx, row)
  if (verdict.state === null) await countShown(tx, row, 1, now)
  await insertPost(tx, row)
  await replaceMedia(tx, post.id, [...(await pictureElsewhere(tx, ctx, viewer, post)), ...post.mediaIds])
  if (verdict.state === null) await announce(tx, ctx, row)
  else await hold(tx, row, verdict, now)
}

/** Of a picture of another site, the id that it will have here. @throws AppError invalid_input, conflict */
async function pictureElsewhere(
  tx: Tx,
  ctx: Omit<Ctx, 'db'>,
  viewer: Viewer,
  { id, imageUrl, mediaIds }: PostToPublish,
): Promise<string[]> {
  if (!imageUrl) return []
  if (mediaIds.length >= maxMedia) throw invalidField('imageUrl', `A post shows at most ${maxMedia} pictures and videos. Remove one first.`)
  return [await fetchOutside(tx, ctx, { url: imageUrl, ownerId: viewer.id, attach: { postId: id } })]
}

/** A moderator looks at it first. */
export const hold = (
  tx: Tx,
  post: { id: string; author_id: string; community_id: string | null },
  { findings }: Verdict,
  now: Date,
): Promise<string> =>
  holdForReview(tx, { subject: 'post', subjectId: post.id, userId: post.author_id, communityId: post.community_id, findings, now })

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
