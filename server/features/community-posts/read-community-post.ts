import type { CommunityPost } from '../../../contracts/community-posts.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { loadPosts, lockPost, type PostFacts, postFacts, type Viewer } from '../posts/index.ts'
import { toCommunityPost } from './community-posts.view.ts'

/** @throws AppError not_found where it is not there, not for this viewer, or in no community */
export async function readCommunityPost(db: Db, viewer: Viewer, id: string): Promise<CommunityPost> {
  const [post] = await loadPosts(db, viewer, [id])
  const found = post && toCommunityPost(post)
  if (!found) throw notFound('Post not found.')
  return found
}

type InCommunity = PostFacts & { community_id: string }

/** The facts of a post in a community that the viewer sees. @throws AppError not_found */
export async function requireCommunityPost(db: Db, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await postFacts(db, viewer, id))
}

/** The same, holding it until the transaction ends. @throws AppError not_found */
export async function lockCommunityPost(tx: Tx, viewer: Viewer, id: string): Promise<InCommunity> {
  return inCommunity(await lockPost(tx, viewer, id))
}

function inCommunity(post: PostFacts | undefined): InCommunity {
  if (!post?.is_visible || post.community_id === null) throw notFound('Post not found.')
  return { ...post, community_id: post.community_id }
}
