import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, MessageCircle } from 'lucide-react'
import type { Post } from '../../../contracts/posts.ts'
import { formatNumber } from '../../lib/format.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { postsOptions } from '../businesses/businesses.api.ts'
import { PostMenu } from '../posts/post-menu.tsx'
import { countOf, postTypeLabel } from '../posts/post-words.ts'
import { useRemoved } from '../posts/use-removed.ts'
import { Note, Section } from './draft-lists.tsx'

/** What is out, the newest first, with what came of it. */
export function PublishedPosts({ businessId }: { businessId: string }) {
  const list = useInfiniteQuery(postsOptions(businessId))
  const removed = useRemoved()
  return (
    <Section title="Posts">
      <PagedList
        list={list}
        loadingLabel="Loading posts..."
        skeleton={<Skeleton className="h-16 rounded-card" />}
        failure="The posts could not be loaded"
        empty={<Note>No posts available yet.</Note>}
      >
        {(posts) => (
          <Card asChild className="overflow-visible!">
            <ul className="divide-y divide-line px-4 sm:px-5">
              {posts
                .filter(({ id }) => !removed.has(id))
                .map((post) => (
                  <li key={post.id}>
                    <PostRow post={post} />
                  </li>
                ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </Section>
  )
}

function PostRow({ post }: { post: Post }) {
  return (
    <div className="flex items-start gap-4 py-3.5">
      <div className="grid min-w-0 flex-1 gap-1">
        <Link to="/post/$id" params={{ id: post.id }} className="font-medium wrap-anywhere hover:underline">
          {post.title}
        </Link>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-xs">
          <Ago at={post.createdAt} />
          <span>{postTypeLabel(post.postType)}</span>
          {post.isExclusive && <Badge variant="outline">Exclusive</Badge>}
        </div>
      </div>
      <div className="flex shrink-0 gap-4 pt-0.5 text-sm tabular-nums">
        <Count Icon={Heart} text={countOf(post.likesCount, 'like', 'likes')} count={post.likesCount} />
        <Count Icon={MessageCircle} text={countOf(post.commentsCount, 'comment', 'comments')} count={post.commentsCount} />
      </div>
      <PostMenu post={post} />
    </div>
  )
}

const Count = ({ Icon, text, count }: { Icon: typeof Heart; text: string; count: number }) => (
  <span className="inline-flex items-center gap-1.5">
    <Icon aria-hidden="true" className="size-4 text-muted" />
    <span aria-hidden="true">{formatNumber(count)}</span>
    <span className="sr-only">{text}</span>
  </span>
)
