import { sql } from 'kysely'
import type { FeedPost, feedTypes, Post } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { type IsForEveryone, type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { requireVisiblePerson } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { suggestedPosts } from './feed.queries.ts'
import { type InCommunity, loadInCommunity } from './in-community.ts'
import { businessPostKeys, isAnyOpen, type PostKey, personPostKeys, postRows } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import { type Viewer, viewerOf } from './viewer.ts'
import { isOpen, readerOf } from './visible-posts.ts'

/** The posts among these that the viewer may see, as the viewer may see them, in the order of the ids. */
export async function loadPosts(db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<Post[]> {
  if (ids.length === 0) return []
  const rows = new Map((await postRows(db, viewer, ids)).map((row) => [row.post_id, row]))
  const mediaIds = [...rows.values()].flatMap((row) => row.media_ids ?? [])
  const media = await mediaOf(db, mediaIds)
  const inCommunity = await loadInCommunityOf(db, viewer, [...rows.values()])
  const reasons = await reasonsOf(
    db,
    'post',
    [...rows.values()].map(({ post_id: id, moderation }) => ({ id, moderation })),
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const own = (row.media_ids ?? []).flatMap((mediaId) => media.get(mediaId) ?? [])
    return [toPost(viewer, row, own, inCommunity.get(id), reasons.get(id))]
  })
}

/** Skips the query if none is in a community. Visitors never see community posts. */
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

/** Newest first. @throws AppError not_found */
export async function listBusinessPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const viewer = viewerOf(actor, clock.now())
  const keys = await businessPostKeys(db, viewer, business.id, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(keys, page.limit, keyOfPost)
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

/** Newest first. A private profile's list is empty for others. @throws AppError not_found */
export async function listPersonPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  personId: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const person = await requireVisiblePerson(db, actor.id, personId)
  if (!person.isPublic && !person.isSelf) return { items: [], nextCursor: null }
  const viewer = viewerOf(actor, clock.now())
  const keys = await personPostKeys(db, viewer, personId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(keys, page.limit, keyOfPost)
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}

const maxSuggestions = 10
/** Likes within seven days that count as "many". */
const manyLikes = 5

/** Recent posts of businesses that the person has no relation to, most liked first. */
export async function getSuggestions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  query: { type?: (typeof feedTypes)[number] | undefined },
): Promise<FeedPost[]> {
  const now = clock.now()
  const viewer = viewerOf(actor, now)
  const found = await suggestedPosts(db, viewer, { type: query.type ?? null, now, manyLikes, limit: maxSuggestions })
  const areLikedByMany = new Map(found.map((row) => [row.id, row.is_liked_by_many]))
  return (await loadPosts(db, viewer, idsOf(found))).map((post) => ({
    ...post,
    reason: {
      kind: 'suggestion',
      text: areLikedByMany.get(post.id) ? 'Suggested: liked by many this week' : 'Suggested: new from businesses you might like',
    },
  }))
}

/** SQL: whether a post's media is public. Same rule as for its text. */
export const isPostMediaPublic: IsForEveryone = (postId) => sql<boolean>`exists (
  select from posts left join businesses on businesses.id = posts.business_id where posts.id = ${postId} and ${isOpen(readerOf(null))})`

/** The same for one viewer. */
export const mayReadPostMedia: MayReadMedia = (db, actor, postIds, now) => isAnyOpen(db, viewerOf(actor, now), postIds)
