import { LRUCache } from 'lru-cache'
import type { Media } from '../../../contracts/media.ts'
import type { Db } from '../../db/connect.ts'
import { maxAgeMs } from '../../kernel/answer-cache.ts'
import { mediaOf } from '../media/index.ts'
import type { FeedRow } from './feed.queries.ts'
import { type PostRow, postRows, sharedRows } from './posts.queries.ts'
import type { Viewer } from './viewer.ts'

/** What is the same of a post for everybody who may read it, or of a locked one for everybody else. */
type SharedRow = Awaited<ReturnType<typeof sharedRows>>[number]
type Remembered = { row: SharedRow; media: Media[] }

/** A string takes up to two bytes a character; everything else of a post is about as long each time. */
const bytesOf = ({ row, media }: Remembered) => 2_000 + 2 * ((row.title?.length ?? 0) + (row.content?.length ?? 0)) + 500 * media.length

const remembered = new LRUCache<string, Remembered>({ maxSize: 32 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

/** Of another version of the post, or of one that is open to others, nothing is remembered here. */
const keyOf = ({ post_id: id, updated_at: version, is_locked: isLocked }: FeedRow) => `${id} ${version.getTime()} ${isLocked}`

/**
 * The posts of a page whose rows say what of them this viewer may see. Many followers read the same posts at the same time: what does not
 * depend on the reader is kept in memory, by the post's version. Likes, comments and rights come with the rows and are never kept;
 * a name or picture beside a post may be as old as any kept answer (decision 002), but not for a browser that has just written.
 */
export async function sharedPosts(
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
  const { shared, anew } = missing.length > 0 ? await read(db, viewer, missing) : { shared: [], anew: [] }
  for (const [row, post] of shared) {
    remembered.set(keyOf(row), post)
    found.set(row.post_id, post)
  }
  const changed = new Map(anew.map((post) => [post.row.post_id, post]))
  return rows.flatMap((row) => {
    const entry = found.get(row.post_id)
    return entry ? { row: { ...entry.row, ...row }, media: entry.media } : (changed.get(row.post_id) ?? [])
  })
}

/**
 * What a row says of a reader's rights holds for its version of the post. Where the post has changed or gone since, rights and words are read
 * anew, in one statement: a post that became exclusive must not show its new words.
 */
async function read(db: Db, viewer: Viewer, rows: readonly FeedRow[]) {
  const ids = rows.map((row) => row.post_id)
  const locked = rows.filter((row) => row.is_locked).map((row) => row.post_id)
  const shared = new Map((await sharedRows(db, { ids, locked })).map((row) => [row.post_id, row]))
  const isSame = (row: FeedRow) => shared.get(row.post_id)?.updated_at.getTime() === row.updated_at.getTime()
  const changed = rows.filter((row) => !isSame(row)).map((row) => row.post_id)
  const anew = changed.length > 0 ? await postRows(db, viewer, changed) : []
  const media = await mediaOf(
    db,
    [...shared.values(), ...anew].flatMap((row) => row.media_ids ?? []),
  )
  const withMedia = <Row extends { media_ids: string[] | null }>(row: Row) => ({
    row,
    media: (row.media_ids ?? []).flatMap((id) => media.get(id) ?? []),
  })
  return {
    shared: rows.filter(isSame).map((row) => [row, withMedia(shared.get(row.post_id) as SharedRow)] as const),
    anew: anew.map(withMedia),
  }
}
