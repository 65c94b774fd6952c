import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Comment } from '../../../contracts/comments.ts'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { writerName } from './byline.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import { commentsOf, repliesOptions } from './comments.api.ts'
import { countOf } from './post-words.ts'

type CommentThreadProps = {
  post: Post
  comment: Comment
  /** The comment that the address names, while it is being looked for or once it is found. */
  target: string | null
}

/** A comment with its replies. */
export function CommentThread({ post, comment, target }: CommentThreadProps) {
  const [isOpen, setOpen] = useState(false)
  const [answered, setAnswered] = useState<Comment | null>(null)
  // Ids tell when they were made: a reply is younger than what it replies to.
  const mayHoldTarget = target !== null && target > comment.id && comment.repliesCount > 0
  const isShown = (isOpen || mayHoldTarget) && comment.repliesCount > 0
  const replies = useInfiniteQuery({ ...repliesOptions(comment.id), enabled: isShown })
  const shown = commentsOf(replies.data)
  const isFound = shown.some(({ id }) => id === target)
  const isPast = target !== null && (shown.at(-1)?.id ?? '') > target
  const { hasNextPage, isFetching, fetchNextPage } = replies

  useEffect(() => {
    if (mayHoldTarget && !isFound && !isPast && hasNextPage && !isFetching) void fetchNextPage()
  }, [mayHoldTarget, isFound, isPast, hasNextPage, isFetching, fetchNextPage])

  const reply = (to: Comment) => {
    setOpen(true)
    setAnswered(to)
  }

  return (
    <CommentItem post={post} comment={comment} isMarked={comment.id === target} onReply={() => reply(comment)}>
      <div className="ml-4 border-line border-l pl-4 empty:hidden sm:ml-9">
        {comment.repliesCount > 0 && !isShown && (
          <button type="button" onClick={() => setOpen(true)} className={`${textLink} touch-target my-1 text-sm`}>
            Show {countOf(comment.repliesCount, 'reply', 'replies')}
          </button>
        )}
        {isShown && replies.isPending && (
          <SkeletonGroup label="Loading replies...">
            <SkeletonRow />
          </SkeletonGroup>
        )}
        {isShown && replies.isError && !replies.data && (
          <p role="alert" className="flex flex-wrap items-center gap-3 py-2 text-clay text-sm">
            The replies could not be loaded. {messageOf(replies.error)}
            <Button variant="secondary" size="sm" onClick={() => void replies.refetch()} pending={replies.isFetching}>
              Retry
            </Button>
          </p>
        )}
        {isShown && shown.length > 0 && (
          <ol className="grid gap-1">
            {shown.map((each) => (
              <CommentItem key={each.id} post={post} comment={each} isMarked={each.id === target} onReply={() => reply(each)} />
            ))}
          </ol>
        )}
        {isShown && hasNextPage && (
          <Button
            variant="quiet"
            size="sm"
            onClick={() => void fetchNextPage()}
            pending={replies.isFetchingNextPage}
            pendingText="Loading..."
          >
            More replies
          </Button>
        )}
        {answered && (
          <div className="py-2">
            <CommentForm
              key={answered.id}
              post={post}
              parentId={comment.id}
              label={`Reply to ${writerName(answered)}`}
              initial={answered.id === comment.id ? '' : `@${writerName(answered)} `}
              autoFocus
              onWritten={() => setAnswered(null)}
              onCancel={() => setAnswered(null)}
            />
          </div>
        )}
      </div>
    </CommentItem>
  )
}
