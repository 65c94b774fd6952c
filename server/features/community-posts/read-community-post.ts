import type { CommunityPost } from '#contracts/community-posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { loadPosts, lockPost, type PostFacts, postFacts, type Viewer } from '#server/features/posts/index.ts'
import { notFound } from '#server/kernel/errors.ts'
import { toCommunityPost } from './community-posts.view.ts'

/** @throws AppError not_found if the post doesn't exist, isn't visible to the viewer or isn't in a community */
export async function readCommunityPost(db: Db, viewer: Viewer, id: string): Promise<CommunityPost> {
  const [post] = await loadPosts(db, viewer, [id])
  const found = post && toCommunityPost(post)
  if (!found) throw notFound('Post not found.')
  return found
}

type InCommunity = PostFacts & { community_id: string }

/** Facts of a community post that the viewer can see. @throws AppError not_found */
export async function requireCommunityPost(db: Db, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await postFacts(db, viewer, id))
}

/** Like `requireCommunityPost`, but locks the post until the transaction ends. @throws AppError not_found */
export async function lockCommunityPost(tx: Tx, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await lockPost(tx, viewer, id))
}

function inCommunity(post: PostFacts | undefined): InCommunity {
  if (!post?.is_visible || post.community_id === null) throw notFound('Post not found.')
  return { ...post, community_id: post.community_id }
}
