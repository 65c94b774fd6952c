import type { CommunityPost } from '#contracts/community-posts.ts'
import { CommunityPostType, type Post } from '#contracts/posts.ts'

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
