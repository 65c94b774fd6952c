import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import type { Post, PostInCommunity } from '#contracts/posts.ts'
import { CommunityPostCard } from '#web/entities/community-posts/community-post-card.tsx'
import { answerOptions } from '#web/entities/community-posts/community-posts.api.ts'
import { WriterName, WriterPicture } from '#web/entities/posts/byline.tsx'
import { RichText } from '#web/entities/posts/rich-text.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { textLink } from '#web/ui/link-styles.ts'

type CommunityPostPageProps = { post: Post & { community: PostInCommunity }; onComment: () => void; onRemoved: () => void }

export function CommunityPostPage({ post, onComment, onRemoved }: CommunityPostPageProps) {
  const { acceptedCommentId } = post.community
  return (
    <>
      <CommunityPostCard post={post} where="page" onComment={onComment} onRemoved={onRemoved} />
      {acceptedCommentId && <AcceptedAnswer postId={post.id} commentId={acceptedCommentId} />}
    </>
  )
}

function AcceptedAnswer({ postId, commentId }: { postId: string; commentId: string }) {
  const { data: answer } = useQuery(answerOptions(postId, commentId))
  if (!answer) return null
  return (
    <section aria-labelledby="accepted-answer" className="mt-4 rounded-card border border-leaf/45 bg-leaf-soft p-4 sm:p-5">
      <h2 id="accepted-answer" className="flex items-center gap-2 font-medium font-sans text-leaf text-sm">
        <CircleCheck aria-hidden="true" className="size-4.5" />
        Accepted answer
      </h2>
      <div className="mt-3 flex gap-3">
        <WriterPicture business={answer.business} author={answer.author} size="sm" />
        <div className="min-w-0 flex-1">
          <p className="pt-0.5 text-sm">
            <WriterName business={answer.business} author={answer.author} />{' '}
            <span className="text-muted">
              <Ago at={answer.createdAt} />
            </span>
          </p>
          <RichText text={answer.content} mentions={answer.mentions} className="mt-1 text-[0.9375rem]" />
          <Link
            to="/post/$id"
            params={{ id: postId }}
            hash={`comment-${answer.id}`}
            replace
            className={`${textLink} touch-target mt-2 inline-block text-sm`}
          >
            See it in the comments
          </Link>
        </div>
      </div>
    </section>
  )
}
