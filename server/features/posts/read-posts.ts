import { sql } from 'kysely'
import { homeRadiusMiles } from '#contracts/limits.ts'
import type { FeedPost, feedTypes, Post } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { nearArea, requireBusiness } from '#server/features/businesses/index.ts'
import { type IsForEveryone, type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { requireVisiblePerson } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor, Session } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { feedRows, suggestedPosts } from './feed.queries.ts'
import { type InCommunity, loadInCommunity } from './in-community.ts'
import { listedPosts, mentionsOf, type SharedFields, toPost, withOwnFields } from './post-fields.ts'
import {
  businessPostRows,
  heldPostKeys,
  isAnyOpen,
  type ListedRow,
  mergeNewest,
  type PostKey,
  type PostRow,
  personPostKeys,
  placeParams,
  postRows,
} from './posts.queries.ts'
import { isOpen, readerOf, type Viewer, viewerOf } from './visible-posts.ts'

/** Returns only the posts and the parts of them that the viewer may see, in the order of the IDs. */
export async function loadPosts(db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<Post[]> {
  if (ids.length === 0) return []
  const found = new Map((await postRows(db, viewer, ids)).map((row) => [row.post_id, row]))
  const rows = ids.flatMap((id) => found.get(id) ?? [])
  const mediaIds = rows.flatMap((row) => row.media_ids ?? [])
  const media = await mediaOf(db, mediaIds)
  const inCommunity = await loadInCommunityOf(db, viewer, rows)
  const reasons = await reasonsOf(
    db,
    'post',
    rows.map(({ post_id: id, moderation }) => ({ id, moderation })),
  )
  const mentions = await mentionsOf(db, viewer, rows)
  return rows.map((row) => {
    const id = row.post_id
    const own = (row.media_ids ?? []).flatMap((mediaId) => media.get(mediaId) ?? [])
    return toPost(viewer, row, own, { inCommunity: inCommunity.get(id), heldFor: reasons.get(id), mentions: mentions.get(id) })
  })
}

/** Skips the query if no post is in a community. Visitors never see community posts. */
async function loadInCommunityOf(db: Db, viewer: Viewer | null, rows: readonly { post_id: string; community_id: string | null }[]) {
  const ids = rows.filter((row) => row.community_id !== null).map((row) => row.post_id)
  return viewer === null ? new Map<string, InCommunity>() : loadInCommunity(db, viewer, ids)
}

/** @throws AppError not_found if it is missing or not visible to this viewer */
export async function readPost(db: Db, viewer: Viewer | null, id: string): Promise<Post> {
  const [post] = await loadPosts(db, viewer, [id])
  if (!post) throw notFound('Post not found.')
  return post
}

export type PageQuery = { limit: number; cursor?: string | undefined }

export const keyOfPost = (row: PostKey) => [row.created_at.toISOString(), row.id] as const

/** Newest first; the business's team also gets held posts. `isFresh`: see `listedPosts`. */
export async function listBusinessPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
  isFresh: boolean,
): Promise<Page<Post>> {
  const viewer = viewerOf(actor, clock.now())
  const place = { ...placeParams(decodeCursor(page.cursor, ['time', 'id'])), limit: page.limit + 1 }
  let rows = await businessPostRows(db, viewer, { idOrSlug, ...place })
  if (rows.length === 0) {
    // The business has no posts, was merged, or isn't shown.
    const { id, slug } = await requireBusiness(db, idOrSlug, actor?.id ?? null)
    if (id !== idOrSlug && slug !== idOrSlug) rows = await businessPostRows(db, viewer, { idOrSlug: id, ...place })
  }
  const { items, nextCursor } = toPage(rows, page.limit, keyOfRow)
  const posts = await listedPosts(db, viewer, items, isFresh, (shared, row, extras) => withOwnFields(shared, viewer, row, extras))
  return { items: posts, nextCursor }
}

const keyOfRow = (row: ListedRow) => [row.created_at.toISOString(), row.post_id] as const

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

/** Newest first, including the viewer's own held ones. A private profile's list is empty for others. */
export async function listPersonPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  personId: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const person = await requireVisiblePerson(db, actor.id, personId)
  if (!person.isPublic && !person.isSelf) return { items: [], nextCursor: null }
  const viewer = viewerOf(actor, clock.now())
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const limit = page.limit + 1
  const [listed, held] = await Promise.all([
    personPostKeys(db, viewer, personId, after, limit),
    person.isSelf ? heldPostKeys(db, viewer, { in: 'profile' }, after, limit) : [],
  ])
  const { items, nextCursor } = toPage(mergeNewest(listed, held, limit), page.limit, keyOfPost)
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}

type FeedQuery = PageQuery & { type?: (typeof feedTypes)[number] | undefined }

/**
 * Posts from the person's follows and their own, newest first, each with the reason it is shown. `isFresh`: see `listedPosts`.
 */
export async function getFeed(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { actor, user }: Session,
  query: FeedQuery,
  isFresh: boolean,
): Promise<Page<FeedPost>> {
  const viewer = viewerOf(actor, clock.now())
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await feedRows(db, viewer, {
    type: query.type ?? null,
    followingCount: user.followingCount,
    after,
    limit: query.limit + 1,
  })
  const { items, nextCursor } = toPage(rows, query.limit, keyOfRow)
  const posts = await listedPosts(db, viewer, items, isFresh, (shared, row, extras) => ({
    ...withOwnFields(shared, viewer, row, extras),
    reason: reasonOf(viewer, shared, row),
  }))
  return { items: posts, nextCursor }
}

/**
 * States the viewer's closest connection to the post. Only the author sees "Your post", so the rest of the team doesn't learn who wrote a
 * business's post.
 */
function reasonOf(viewer: Viewer, post: SharedFields, row: PostRow): FeedPost['reason'] {
  const name = post.business?.name ?? post.author?.name ?? ''
  if (row.id === viewer.id) return { kind: 'own', text: 'Your post' }
  if (row.is_member) return { kind: 'own', text: `You’re on the team of ${name}` }
  if (row.is_subscriber) return { kind: 'subscription', text: `You subscribe to ${name}` }
  return { kind: post.business ? 'business' : 'person', text: `You follow ${name}` }
}

const maxSuggestions = 10
/** Likes within seven days that count as "many". */
const manyLikes = 5

/** Recent posts of businesses that the person neither follows nor belongs to: those near a place first, then by likes, comments and age. */
export async function getSuggestions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  query: { type?: (typeof feedTypes)[number] | undefined; near?: string | undefined },
): Promise<FeedPost[]> {
  const now = clock.now()
  const viewer = viewerOf(actor, now)
  const area = query.near ? nearArea(query.near, homeRadiusMiles, 'near') : null
  const found = await suggestedPosts(db, viewer, { type: query.type ?? null, area, now, manyLikes, limit: maxSuggestions })
  const rows = new Map(found.map((row) => [row.id, row]))
  return (await loadPosts(db, viewer, idsOf(found))).map((post) => ({
    ...post,
    reason: {
      kind: 'suggestion',
      text: suggestionReason(rows.get(post.id)),
    },
  }))
}

function suggestionReason(row: { is_liked_by_many: boolean; is_near: boolean } | undefined): string {
  if (row?.is_liked_by_many) return 'Suggested: popular this week'
  return row?.is_near ? 'Suggested: new from a business near you' : 'Suggested: new from businesses you might like'
}

/** SQL: whether a post's media is public. Same rule as for its text. */
export const isPostMediaPublic: IsForEveryone = (postId) => sql<boolean>`exists (
  select from posts left join businesses on businesses.id = posts.business_id where posts.id = ${postId} and ${isOpen(readerOf(null))})`

export const mayReadPostMedia: MayReadMedia = (db, actor, postIds, now) => isAnyOpen(db, viewerOf(actor, now), postIds)
