import { LRUCache } from 'lru-cache'
import type { Media } from '#contracts/media.ts'
import type { FeedPost, feedTypes } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Session } from '#server/kernel/actor.ts'
import { maxAgeMs } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import type { SharedPart } from '#server/kernel/serializer.ts'
import { type FeedRow, feedRows } from './feed.queries.ts'
import { type PostRow, postRows, sharedRows } from './posts.queries.ts'
import { mentionsOf, type PageQuery, toSharedFields, withOwnFields } from './read-posts.ts'
import { type Viewer, viewerOf } from './visible-posts.ts'

type FeedQuery = PageQuery & { type?: (typeof feedTypes)[number] | undefined }

/**
 * Posts from the person's follows and their own, newest first, each with the reason it is shown.
 * `isFresh`: the browser has just written, so skip the cache.
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
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.post_id])
  const posts = await sharedPosts(db, viewer, items, isFresh)
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
  return {
    items: posts.map(({ row, media, source }) => {
      const shared = source?.fields ?? toSharedFields(row, media)
      const extras = { heldFor: reasons.get(row.post_id), mentions: mentions.get(row.post_id) }
      const post = { ...withOwnFields(shared, viewer, row, extras), reason: reasonOf(viewer, shared, row) }
      if (source) {
        source.fields = shared
        sources.set(post, source)
      }
      return post
    }),
    nextCursor,
  }
}

const sources = new WeakMap<FeedPost, CachedPost>()

export const sharedPart: SharedPart<FeedPost> = {
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
}

/** The reason is the viewer's closest relation to the post. Only the author learns which team member wrote a business's post. */
function reasonOf(viewer: Viewer, post: SharedFields, row: PostRow): FeedPost['reason'] {
  const name = post.business?.name ?? post.author?.name ?? ''
  if (row.id === viewer.id) return { kind: 'own', text: 'Your post' }
  if (row.is_member) return { kind: 'own', text: `You’re on the team of ${name}` }
  if (row.is_subscriber) return { kind: 'subscription', text: `You subscribe to ${name}` }
  return { kind: post.business ? 'business' : 'person', text: `You follow ${name}` }
}

/** A post as everyone who may read it sees it, or the locked version for everyone else. */
type SharedRow = Awaited<ReturnType<typeof sharedRows>>[number]
type SharedFields = ReturnType<typeof toSharedFields>
type CachedPost = { row: SharedRow; media: Media[]; fields?: SharedFields }

/** Includes its fields and JSON. Characters take up to two bytes in a string and three in JSON; everything else is roughly constant. */
const bytesOf = ({ row, media }: CachedPost) => 3_000 + 5 * ((row.title?.length ?? 0) + (row.content?.length ?? 0)) + 1_000 * media.length

const cachedPosts = new LRUCache<string, CachedPost>({ maxSize: 32 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

const keyOf = ({ post_id: id, updated_at: version, is_locked: isLocked }: FeedRow) => `${id} ${version.getTime()} ${isLocked}`

/**
 * Loads the posts for a page of rows, which already state what this viewer may see. Many followers read the same posts at the same time, so
 * the parts that don't depend on the viewer are cached by version. Likes, comments and permissions come with the rows and are never cached.
 * Names and pictures next to a post may be as stale as any cached response (decision 002), except for a browser that has just written.
 */
async function sharedPosts(
  db: Db,
  viewer: Viewer,
  rows: readonly FeedRow[],
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
const merged = (shared: SharedRow, row: FeedRow): PostRow => ({
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
async function read(db: Db, viewer: Viewer, rows: readonly FeedRow[]) {
  const ids = rows.map((row) => row.post_id)
  const locked = rows.filter((row) => row.is_locked).map((row) => row.post_id)
  const shared = new Map((await sharedRows(db, { ids, locked })).map((row) => [row.post_id, row]))
  const isSame = (row: FeedRow) => shared.get(row.post_id)?.updated_at.getTime() === row.updated_at.getTime()
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
