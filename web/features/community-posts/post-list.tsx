import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PagedList } from '../../ui/paged-list.tsx'
import { PostSkeleton } from '../posts/post-card.tsx'
import { useRemoved } from '../posts/use-removed.ts'
import { CommunityPostCard } from './community-post-card.tsx'
import { communityPostsOptions, type PostFilter } from './community-posts.api.ts'

type PostListProps = {
  filter: PostFilter
  where: 'community' | 'feed'
  /** Shown elsewhere on the screen. */
  without?: ReadonlySet<string>
  empty: ReactNode
}

const none: ReadonlySet<string> = new Set()

/** Posts of communities, newest first. */
export function PostList({ filter, where, without = none, empty }: PostListProps) {
  const list = useInfiniteQuery(communityPostsOptions(filter))
  const removed = useRemoved()
  return (
    <PagedList
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts could not be loaded"
      cards="each"
      empty={empty}
    >
      {(posts) => {
        const shown = posts.filter(({ id }) => !removed.has(id) && !without.has(id))
        // What is left is pinned above, or more is to come.
        if (shown.length === 0 && without.size === 0 && !list.hasNextPage) return empty
        return (
          <ol className="grid grid-cols-1 gap-4">
            {shown.map((post) => (
              <li key={post.id} className="min-w-0">
                <CommunityPostCard post={post} where={where} />
              </li>
            ))}
          </ol>
        )
      }}
    </PagedList>
  )
}
