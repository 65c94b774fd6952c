import type { PostInCommunity } from '../../../contracts/post-in-community.ts'
import type { Post } from '../../../contracts/posts.ts'
import { AcceptedAnswer } from './accepted-answer.tsx'
import { CommunityPostCard } from './community-post-card.tsx'

type CommunityPostPageProps = { post: Post & { community: PostInCommunity }; onComment: () => void; onRemoved: () => void }

/** A post of a community on its own page: a question has its answer under it. */
export function CommunityPostPage({ post, onComment, onRemoved }: CommunityPostPageProps) {
  const { acceptedCommentId } = post.community
  return (
    <>
      <CommunityPostCard post={post} where="page" onComment={onComment} onRemoved={onRemoved} />
      {acceptedCommentId && <AcceptedAnswer postId={post.id} commentId={acceptedCommentId} />}
    </>
  )
}
