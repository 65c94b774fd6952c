import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { Comment } from '../../../contracts/comments.ts'
import { acceptAnswer, unacceptAnswer } from '../../../contracts/community-posts.ts'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { toast } from '../../ui/toast-store.ts'
import { changePost } from './post-caches.ts'

/** That a comment is the answer which helped. */
export function AcceptedBadge({ post, comment }: { post: Post; comment: Comment }) {
  if (post.community?.acceptedCommentId !== comment.id) return null
  return (
    <Badge variant="leaf" className="ml-1 align-middle">
      <CircleCheck aria-hidden="true" />
      Accepted answer
    </Badge>
  )
}

/**
 * Says that an answer helped, or takes that back; for whoever asked and the moderators. Shown once the server knows it: the answer is
 * then asked of it.
 */
export function AcceptButton({ post, comment, of }: { post: Post; comment: Comment; of: string }) {
  const client = useQueryClient()
  const { id, community } = post
  const show = (acceptedCommentId: string | null) =>
    changePost(client, id, (shown) => (shown.community ? { community: { ...shown.community, acceptedCommentId } } : {}))
  const accepting = useMutation({
    mutationKey: ['accept-answer', id],
    scope: { id: `accept-answer:${id}` },
    mutationFn: (to: string | null) =>
      to === null ? call(unacceptAnswer, { params: { id } }) : call(acceptAnswer, { params: { id }, body: { commentId: to } }),
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
    onSuccess: ({ acceptedCommentId }) => show(acceptedCommentId),
  })
  if (!community?.may.accept || comment.parentId !== null || comment.isDeleted) return null
  const isAccepted = community.acceptedCommentId === comment.id
  return (
    <button
      type="button"
      aria-pressed={isAccepted}
      disabled={accepting.isPending}
      onClick={() => accepting.mutate(isAccepted ? null : comment.id)}
      className="touch-target inline-flex min-h-6 items-center gap-1 rounded-tag px-1.5 font-medium text-muted text-sm hover:text-ink aria-pressed:text-leaf [&_svg]:size-4"
    >
      <CircleCheck aria-hidden="true" />
      {isAccepted ? 'Accepted' : 'Accept answer'}
      <span className="sr-only"> by {of}</span>
    </button>
  )
}
