import { type CommunityPostType, maxMedia, type NewMention, type NewPost, type Post, type PostType } from '#contracts/posts.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Jurisdiction, maySeeProducts, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { descriptionsOf, fetchOutside, requireReadyMedia } from '#server/features/media/index.ts'
import { replaceMentions } from '#server/features/mentions/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { screenWords, type Verdict, type Writer } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput, notFound } from '#server/kernel/errors.ts'
import { withoutZip } from '#server/kernel/geo/place-search.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Linked } from './links.ts'
import {
  announce,
  announceMentions,
  countShown,
  insertPost,
  lockCounts,
  mediaIdsOf,
  membershipIn,
  rankPosts,
  replaceMedia,
  someMemberships,
} from './post-writes.queries.ts'
import { readPost } from './read-posts.ts'
import { advertising, type Viewer, viewerOf } from './visible-posts.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * Publishes a post in a business's name or the author's own. Repeating the idempotency key returns the first response.
 * @throws AppError invalid_input, not_found or forbidden about the business, age_restricted, conflict if too many downloads are pending,
 * idempotency_mismatch
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

type PostToPublish = Omit<NewPost, 'businessId' | 'postType' | 'mentions'> & {
  id: string
  businessId: string | null
  postType: NewPost['postType'] | CommunityPostType
  /** A locked community in which the author may write. */
  communityId?: string
  /** The ID of that community if not everyone can read it. */
  closedCommunityId?: string | null
  link?: Linked
  mentions?: readonly NewMention[]
  /** For text written earlier: see `replaceMentions`. */
  dropsImpossibleMentions?: boolean
}

const shown: Verdict = { state: null, findings: [] }

/** Screens a post's text as viewers see it. */
export async function screenPost(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  writer: Writer,
  {
    id,
    businessId,
    communityId,
    postType,
    mediaIds,
    ...post
  }: Pick<PostToPublish, 'id' | 'businessId' | 'communityId' | 'postType' | 'title' | 'content' | 'tags' | 'place' | 'mediaIds'>,
  before?: readonly string[],
): Promise<Verdict> {
  const kind = communityId === undefined ? 'post' : 'community_post'
  const texts = [...wordsOf(post), ...(await descriptionsOf(tx, mediaIds))]
  return screenWords(tx, ctx, writer, { kind, texts, before, postType, businessId, communityId, subjectId: id })
}

type Words = { title: string; content: string; tags: readonly string[]; place: string | null }

export const wordsOf = ({ title, content, tags, place }: Words): string[] => [title, content, tags.join(' '), place ?? '']

/**
 * Stores a post and announces it. Call after checking that the author may post for the business and that the post is valid
 * (`requirePublishable`), locking the media, and screening the text.
 * @throws AppError conflict if too many downloads are pending for this person
 */
export async function publishPost(tx: Tx, ctx: Omit<Ctx, 'db'>, viewer: Viewer, post: PostToPublish, verdict = shown): Promise<Post> {
  await storePost(tx, ctx, viewer, post, verdict)
  return readPost(tx, viewer, post.id)
}

/** Like `publishPost`, for callers that add to the post before it is read. Held posts aren't counted or announced. */
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
  if (row.community_id !== null) await rankPosts(tx, [post.id])
  await replaceMedia(tx, post.id, [...(await pictureElsewhere(tx, ctx, viewer, post)), ...post.mediaIds])
  const isMentioning = await replaceMentions(
    tx,
    { postId: post.id },
    {
      writerId: viewer.id,
      content: post.content,
      mentions: post.mentions ?? [],
      closedCommunityId: post.closedCommunityId ?? null,
      dropsImpossible: post.dropsImpossibleMentions,
    },
  )
  if (verdict.state === null && isMentioning) await announceMentions(tx, ctx, post.id)
  if (verdict.state === null) await announce(tx, ctx, row)
  else await hold(tx, ctx, row, verdict, now)
}

async function pictureElsewhere(
  tx: Tx,
  ctx: Omit<Ctx, 'db'>,
  viewer: Viewer,
  { id, imageUrl, mediaIds }: PostToPublish,
): Promise<string[]> {
  if (!imageUrl) return []
  if (mediaIds.length >= maxMedia)
    throw invalidField('imageUrl', `A post can have up to ${maxMedia} pictures and videos. Remove one first.`)
  return [await fetchOutside(tx, ctx, { url: imageUrl, ownerId: viewer.id, attach: { postId: id } })]
}

export const hold = (
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  post: { id: string; author_id: string; business_id: string | null; community_id: string | null },
  { findings }: Verdict,
  now: Date,
): Promise<string> =>
  holdForReview(tx, ctx, {
    subject: 'post',
    subjectId: post.id,
    userId: post.author_id,
    businessId: post.business_id,
    communityId: post.community_id,
    findings,
    now,
  })

/** Defaults to the author's only business. */
async function businessFor(tx: Tx, userId: string, businessId: string | null | undefined) {
  if (businessId === null) return null
  const id = businessId ?? (await onlyBusinessOf(tx, userId))
  if (id === null) return null
  const business = await membershipIn(tx, userId, id)
  if (!business) throw notFound('Business not found.')
  if (business.role === null) throw new AppError('forbidden', { message: 'Only the team of a business can post for it.' })
  return business
}

async function onlyBusinessOf(tx: Tx, userId: string): Promise<string | null> {
  const [first, second] = await someMemberships(tx, userId)
  return first && !second ? first.business_id : null
}

export const distinct = (tags: readonly string[]): string[] => [...new Set(tags)]

/**
 * A picture from another site reserves the first position in its post, and loses it if the download fails. Either way, the post gets a new
 * version, which invalidates cached responses.
 */
export async function attachPicture(tx: Tx, postId: string, mediaId: string, has: 'arrived' | 'failed', now: Date): Promise<void> {
  const post = await tx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().executeTakeFirst()
  if (!post) return
  const others = (await mediaIdsOf(tx, postId)).filter((id) => id !== mediaId)
  // A picture that an older release requested has no position yet.
  const shown = has === 'arrived' && others.length < maxMedia ? [mediaId, ...others] : others
  await replaceMedia(tx, postId, shown)
  await tx.updateTable('posts').set({ updated_at: now }).where('id', '=', postId).execute()
}

type Kind = { postType: PostType; isExclusive: boolean }

export function requirePublishable(post: Kind, writer: Viewer, business: Jurisdiction | null): void {
  requireFitting(post, business !== null)
  requireAge(post.postType, writer.age, business)
}

/** Rules for content only businesses can publish; reports all problems at once. */
export function requireFitting(post: Kind, isOfBusiness: boolean): void {
  if (isOfBusiness) return
  const issues = [
    ...(post.isExclusive ? [{ path: ['isExclusive'], message: 'Only a business can limit a post to its subscribers' }] : []),
    ...(advertising.includes(post.postType) ? [{ path: ['postType'], message: 'Only a business can post promotions and products' }] : []),
  ]
  if (issues.length > 0) throw invalidInput(issues)
}

/** People too young to see a business's advertising can't write it. */
export function requireAge(postType: PostType, age: number | null, place: Jurisdiction | null): void {
  if (place === null || !advertising.includes(postType) || maySeeProducts(age, place)) return
  const { minimumAge } = productAgeOf(place)
  throw new AppError('age_restricted', { message: `This business’s promotions and products are for people ${minimumAge} or older.` })
}
