import { useInfiniteQuery } from '@tanstack/react-query'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { PostCard, PostSkeleton } from '../posts/post-card.tsx'
import { personPostsOptions } from '../posts/posts.api.ts'
import { useRemoved } from '../posts/use-removed.ts'

/** What somebody posted under their own name. */
export function PersonPosts({ id, isSelf = false }: { id: string; isSelf?: boolean }) {
  const list = useInfiniteQuery(personPostsOptions(id))
  const removed = useRemoved()
  return (
    <section aria-labelledby="person-posts">
      <h2 id="person-posts" className="mb-4 text-xl">
        Posts
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading posts..."
        skeleton={<PostSkeleton />}
        failure="The posts could not be loaded"
        empty={<ListNote title="No posts available yet.">{isSelf && 'What you post under your own name is shown here.'}</ListNote>}
      >
        {(posts) => (
          <ul className="grid gap-4">
            {posts
              .filter((post) => !removed.has(post.id))
              .map((post) => (
                <li key={post.id} className="min-w-0">
                  <PostCard post={post} where="feed" />
                </li>
              ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}
