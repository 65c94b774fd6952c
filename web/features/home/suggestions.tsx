import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { PostCard } from '../posts/post-card.tsx'
import { type FeedType, suggestionsOptions } from '../posts/posts.api.ts'
import { useRemoved } from '../posts/use-removed.ts'

type SuggestionsProps = {
  type: FeedType
  /** What the feed has already. */
  known: readonly string[]
}

/** Posts of businesses that one does not follow, for a thin feed; said to be that. Without any, nothing. */
export function Suggestions({ type, known }: SuggestionsProps) {
  const { data, error, isError, refetch, isFetching } = useQuery(suggestionsOptions(type))
  const removed = useRemoved()
  const posts = data?.filter(({ id }) => !known.includes(id) && !removed.has(id)) ?? []
  if (isError && !data) {
    return (
      <p role="alert" className="mt-8 flex flex-wrap items-center gap-3 text-muted text-sm">
        Suggestions could not be loaded. {messageOf(error)}
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
      <p className="mt-0.5 text-muted text-sm">Suggestions: businesses you do not follow. Nobody pays to be here.</p>
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
