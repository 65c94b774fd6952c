import { LRUCache } from 'lru-cache'
import type { Media } from '../../../contracts/media.ts'
import type { Db } from '../../db/connect.ts'
import { maxAgeMs } from '../../kernel/answer-cache.ts'
import { mediaOf } from '../media/index.ts'
import type { FeedRow } from './feed.queries.ts'
import { type PostRow, sharedRows } from './posts.queries.ts'

/** What is the same of a post for everybody who may read it, or of a locked one for everybody else. */
type SharedRow = Awaited<ReturnType<typeof sharedRows>>[number]
type Remembered = { row: SharedRow; media: Media[] }

/** A string takes up to two bytes a character; everything else of a post is about as long each time. */
const bytesOf = ({ row, media }: Remembered) => 2_000 + 2 * ((row.title?.length ?? 0) + (row.content?.length ?? 0)) + 500 * media.length

const remembered = new LRUCache<string, Remembered>({ maxSize: 32 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

/** Of another version of the post, or of one that is open to others, nothing is remembered here. */
const keyOf = ({ post_id: id, updated_at: version, is_locked: isLocked }: FeedRow) => `${id} ${version.getTime()} ${isLocked}`

/**
 * The posts of a page whose rows say who may see what of them. Many followers read the same posts at the same time: what does not
 * depend on the reader is kept in memory, by the post's version. Likes, comments and rights come with the rows and are never kept;
 * a name or picture beside a post may be as old as any kept answer (decision 002), but not for a browser that has just written.
 */
export async function sharedPosts(db: Db, rows: readonly FeedRow[], isFresh: boolean): Promise<{ row: PostRow; media: Media[] }[]> {
  const found = new Map<string, Remembered>()
  for (const row of rows) {
    const entry = isFresh ? undefined : remembered.get(keyOf(row))
    if (entry) found.set(row.post_id, entry)
  }
  const missing = rows.filter((row) => !found.has(row.post_id))
  if (missing.length > 0) {
    for (const [row, entry] of await read(db, missing)) {
      remembered.set(keyOf(row), entry)
      found.set(row.post_id, entry)
    }
  }
  return rows.flatMap((row) => {
    const entry = found.get(row.post_id)
    return entry ? [{ row: { ...entry.row, ...row }, media: entry.media }] : []
  })
}

async function read(db: Db, rows: readonly FeedRow[]): Promise<[FeedRow, Remembered][]> {
  const ids = rows.map((row) => row.post_id)
  const locked = rows.filter((row) => row.is_locked).map((row) => row.post_id)
  const shared = new Map((await sharedRows(db, { ids, locked })).map((row) => [row.post_id, row]))
  const mediaIds = [...shared.values()].flatMap((row) => row.media_ids ?? [])
  const media = await mediaOf(db, mediaIds)
  return rows.flatMap((row): [FeedRow, Remembered][] => {
    const entry = shared.get(row.post_id)
    return entry ? [[row, { row: entry, media: (entry.media_ids ?? []).flatMap((id) => media.get(id) ?? []) }]] : []
  })
}
