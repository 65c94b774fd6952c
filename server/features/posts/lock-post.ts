import type { Tx } from '#server/db/connect.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type PostFacts, postFacts } from './posts.queries.ts'
import type { Viewer } from './viewer.ts'

/**
 * Locks a post. Every write to its text, likes or comments starts here, so that two writes can't deadlock. Lock a person's post count
 * before this.
 * @throws AppError not_found if it is missing or not visible to the viewer
 */
export async function lockPost(tx: Tx, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<PostFacts> {
  const post = await postFacts(tx, viewer, postId, { lock: true })
  if (!post?.is_visible) throw notFound(missing)
  return post
}
