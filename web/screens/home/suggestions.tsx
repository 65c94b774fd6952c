import { useQuery } from '@tanstack/react-query'
import { PostCard } from '#web/entities/posts/post-card.tsx'
import { type FeedType, suggestionsOptions } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'

type SuggestionsProps = {
  type: FeedType
  known: readonly string[]
}

/** Posts of businesses the viewer doesn't follow, labeled as suggestions, for a short feed. Renders nothing if there are none. */
export function Suggestions({ type, known }: SuggestionsProps) {
  const { data, error, isError, refetch, isFetching } = useQuery(suggestionsOptions(type))
  const removed = useRemoved()
  const posts = data?.filter(({ id }) => !known.includes(id) && !removed.has(id)) ?? []
  if (isError && !data) {
    return (
      <p role="alert" className="mt-8 flex flex-wrap items-center gap-3 text-muted text-sm">
        Suggestions couldn’t be loaded. {messageOf(error)}
        <Button variant="secondary" size="sm" onClick={() => void refetch()} pending={isFetching}>
          Retry
        </Button>
      </p>
    )
  }
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="suggestions-title" className="mt-10">
      <h2 id="suggestions-title" className="text-xl">
        Discover
      </h2>
      <p className="mt-0.5 text-muted text-sm">Businesses you don’t follow yet.</p>
      <ul className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {posts.map((post) => (
          <li key={post.id} className="min-w-0">
            <PostCard post={post} where="feed" />
          </li>
        ))}
      </ul>
    </section>
  )
}
