import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useRef, useState } from 'react'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { CommentForm } from './comment-form.tsx'
import { commentElementId } from './comment-item.tsx'
import { CommentThread } from './comment-thread.tsx'
import { commentsOf, commentsOptions, refreshComments } from './comments.api.ts'
import { useRemoved } from './use-removed.ts'

type CommentsProps = {
  post: Post
  /** What stands behind the # of the address. */
  hash: string
  fieldRef: Ref<HTMLTextAreaElement>
}

/** What people say to a post. An address that names a comment leads to it, however far down it is. */
export function Comments({ post, hash, fieldRef }: CommentsProps) {
  const list = useInfiniteQuery(commentsOptions(post.id))
  const removed = useRemoved()
  const comments = commentsOf(list.data)
  const shown = comments.filter((comment) => !removed.has(comment.id) || comment.repliesCount > 0)
  const target = hash.startsWith('comment-') ? hash.slice('comment-'.length) : null
  const { hasNextPage, isFetching, fetchNextPage } = list

  // Ids tell when they were made, and the oldest come first: past the target there is nothing to look for.
  const mayComeLater = target !== null && (comments.at(-1)?.id ?? '') < target
  useEffect(() => {
    if (mayComeLater && hasNextPage && !isFetching) void fetchNextPage()
  }, [mayComeLater, hasNextPage, isFetching, fetchNextPage])
  useScrollTo(target)

  // A notification leads to a comment while the page is open: it is newer than the page.
  const client = useQueryClient()
  const firstTarget = useRef(target)
  useEffect(() => {
    if (target !== firstTarget.current) void refreshComments(client)
    firstTarget.current = target
  }, [target, client])

  return (
    <section id="comments" aria-labelledby="comments-title" className="scroll-mt-20">
      <h2 id="comments-title" className="text-xl">
        Comments{post.commentsCount > 0 && <span className="text-muted tabular-nums"> {formatNumber(post.commentsCount)}</span>}
      </h2>
      {list.isPending && (
        <SkeletonGroup label="Loading comments..." className="mt-2">
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      )}
      {list.isError && !list.data && (
        <ErrorState
          level={3}
          title="The comments could not be loaded"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.data && shown.length === 0 && (
        <p className="mt-2 text-muted">{post.abilities.comment ? 'No comments yet. Be the first to say something.' : 'No comments yet.'}</p>
      )}
      {shown.length > 0 && (
        <ol className="mt-3 grid gap-2">
          {comments.map((comment) => (
            <CommentThread key={comment.id} post={post} comment={comment} target={target} />
          ))}
        </ol>
      )}
      <MorePages list={list} />
      {post.abilities.comment && (
        <div className="mt-5">
          <CommentForm post={post} parentId={null} label="Write a comment" ref={fieldRef} onWritten={() => undefined} />
        </div>
      )}
    </section>
  )
}

/** Scrolls to the comment as soon as it is there, and puts the focus on it; once for each. */
function useScrollTo(target: string | null): void {
  const [reached, setReached] = useState<string | null>(null)
  useEffect(() => {
    if (target === null || reached === target) return
    const go = () => {
      const element = document.getElementById(commentElementId(target))
      if (!element) return false
      element.scrollIntoView({ block: 'center' })
      element.focus({ preventScroll: true })
      setReached(target)
      return true
    }
    if (go()) return
    const observer = new MutationObserver(() => go() && observer.disconnect())
    observer.observe(document.getElementById('comments') ?? document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [target, reached])
}
