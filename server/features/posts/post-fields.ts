import { LRUCache } from 'lru-cache'
import type { Media } from '#contracts/media.ts'
import type { FeedPost, Mention, Post } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { loadMentions } from '#server/features/mentions/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import { maxAgeMs } from '#server/kernel/answer-cache.ts'
import { pictureUrl } from '#server/kernel/media-address.ts'
import type { SharedPart } from '#server/kernel/serializer.ts'
import type { InCommunity } from './in-community.ts'
import { postAbilities } from './posts.policy.ts'
import { type ListedRow, type PostRow, postRows, sharedRows, toBusinessByline } from './posts.queries.ts'
import type { Viewer } from './visible-posts.ts'

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

/** Skips the query if no post mentions anyone. */
export const mentionsOf = (db: Db, viewer: Viewer | null, rows: readonly Pick<PostRow, 'post_id' | 'has_mentions'>[]) =>
  loadMentions(
    db,
    viewer?.id ?? null,
    'post',
    rows.filter((row) => row.has_mentions).map((row) => row.post_id),
  )

/**
 * Turns a list's rows into posts: `make` combines the fields that readers share with the viewer's own. Posts in communities need more:
 * see `loadPosts`. `isFresh`: the browser has just written, so skip the cache.
 */
export async function listedPosts<Listed extends Post>(
  db: Db,
  viewer: Viewer | null,
  rows: readonly ListedRow[],
  isFresh: boolean,
  make: (shared: SharedFields, row: PostRow, extras: Extras) => Listed,
): Promise<Listed[]> {
  const posts = await withSharedRows(db, viewer, rows, isFresh)
  const reasons = await reasonsOf(
    db,
    'post',
    posts.map(({ row: { post_id: id, moderation } }) => ({ id, moderation })),
  )
  const mentions = await mentionsOf(
    db,
    viewer,
    posts.map(({ row }) => row),
  )
  return posts.map(({ row, media, source }) => {
    const shared = source?.fields ?? toSharedFields(row, media)
    const post = make(shared, row, { heldFor: reasons.get(row.post_id), mentions: mentions.get(row.post_id) })
    if (source) {
      source.fields = shared
      sources.set(post, source)
    }
    return post
  })
}

const sources = new WeakMap<Post, CachedPost>()

export const sharedPart: SharedPart<Post> = {
  fields: [
    'id',
    'businessId',
    'business',
    'author',
    'title',
    'content',
    'imageUrl',
    'media',
    'place',
    'tags',
    'postType',
    'isExclusive',
    'isLocked',
    'createdAt',
    'editedAt',
  ] satisfies (keyof SharedFields)[],
  sourceOf: (post) => sources.get(post),
  ownKeyOf,
}

/** Null for the few posts that mention someone, are in a community, or are held. */
function ownKeyOf(post: Post & { reason?: FeedPost['reason'] }): string | null {
  const { mentions, community, moderation, heldFor, likesCount, commentsCount, isLiked, isSaved, abilities, reason } = post
  if (mentions.length > 0 || community !== null || moderation !== null || heldFor.length > 0) return null
  const { like, comment, edit, delete: mayDelete, report } = abilities
  return `${likesCount} ${commentsCount} ${isLiked} ${isSaved} ${like} ${comment} ${edit} ${mayDelete} ${report} ${reason?.text}`
}

/** A post as everyone who may read it sees it, or the locked version for everyone else. */
type SharedRow = Awaited<ReturnType<typeof sharedRows>>[number]
export type SharedFields = ReturnType<typeof toSharedFields>
type CachedPost = { row: SharedRow; media: Media[]; fields?: SharedFields }

/** Includes the post's fields and JSON. Characters take up to two bytes in a string and three in JSON; the rest is roughly constant. */
const bytesOf = ({ row, media }: CachedPost) => 6_000 + 5 * ((row.title?.length ?? 0) + (row.content?.length ?? 0)) + 1_000 * media.length

const cachedPosts = new LRUCache<string, CachedPost>({ maxSize: 32 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

const keyOf = ({ post_id: id, updated_at: version, is_locked: isLocked }: ListedRow) => `${id} ${version.getTime()} ${isLocked}`

/**
 * Loads the posts for a page of rows, which already state what this viewer may see. Many followers read the same posts at the same time, so
 * the parts that don't depend on the viewer are cached by version. Likes, comments and permissions come with the rows and are never cached.
 * Names and pictures next to a post may be as stale as any cached response (decision 002), except for a browser that has just written.
 */
async function withSharedRows(
  db: Db,
  viewer: Viewer | null,
  rows: readonly ListedRow[],
  isFresh: boolean,
): Promise<{ row: PostRow; media: Media[]; source?: CachedPost }[]> {
  const found = new Map<string, CachedPost>()
  for (const row of rows) {
    const entry = isFresh ? undefined : cachedPosts.get(keyOf(row))
    if (entry) found.set(row.post_id, entry)
  }
  const missing = rows.filter((row) => !found.has(row.post_id))
  const { shared, reread } = missing.length > 0 ? await read(db, viewer, missing) : { shared: [], reread: [] }
  for (const [row, post] of shared) {
    cachedPosts.set(keyOf(row), post)
    found.set(row.post_id, post)
  }
  const changed = new Map(reread.map((post) => [post.row.post_id, post]))
  return rows.flatMap((row) => {
    const entry = found.get(row.post_id)
    return entry ? { row: merged(entry.row, row), media: entry.media, source: entry } : (changed.get(row.post_id) ?? [])
  })
}

/** All columns of the viewer's row are named, because V8 builds that far faster than it merges two objects. */
const merged = (shared: SharedRow, row: ListedRow): PostRow => ({
  ...shared,
  post_id: row.post_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  likes_count: row.likes_count,
  comments_count: row.comments_count,
  is_locked: row.is_locked,
  is_liked: row.is_liked,
  is_saved: row.is_saved,
  is_member: row.is_member,
  is_subscriber: row.is_subscriber,
})

/**
 * A row's permissions apply only to its version of the post. If the post has changed since, permissions and text are read again in one
 * statement: a post that became exclusive must not show its new text.
 */
async function read(db: Db, viewer: Viewer | null, rows: readonly ListedRow[]) {
  const ids = rows.map((row) => row.post_id)
  const locked = rows.filter((row) => row.is_locked).map((row) => row.post_id)
  const shared = new Map((await sharedRows(db, { ids, locked })).map((row) => [row.post_id, row]))
  const isSame = (row: ListedRow) => shared.get(row.post_id)?.updated_at.getTime() === row.updated_at.getTime()
  const changed = rows.filter((row) => !isSame(row)).map((row) => row.post_id)
  const reread = changed.length > 0 ? await postRows(db, viewer, changed) : []
  const mediaIds = [...shared.values(), ...reread].flatMap((row) => row.media_ids ?? [])
  const media = await mediaOf(db, mediaIds)
  const withMedia = <Row extends { media_ids: string[] | null }>(row: Row) => ({
    row,
    media: (row.media_ids ?? []).flatMap((id) => media.get(id) ?? []),
  })
  return {
    shared: rows.filter(isSame).map((row) => [row, withMedia(shared.get(row.post_id) as SharedRow)] as const),
    reread: reread.map(withMedia),
  }
}
