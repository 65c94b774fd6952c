import { Link } from '@tanstack/react-router'
import { Building2, Lock, MapPin, Sprout, Star, UserRound } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { FeedPost, Post } from '../../../contracts/posts.ts'
import { useCountedWhenSeen } from '../../lib/use-counted-when-seen.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Gallery } from '../media/gallery.tsx'
import { Byline } from './byline.tsx'
import { PostActions } from './post-actions.tsx'
import { PostMenu } from './post-menu.tsx'
import { postTypeLabel } from './post-words.ts'
import { FoldedText, RichText } from './rich-text.tsx'

// Few posts need them.
const SubscribeButton = lazy(async () => ({ default: (await import('../businesses/subscribe-button.tsx')).SubscribeButton }))
const ModerationNote = lazy(async () => ({ default: (await import('../standing/moderation-note.tsx')).ModerationNote }))

type PostCardProps = {
  post: Post | FeedPost
  /** `business`: on the page of the business, where an exclusive post is called that. `page`: the post is the screen. */
  where: 'feed' | 'business' | 'page'
  /** Where the title stands in the page's outline. */
  level?: 1 | 2 | 3
  /** What the comment button does where the comments are on the same page. */
  onComment?: (() => void) | undefined
  onRemoved?: (() => void) | undefined
  /** What belongs to it where it was posted: in a community. */
  parts?: PostParts | undefined
}

export type PostParts = {
  /** Beside its type. */
  badges?: ReactNode
  /** Where it was posted, at the top. */
  place?: ReactNode
  /** Under its words. */
  body?: ReactNode
  /** Entries of its menu. */
  menu?: ReactNode
}

/** A post wherever one is shown: feed, business, profile, its own page. */
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
            <PostMenu post={post} onRemoved={onRemoved} extra={parts?.menu} />
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
          {/* Only its writers get it at all then. */}
          {post.moderation && (
            <Suspense>
              <ModerationNote state={post.moderation} subject="post" heldFor={post.heldFor} className="mt-3 mb-1" />
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
  const { content, title, media, place, tags } = post
  return (
    <>
      {isWhole ? <RichText text={content} className="mt-3" /> : <FoldedText text={content} of={title} className="mt-2" />}
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

/** There is one, and how to read it. Nothing else of it is here: the server does not send it. */
function Locked({ post: { business } }: { post: Post }) {
  return (
    <div className="mt-3 mb-1 flex flex-wrap items-center justify-between gap-3 rounded-input bg-sunk px-4 py-3">
      <p className="flex items-center gap-2 text-muted text-sm">
        <Lock aria-hidden="true" className="size-4 shrink-0" />
        {business ? `For subscribers of ${business.name}` : 'For subscribers'}
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

/** Why it is in the feed. */
function Reason({ reason: { kind, text } }: { reason: FeedPost['reason'] }) {
  const Icon = reasonIcons[kind]
  return (
    <p className="flex items-center gap-1.5 border-line border-b px-4 py-2 text-muted text-xs sm:px-5">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  )
}

/** The shape of a post that is on its way. */
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
