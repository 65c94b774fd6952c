import type { Tx } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { type PostFacts, postFacts } from './posts.queries.ts'
import type { Viewer } from './viewer.ts'

/**
 * Holds a post until the transaction ends. Every writer of a post's words, likes or comments begins here, so that two of them
 * meet at the post and not crosswise in a deadlock; whoever changes a person's count of posts does that before.
 * @throws AppError not_found where it is not there or not visible to the viewer
 */
export async function lockPost(tx: Tx, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<PostFacts> {
  const post = await postFacts(tx, viewer, postId, { lock: true })
  if (!post?.is_visible) throw notFound(missing)
  return post
}
