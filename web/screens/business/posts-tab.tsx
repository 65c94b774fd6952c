import { useInfiniteQuery } from '@tanstack/react-query'
import type { Business } from '#contracts/businesses.ts'
import { postsOptions } from '#web/entities/businesses/businesses.api.ts'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'

export function PostsTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(postsOptions(business.id))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  return (
    <PagedList
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts couldn’t be loaded"
      empty={<ListNote title="No posts available yet." />}
    >
      {(posts) => (
        <ul {...listFocus} className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {posts
            .filter(({ id }) => !removed.has(id))
            .map((post) => (
              <li key={post.id} className="min-w-0">
                <PostCard post={post} where="business" />
              </li>
            ))}
        </ul>
      )}
    </PagedList>
  )
}
