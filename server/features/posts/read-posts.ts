import type { Post } from '../../../contracts/posts.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { mediaOf } from '../media/index.ts'
import { reasonsOf } from '../screening/index.ts'
import { type InCommunity, loadInCommunity } from './in-community.ts'
import { postRows } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import type { Viewer } from './viewer.ts'

/** Of these posts those that the viewer may see, as the viewer may see them, in the order of the ids. */
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

/** Nothing is asked for where none of them is in a community. A visitor sees none of those. */
async function loadInCommunityOf(db: Db, viewer: Viewer | null, rows: readonly { post_id: string; community_id: string | null }[]) {
  const ids = rows.filter((row) => row.community_id !== null).map((row) => row.post_id)
  return viewer === null ? new Map<string, InCommunity>() : loadInCommunity(db, viewer, ids)
}

/** @throws AppError not_found where it is not there or not for this viewer */
export async function readPost(db: Db, viewer: Viewer | null, id: string): Promise<Post> {
  const [post] = await loadPosts(db, viewer, [id])
  if (!post) throw notFound('Post not found.')
  return post
}
