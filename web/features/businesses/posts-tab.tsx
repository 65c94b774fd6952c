import { useInfiniteQuery } from '@tanstack/react-query'
import type { Business } from '../../../contracts/businesses.ts'
import { PostCard, PostSkeleton } from '../posts/post-card.tsx'
import { useRemoved } from '../posts/use-removed.ts'
import { postsOptions } from './businesses.api.ts'
import { PagedTab, TabNote } from './tab-states.tsx'

export function PostsTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(postsOptions(business.id))
  const removed = useRemoved()
  return (
    <PagedTab
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts could not be loaded"
      empty={<TabNote title="No posts available yet." />}
    >
      {(posts) => (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {posts
            .filter(({ id }) => !removed.has(id))
            .map((post) => (
              <li key={post.id} className="min-w-0">
                <PostCard post={post} where="business" />
              </li>
            ))}
        </ul>
      )}
    </PagedTab>
  )
}
