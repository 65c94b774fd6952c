import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2, Heart, Lock, MapPin, MessageCircle, Share2, Sprout, Star, UserRound } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { likePost, unlikePost } from '#contracts/calls/posts.ts'
import type { FeedPost, Post } from '#contracts/posts.ts'
import { Gallery } from '#web/entities/media/gallery.tsx'
import { call } from '#web/lib/call.ts'
import { useCountedWhenSeen } from '#web/lib/count-visit.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { shareLink } from '#web/ui/share-link.ts'
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { Byline } from './byline.tsx'
import { PostMenu } from './post-menu.tsx'
import { postTypeLabel } from './post-words.ts'
import { changePost } from './posts.api.ts'
import { FoldedText, RichText } from './rich-text.tsx'

// Loaded on demand, because few posts need these.
const SubscribeButton = lazy(async () => ({ default: (await import('#web/entities/subscriptions/subscribe-button.tsx')).SubscribeButton }))
const ModerationNote = lazy(async () => ({ default: (await import('#web/entities/account-status/moderation-note.tsx')).ModerationNote }))

type PostCardProps = {
  post: Post | FeedPost
  /** `business` is the business's page, which labels exclusive posts "Exclusive", not "Premium". `page` is the post's own page. */
  where: 'feed' | 'business' | 'page'
  level?: 1 | 2 | 3
  /** Set if the comments are on the same page. */
  onComment?: (() => void) | undefined
  onRemoved?: (() => void) | undefined
  parts?: PostParts | undefined
}

export type PostParts = {
  badges?: ReactNode
  place?: ReactNode
  body?: ReactNode
  menu?: ReactNode
  isInFeed?: boolean
}

export function PostCard({ post, where, level = 3, onComment, onRemoved, parts }: PostCardProps) {
  const Heading = `h${level}` as const
  const seen = useCountedWhenSeen<HTMLElement>(post.businessId, 'post', post.id, where === 'feed' ? 'feed' : 'other')
  return (
    <Card asChild>
      <article ref={seen} aria-labelledby={`post-${post.id}`} className="min-w-0">
        {'reason' in post && where === 'feed' && <Reason reason={post.reason} />}
        {parts?.place}
        <CardBody className="pb-2! sm:pb-2.5!">
          <div className="flex items-start justify-between gap-3">
            <Byline post={post} />
            <PostMenu post={post} onRemoved={onRemoved} extra={parts?.menu} isInFeed={parts ? parts.isInFeed : 'reason' in post} />
          </div>
          <div className="mt-3.5 flex flex-wrap items-center gap-1.5">
            <Badge variant="outline">{postTypeLabel(post.postType)}</Badge>
            {post.isExclusive && (
              <Badge variant="leaf">
                <Star aria-hidden="true" />
                {where === 'business' ? 'Exclusive' : 'Premium'}
              </Badge>
            )}
            {parts?.badges}
          </div>
          <Heading id={`post-${post.id}`} className={cx('mt-2 wrap-anywhere', level === 1 ? 'text-2xl' : 'text-lg')}>
            {where === 'page' ? (
              post.title
            ) : (
              <Link
                to="/post/$id"
                params={{ id: post.id }}
                className="rounded-tag hover:underline hover:decoration-1 hover:underline-offset-4"
              >
                {post.title}
              </Link>
            )}
          </Heading>
          {post.isLocked ? <Locked post={post} /> : <Content post={post} isWhole={where === 'page'} body={parts?.body} />}
          {/* Only the author, or the business's team, receives a held or hidden post. */}
          {post.moderation && (
            <Suspense>
              <ModerationNote
                state={post.moderation}
                subject="post"
                heldFor={post.heldFor}
                isByBusiness={post.business !== null}
                className="mt-3 mb-1"
              />
            </Suspense>
          )}
        </CardBody>
        {!post.isLocked && <PostActions post={post} onComment={onComment} />}
        {post.isLocked && <div className="h-2.5" />}
      </article>
    </Card>
  )
}

function Content({ post, isWhole, body }: { post: Post; isWhole: boolean; body: ReactNode }) {
  const { content, mentions, title, media, place, tags } = post
  return (
    <>
      {isWhole ? (
        <RichText text={content} mentions={mentions} className="mt-3" />
      ) : (
        <FoldedText text={content} mentions={mentions} of={title} className="mt-2" />
      )}
      {media.length > 0 && (
        <div className="mt-4">
          <Gallery media={media} of={title} />
        </div>
      )}
      {body}
      {(place || tags.length > 0) && (
        <ul aria-label="Place and tags" className="mt-3.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
          {place && (
            <li className="flex items-center gap-1">
              <MapPin aria-hidden="true" className="size-4 shrink-0" />
              {place}
            </li>
          )}
          {tags.map((tag) => (
            <li key={tag} className="wrap-anywhere">
              #{tag}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The server doesn't send a locked post's content. */
function Locked({ post: { business } }: { post: Post }) {
  return (
    <div className="mt-3 mb-1 flex flex-wrap items-center justify-between gap-3 rounded-input bg-sunk px-4 py-3">
      <p className="flex items-center gap-2 text-muted text-sm">
        <Lock aria-hidden="true" className="size-4 shrink-0" />
        {business ? `For subscribers to ${business.name}` : 'For subscribers'}
      </p>
      {business && (
        <Suspense
          fallback={
            <Button size="sm" disabled>
              Subscribe
            </Button>
          }
        >
          <SubscribeButton business={business} isSubscribed={false} size="sm" />
        </Suspense>
      )}
    </div>
  )
}

const reasonIcons = { own: UserRound, subscription: Star, business: Building2, person: UserRound, suggestion: Sprout }

function Reason({ reason: { kind, text } }: { reason: FeedPost['reason'] }) {
  const Icon = reasonIcons[kind]
  return (
    <p className="flex items-center gap-1.5 border-line border-b px-4 py-2 text-muted text-xs sm:px-5">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  )
}

export function PostSkeleton() {
  return (
    <span className="grid gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <span className="flex items-center gap-3">
        <Skeleton className="size-11" />
        <SkeletonText lines={2} className="w-40" />
      </span>
      <Skeleton className="h-5 w-3/5 rounded-full" />
      <SkeletonText lines={3} />
      <Skeleton className="h-8 w-44" />
    </span>
  )
}

const look =
  'touch-target inline-flex min-h-9 items-center gap-2 rounded-full px-2 text-muted text-sm font-medium sm:px-3 transition-colors hover:bg-sunk hover:text-ink tabular-nums [&_svg]:size-4.5'

function PostActions({ post, onComment }: { post: Post; onComment?: (() => void) | undefined }) {
  const { likesCount, commentsCount, isLiked, abilities } = post
  const { setLiked } = useLike(post)
  const comments = (
    <>
      <MessageCircle aria-hidden="true" />
      {commentsCount > 0 ? (
        <>
          <span aria-hidden="true">{formatNumber(commentsCount)}</span>
          <span className="sr-only">{counted(commentsCount, 'comment')}</span>
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
            {counted(likesCount, 'like')}
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
      <span className="sr-only">, {counted(count, 'like')}</span>
    </>
  )
}

const sharePost = ({ id, title }: { id: string; title: string }): Promise<void> => shareLink(`${location.origin}/post/${id}`, title)

function useLike({ id }: Pick<Post, 'id'>) {
  const client = useQueryClient()
  const { mutate } = useMutation(
    toggleOptions(client, {
      mutationKey: ['like', id],
      save: (isLiked) => call(isLiked ? likePost : unlikePost, { params: { id } }),
      show: (isLiked) =>
        changePost(client, id, (post) =>
          post.isLiked === isLiked ? {} : { isLiked, likesCount: Math.max(0, post.likesCount + (isLiked ? 1 : -1)) },
        ),
      onSaved: ({ isLiked, likesCount }, _isOn, isLast) => {
        if (isLast) changePost(client, id, () => ({ isLiked, likesCount }))
      },
      onFailed: () => toast({ title: 'Error', description: 'Failed to update like status', variant: 'destructive' }),
    }),
  )
  return { setLiked: (isLiked: boolean) => mutate(isLiked) }
}
