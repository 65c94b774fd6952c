import { useInfiniteQuery } from '@tanstack/react-query'
import { Heart, Lock } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Post, PostType } from '../../../contracts/posts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { postsOptions } from './businesses.api.ts'
import { Day } from './day.tsx'
import { SubscribeButton } from './subscribe-button.tsx'
import { PagedTab, TabNote } from './tab-states.tsx'

const typeLabels: Record<PostType, string> = { update: 'Update', promotion: 'Promotion', educational: 'Educational', product: 'Product' }

export function PostsTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(postsOptions(business.id))
  return (
    <PagedTab
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts could not be loaded"
      empty={<TabNote title="No posts available yet." />}
    >
      {(posts) => (
        <ul className="grid max-w-feed gap-4">
          {posts.map((post) => (
            <li key={post.id}>
              <PostCard post={post} business={business} />
            </li>
          ))}
        </ul>
      )}
    </PagedTab>
  )
}

function PostCard({ post, business }: { post: Post; business: Business }) {
  const { title, content, postType, isExclusive, isLocked, imageUrl, likesCount, createdAt } = post
  return (
    <Card asChild>
      <article>
        <CardBody>
          <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
            <Badge variant="outline">{typeLabels[postType]}</Badge>
            {isExclusive && <Badge variant="leaf">Exclusive</Badge>}
            <Day at={createdAt} />
          </p>
          <h3 className="mt-2.5 text-lg wrap-anywhere">{title}</h3>
          {isLocked ? (
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3 rounded-input bg-sunk px-4 py-3">
              <p className="flex items-center gap-2 text-muted text-sm">
                <Lock aria-hidden="true" className="size-4 shrink-0" />
                For subscribers of {business.name}
              </p>
              <SubscribeButton business={business} isSubscribed={false} size="sm" />
            </div>
          ) : (
            <>
              <p className="mt-2 max-w-text whitespace-pre-line wrap-anywhere">{content}</p>
              {imageUrl && (
                <img
                  src={imageUrl}
                  alt=""
                  width={640}
                  height={400}
                  loading="lazy"
                  decoding="async"
                  className="mt-4 aspect-[16/10] w-full rounded-input bg-sunk object-cover"
                />
              )}
            </>
          )}
          {likesCount > 0 && (
            <p className="mt-4 flex items-center gap-1.5 text-muted text-sm tabular-nums">
              <Heart aria-hidden="true" className="size-4" />
              {likesCount.toLocaleString('en-US')} {likesCount === 1 ? 'like' : 'likes'}
            </p>
          )}
        </CardBody>
      </article>
    </Card>
  )
}

function PostSkeleton() {
  return (
    <span className="grid max-w-feed gap-3 rounded-card border border-line bg-surface p-5">
      <Skeleton className="h-4 w-32 rounded-full" />
      <Skeleton className="h-5 w-3/5 rounded-full" />
      <SkeletonText lines={3} />
    </span>
  )
}
