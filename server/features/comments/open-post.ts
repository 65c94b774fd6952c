import type { Db, Tx } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { lockPost, type PostFacts, postFacts, type Viewer } from '../posts/index.ts'

/** Where a post is locked, whether anybody said something to it is nobody else's business either. @throws AppError not_found */
export async function requireOpenPost(db: Db, viewer: Viewer, postId: string): Promise<void> {
  const post = await postFacts(db, viewer, postId)
  if (!post?.is_visible || post.is_locked) throw notFound('Post not found.')
}

/** The same, holding the post until the transaction ends: all that counts its comments waits there. @throws AppError not_found */
export async function lockOpenPost(tx: Tx, viewer: Viewer, postId: string): Promise<PostFacts> {
  const post = await lockPost(tx, viewer, postId)
  if (post.is_locked) throw notFound('Post not found.')
  return post
}
