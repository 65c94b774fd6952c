import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { onLive } from '../../lib/live.ts'
import { type FeedType, feedOptions, newestPosts } from '../posts/posts.api.ts'
import { newAtTop } from './new-posts.ts'

/** Posts that come together are looked for once, in milliseconds. */
const gatherFor = 250

/**
 * How many posts of the feed are new since it was read. Nothing moves on the page until somebody asks for them.
 * An announcement says only that there is something: the top of the feed is read then, which is also what happens after a lost
 * connection. So what a filter leaves out is never counted, and nothing is missed.
 */
export function useNewPosts(type: FeedType) {
  const client = useQueryClient()
  const [found, setFound] = useState<{ type: FeedType; ids: readonly string[] }>({ type, ids: [] })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { queryKey } = feedOptions(type)
  const shownIds = () => client.getQueryData(queryKey)?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of the feed follows from its type
  useEffect(() => {
    let isOver = false
    const look = async () => {
      // The first page is still on its way: it will have them.
      if (shownIds() === null) return
      try {
        const { items } = await newestPosts(type)
        const shown = shownIds()
        if (!isOver && shown)
          setFound({
            type,
            ids: newAtTop(
              shown,
              items.map(({ id }) => id),
            ),
          })
      } catch {
        // The next announcement or connection looks again.
      }
    }
    const soon = () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void look(), gatherFor)
    }
    const stop = [onLive('feed', soon), onLive('hello', soon)]
    return () => {
      isOver = true
      clearTimeout(timer.current)
      for (const each of stop) each()
    }
  }, [type, client])

  /** Reads the feed anew from its top. @throws as `call` does */
  async function show() {
    const first = await newestPosts(type)
    client.setQueryData(queryKey, { pages: [first], pageParams: [null] })
    setFound({ type, ids: [] })
  }

  const shown = new Set(shownIds() ?? [])
  return { count: found.type === type ? found.ids.filter((id) => !shown.has(id)).length : 0, show }
}
