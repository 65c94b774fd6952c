import { Link } from '@tanstack/react-router'
import { Heart, MessageCircle, Share2 } from 'lucide-react'
import type { Post } from '../../../contracts/posts.ts'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { countOf } from './post-words.ts'
import { sharePost } from './share-post.ts'
import { useLike } from './use-like.ts'

const look =
  'touch-target inline-flex min-h-9 items-center gap-2 rounded-full px-2 text-muted text-sm font-medium sm:px-3 transition-colors hover:bg-sunk hover:text-ink tabular-nums [&_svg]:size-4.5'

/** Like, comment and share. A count that is nobody's is not shown. */
export function PostActions({ post, onComment }: { post: Post; onComment?: (() => void) | undefined }) {
  const { likesCount, commentsCount, isLiked, abilities } = post
  const { setLiked } = useLike(post)
  const comments = (
    <>
      <MessageCircle aria-hidden="true" />
      {commentsCount > 0 ? (
        <>
          <span aria-hidden="true">{formatNumber(commentsCount)}</span>
          <span className="sr-only">{countOf(commentsCount, 'comment', 'comments')}</span>
        </>
      ) : (
        <span>Comment</span>
      )}
    </>
  )
  return (
    <div className="flex items-center gap-1 px-2 pb-2.5 sm:pb-3">
      {abilities.like ? (
        <button
          type="button"
          aria-pressed={isLiked}
          onClick={() => setLiked(!isLiked)}
          className={cx(look, isLiked && 'text-clay! [&_svg]:fill-current')}
        >
          <Heart aria-hidden="true" />
          <span className={cx(likesCount > 0 && 'sr-only')}>Like</span>
          <Count count={likesCount} />
        </button>
      ) : (
        likesCount > 0 && (
          <p className="flex min-h-9 items-center gap-2 px-2 text-muted text-sm tabular-nums [&_svg]:size-4.5">
            <Heart aria-hidden="true" />
            {countOf(likesCount, 'like', 'likes')}
          </p>
        )
      )}
      {onComment ? (
        <button type="button" onClick={onComment} className={look}>
          {comments}
        </button>
      ) : (
        <Link to="/post/$id" params={{ id: post.id }} hash="comments" className={look}>
          {comments}
        </Link>
      )}
      <button type="button" onClick={() => void sharePost(post)} className={cx(look, 'ml-auto')}>
        <Share2 aria-hidden="true" />
        <span className="max-[22rem]:sr-only">Share</span>
      </button>
    </div>
  )
}

function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr-only">, {countOf(count, 'like', 'likes')}</span>
    </>
  )
}
