import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type FeedType, feedOptions, newestPosts } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** Most posts one check can find: the contract's page size, without importing the contract. */
const pageSize = 20

/** Announces new posts at the top of the window. Nothing moves until it is pressed. */
export function NewPostsPill({ count, onShow }: { count: number; onShow: () => Promise<void> }) {
  const [isPending, setPending] = useState(false)
  async function show() {
    setPending(true)
    try {
      await onShow()
    } catch (error) {
      toast({ title: 'The new posts couldn’t be loaded', description: messageOf(error), variant: 'destructive' })
    } finally {
      setPending(false)
    }
  }
  return (
    <div role="status" className="pointer-events-none sticky top-19 z-20 h-0">
      {count > 0 && (
        <div className="flex animate-appear justify-center">
          <Button pending={isPending} onClick={() => void show()} className="pointer-events-auto rounded-full! shadow-lift" size="sm">
            <ArrowUp aria-hidden="true" />
            {newPostsText(count, pageSize)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** In milliseconds. Batches posts published together into one request. */
const gatherFor = 250

/**
 * Number of posts since the feed was loaded. Nothing moves until the person asks for them. Announcements carry no content: they trigger
 * a read of the top of the feed, as does a reconnect. Filtered posts are thus never counted and none is missed.
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
      // The first page is still loading and will include them.
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
        // The next announcement or connection retries.
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

  /** Reloads the feed from the top. @throws as `call` does */
  async function show() {
    const first = await newestPosts(type)
    client.setQueryData(queryKey, { pages: [first], pageParams: [null] })
    setFound({ type, ids: [] })
  }

  const shown = new Set(shownIds() ?? [])
  return { count: found.type === type ? found.ids.filter((id) => !shown.has(id)).length : 0, show }
}

/**
 * IDs of new posts: those above the first shown post in the server's current feed.
 * @param shown IDs of the shown posts, newest first
 * @param top IDs at the top of the server's feed, newest first
 */
export function newAtTop(shown: readonly string[], top: readonly string[]): string[] {
  const known = new Set(shown)
  const firstKnown = top.findIndex((id) => known.has(id))
  // Missing posts below a shown one were filtered out or unfollowed, so they aren't new.
  return firstKnown === -1 ? [...top] : top.slice(0, firstKnown)
}

/** "1 new post"; "20+" for a full page, because the check looks no further. */
export function newPostsText(count: number, pageSize: number): string {
  if (count >= pageSize) return `${pageSize}+ new posts`
  return count === 1 ? '1 new post' : `${count} new posts`
}
