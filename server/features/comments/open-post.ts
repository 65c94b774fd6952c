import type { Db, Tx } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { lockPost, type PostFacts, postFacts, type Viewer } from '../posts/index.ts'

/**
 * Where a post is locked, whether anybody said something to it is nobody else's business either. `missing` is said of what was asked for,
 * so that nobody learns of a comment from what is said of its post.
 * @throws AppError not_found
 */
export async function requireOpenPost(db: Db, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<void> {
  const post = await postFacts(db, viewer, postId)
  if (!post?.is_visible || post.is_locked) throw notFound(missing)
}

/** The same, holding the post until the transaction ends: all that counts its comments waits there. @throws AppError not_found */
export async function lockOpenPost(tx: Tx, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<PostFacts> {
  const post = await lockPost(tx, viewer, postId, missing)
  if (post.is_locked) throw notFound(missing)
  return post
}
