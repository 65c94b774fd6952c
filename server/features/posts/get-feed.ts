import { LRUCache } from 'lru-cache'
import type { Media } from '#contracts/media.ts'
import type { FeedPost, feedTypes, Post } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Session } from '#server/kernel/actor.ts'
import { maxAgeMs } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type FeedRow, feedRows } from './feed.queries.ts'
import { type PostRow, postRows, sharedRows } from './posts.queries.ts'
import { mentionsOf, type PageQuery, toPost } from './read-posts.ts'
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
    items: posts.map(({ row, media }) => {
      const post = toPost(viewer, row, media, { heldFor: reasons.get(row.post_id), mentions: mentions.get(row.post_id) })
      return { ...post, reason: reasonOf(viewer, post, row) }
    }),
    nextCursor,
  }
}

/** The reason given is the viewer's closest relation to the post. Only the author learns which team member wrote a business's post. */
function reasonOf(viewer: Viewer, post: Post, row: PostRow): FeedPost['reason'] {
  const name = post.business?.name ?? post.author?.name ?? ''
  if (row.id === viewer.id) return { kind: 'own', text: 'Your post' }
  if (row.is_member) return { kind: 'own', text: `You're on the team of ${name}` }
  if (row.is_subscriber) return { kind: 'subscription', text: `You subscribe to ${name}` }
  return { kind: post.business ? 'business' : 'person', text: `You follow ${name}` }
}

/** A post as everyone who may read it sees it, or the locked version for everyone else. */
type SharedRow = Awaited<ReturnType<typeof sharedRows>>[number]
type Remembered = { row: SharedRow; media: Media[] }

/** Strings take up to two bytes per character; everything else is about constant. */
const bytesOf = ({ row, media }: Remembered) => 2_000 + 2 * ((row.title?.length ?? 0) + (row.content?.length ?? 0)) + 500 * media.length

const remembered = new LRUCache<string, Remembered>({ maxSize: 32 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

/** Versions and locked state are part of the key. */
const keyOf = ({ post_id: id, updated_at: version, is_locked: isLocked }: FeedRow) => `${id} ${version.getTime()} ${isLocked}`

/**
 * Posts of a page whose rows say what this viewer may see. Many followers read the same posts at the same time, so the parts that don't
 * depend on the viewer are cached by version. Likes, comments and permissions come with the rows and are never cached. Names and pictures
 * next to a post may be as stale as any cached response (decision 002), except for a browser that has just written.
 */
async function sharedPosts(
  db: Db,
  viewer: Viewer,
  rows: readonly FeedRow[],
  isFresh: boolean,
): Promise<{ row: PostRow; media: Media[] }[]> {
  const found = new Map<string, Remembered>()
  for (const row of rows) {
    const entry = isFresh ? undefined : remembered.get(keyOf(row))
    if (entry) found.set(row.post_id, entry)
  }
  const missing = rows.filter((row) => !found.has(row.post_id))
  const { shared, reread } = missing.length > 0 ? await read(db, viewer, missing) : { shared: [], reread: [] }
  for (const [row, post] of shared) {
    remembered.set(keyOf(row), post)
    found.set(row.post_id, post)
  }
  const changed = new Map(reread.map((post) => [post.row.post_id, post]))
  return rows.flatMap((row) => {
    const entry = found.get(row.post_id)
    return entry ? { row: { ...entry.row, ...row }, media: entry.media } : (changed.get(row.post_id) ?? [])
  })
}

/**
 * A row's permissions apply only to its version of the post. If the post has changed since, permissions and text are re-read in one
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
