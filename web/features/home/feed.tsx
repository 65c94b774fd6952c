import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonGroup } from '../../ui/skeleton.tsx'
import { PostCard, PostSkeleton } from '../posts/post-card.tsx'
import { type FeedType, feedOptions } from '../posts/posts.api.ts'
import { useRemoved } from '../posts/use-removed.ts'
import { NewPostsPill } from './new-posts-pill.tsx'
import { useNewPosts } from './use-new-posts.ts'

const Suggestions = lazy(async () => ({ default: (await import('./suggestions.tsx')).Suggestions }))

/** With fewer posts than this, suggestions stand below. */
const thin = 5

const filters: { label: string; type: FeedType }[] = [
  { label: 'All', type: undefined },
  { label: 'Farms', type: 'farm' },
  { label: 'Dispensaries', type: 'dispensary' },
]

/** Posts of the businesses and people that one follows, newest first. */
export function Feed({ type }: { type: FeedType }) {
  const list = useInfiniteQuery(feedOptions(type))
  const removed = useRemoved()
  const news = useNewPosts(type)
  const heading = useRef<HTMLHeadingElement>(null)
  const posts = list.data?.pages.flatMap(({ items }) => items).filter(({ id }) => !removed.has(id)) ?? null

  async function showNew() {
    await news.show()
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <section aria-labelledby="feed-title" className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 ref={heading} id="feed-title" tabIndex={-1} className="scroll-mt-20 text-xl">
          Your feed
        </h2>
        <nav aria-label="Feed" className="flex gap-2">
          {filters.map((filter) => (
            <Link
              key={filter.label}
              to="/"
              search={filter.type ? { type: filter.type } : {}}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              className={chipClass(filter.type === type)}
            >
              {filter.label}
            </Link>
          ))}
        </nav>
      </div>
      <NewPostsPill count={news.count} onShow={showNew} />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {list.isPending && (
          <SkeletonGroup label="Loading your feed..." className="grid gap-4">
            <PostSkeleton />
            <PostSkeleton />
            <PostSkeleton />
          </SkeletonGroup>
        )}
        {list.isError && !posts && (
          <ErrorState
            level={3}
            title="Your feed could not be loaded"
            description={messageOf(list.error)}
            onRetry={() => void list.refetch()}
            pending={list.isFetching}
          />
        )}
        {posts?.length === 0 && !list.hasNextPage && (
          <div className="rounded-card border border-line border-dashed">
            <EmptyState level={3} title="No posts in your feed yet." description="Follow businesses and people: what they post comes here.">
              <Button asChild>
                <Link to="/discover">Discover</Link>
              </Button>
            </EmptyState>
          </div>
        )}
        {posts && posts.length > 0 && (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {posts.map((post) => (
              <li key={post.id} className="min-w-0">
                <PostCard post={post} where="feed" />
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage && <MorePosts list={list} />}
      </div>
      {posts && (posts.length < thin || !list.hasNextPage) && (
        <Suspense>
          <Suggestions type={type} known={posts.map(({ id }) => id)} />
        </Suspense>
      )}
    </section>
  )
}

type FeedList = Pick<ReturnType<typeof useInfiniteQuery>, 'isFetchNextPageError' | 'isFetchingNextPage' | 'error'> & {
  fetchNextPage: () => unknown
}

function MorePosts({ list }: { list: FeedList }) {
  if (!list.isFetchNextPageError || list.isFetchingNextPage) {
    return <LoadMore text="Load More Posts" onClick={() => void list.fetchNextPage()} pending={list.isFetchingNextPage} />
  }
  return (
    <div role="alert" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 pt-6 text-center text-clay">
      <p>More could not be loaded. {messageOf(list.error)}</p>
      <Button variant="secondary" onClick={() => void list.fetchNextPage()}>
        Retry
      </Button>
    </div>
  )
}
