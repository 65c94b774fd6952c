import { sql } from 'kysely'
import { homeRadiusMiles } from '#contracts/limits.ts'
import type { Media } from '#contracts/media.ts'
import type { FeedPost, feedTypes, Mention, Post } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { nearArea, requireBusiness } from '#server/features/businesses/index.ts'
import { type IsForEveryone, type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { loadMentions } from '#server/features/mentions/index.ts'
import { requireVisiblePerson, toPerson } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { pictureUrl } from '#server/kernel/media-address.ts'
import { suggestedPosts } from './feed.queries.ts'
import { type InCommunity, loadInCommunity } from './in-community.ts'
import { postAbilities } from './posts.policy.ts'
import {
  businessPostRows,
  heldPostKeys,
  isAnyOpen,
  mergeNewest,
  type PostKey,
  type PostRow,
  personPostKeys,
  placeParams,
  postRows,
  toBusinessByline,
} from './posts.queries.ts'
import { isOpen, readerOf, type Viewer, viewerOf } from './visible-posts.ts'

/** Returns only the posts and the parts of them that the viewer may see, in the order of the IDs. */
export async function loadPosts(db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<Post[]> {
  if (ids.length === 0) return []
  const rows = new Map((await postRows(db, viewer, ids)).map((row) => [row.post_id, row]))
  return toPosts(
    db,
    viewer,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
}

/** Keeps the order of the rows, which state what the viewer may see. */
async function toPosts(db: Db, viewer: Viewer | null, rows: readonly PostRow[]): Promise<Post[]> {
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

/** Skips the query if no post mentions anyone. */
export const mentionsOf = (db: Db, viewer: Viewer | null, rows: readonly Pick<PostRow, 'post_id' | 'has_mentions'>[]) =>
  loadMentions(
    db,
    viewer?.id ?? null,
    'post',
    rows.filter((row) => row.has_mentions).map((row) => row.post_id),
  )

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

/** Newest first; the business's team also gets held posts. */
export async function listBusinessPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const viewer = viewerOf(actor, clock.now())
  const place = { ...placeParams(decodeCursor(page.cursor, ['time', 'id'])), limit: page.limit + 1 }
  let rows = await businessPostRows(db, viewer, { idOrSlug, ...place })
  if (rows.length === 0) {
    // The business has no posts, was merged, or isn't shown.
    const { id, slug } = await requireBusiness(db, idOrSlug, actor?.id ?? null)
    if (id !== idOrSlug && slug !== idOrSlug) rows = await businessPostRows(db, viewer, { idOrSlug: id, ...place })
  }
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.post_id])
  return { items: await toPosts(db, viewer, items), nextCursor }
}

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

type Extras = { inCommunity?: InCommunity | undefined; heldFor?: string[] | undefined; mentions?: Mention[] | undefined }

export const toPost = (viewer: Viewer | null, row: PostRow, media: Media[], extras: Extras): Post =>
  withOwnFields(toSharedFields(row, media), viewer, row, extras)

/** These fields are the same for everyone who sees this version of the post in full, and for everyone who sees it locked. */
export const toSharedFields = (row: PostRow, media: Media[]) => ({
  id: row.post_id,
  businessId: row.business_id,
  business: toBusinessByline(row),
  author: row.business_id === null ? toPerson(row) : null,
  title: row.title,
  content: row.content ?? '',
  imageUrl: imageUrlOf(row, media),
  media,
  place: row.place,
  tags: row.tags ?? [],
  postType: row.post_type,
  isExclusive: row.is_exclusive,
  isLocked: row.is_locked,
  createdAt: row.created_at.toISOString(),
  editedAt: row.edited_at?.toISOString() ?? null,
})

/** Adds this viewer's fields. All are named in one literal, which V8 builds far faster than it merges two objects. */
export const withOwnFields = <Shared extends object>(
  shared: Shared,
  viewer: Viewer | null,
  row: PostRow,
  { inCommunity, heldFor = [], mentions = [] }: Extras,
) => ({
  ...shared,
  mentions,
  community: inCommunity?.place ?? null,
  // Never reveals that a post was removed.
  moderation: row.moderation === 'removed' ? null : row.moderation,
  heldFor: row.moderation === 'held' ? heldFor : [],
  // A locked post also hides its counts: see `requireOpenPost` in comments/read-comments.ts.
  likesCount: row.is_locked ? 0 : row.likes_count,
  commentsCount: row.is_locked ? 0 : row.comments_count,
  isLiked: row.is_liked && !row.is_locked,
  isSaved: row.is_saved,
  abilities: postAbilities(
    viewer,
    {
      author_id: row.id,
      business_id: row.business_id,
      is_member: row.is_member,
      is_locked: row.is_locked,
      moderation: row.moderation,
    },
    inCommunity?.access ?? null,
  ),
})

/** The URL of the first picture, even if it is still being downloaded from another site. */
function imageUrlOf({ media_ids: ids }: PostRow, media: Media[]): string | null {
  const pending = ids?.find((id) => !media.some((each) => each.id === id))
  if (pending) return pictureUrl(pending, 'large', 'webp')
  return media.find((each) => each.kind === 'image')?.sources.at(-1)?.webp ?? null
}
