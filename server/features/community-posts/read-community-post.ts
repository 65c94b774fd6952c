import type { CommunityPost } from '#contracts/community-posts.ts'
import { CommunityPostType, type Post } from '#contracts/posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { loadPosts, lockPost, type PostFacts, postFacts, type Viewer } from '#server/features/posts/index.ts'
import { notFound } from '#server/kernel/errors.ts'

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

/** Uses the specification's names. Null for a post without a community or an author. */
export function toCommunityPost(post: Post): CommunityPost | null {
  const { author, community } = post
  const postType = CommunityPostType.options.find((type) => type === post.postType)
  if (author === null || community === null || postType === undefined) return null
  return {
    ...post,
    postType,
    community,
    author: { ...author, displayName: author.name, profileImageUrl: author.imageUrl },
    images: post.media.flatMap((each) => (each.kind === 'image' ? (each.sources.at(-1)?.webp ?? []) : [])),
  }
}
