import type { Post } from '../../../contracts/posts.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { mediaOf } from '../media/index.ts'
import { type PostRow, postRows } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import type { Viewer } from './viewer.ts'

/** Of these posts those that the viewer may see, as the viewer may see them, in the order of the ids. */
export async function loadPosts(db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<Post[]> {
  return (await loadPostsWithRows(db, viewer, ids)).map(({ post }) => post)
}

/** The same, with what the database knows of the viewer's relation to each. */
export async function loadPostsWithRows(db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<{ post: Post; row: PostRow }[]> {
  if (ids.length === 0) return []
  const rows = new Map((await postRows(db, viewer, ids)).map((row) => [row.post_id, row]))
  const media = await mediaOf(
    db,
    [...rows.values()].flatMap((row) => row.media_ids ?? []),
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row
      ? [
          {
            row,
            post: toPost(
              viewer,
              row,
              (row.media_ids ?? []).flatMap((mediaId) => media.get(mediaId) ?? []),
            ),
          },
        ]
      : []
  })
}

/** @throws AppError not_found where it is not there or not for this viewer */
export async function readPost(db: Db, viewer: Viewer | null, id: string): Promise<Post> {
  const [post] = await loadPosts(db, viewer, [id])
  if (!post) throw notFound('Post not found.')
  return post
}
