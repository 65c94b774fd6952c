import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type FeedType, feedOptions, newestPosts } from '#web/entities/posts/posts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** A check finds at most one page of posts. Not imported from the contract, because its code would then load, too. */
const pageSize = 20

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
 * Posts don't move until the person asks for new ones. Hints don't include content: they trigger a read of the top of the feed, as
 * does a reconnect. So filtered posts are never counted, and none is missed.
 */
export function useNewPosts(type: FeedType) {
  const client = useQueryClient()
  const [found, setFound] = useState<{ type: FeedType; ids: readonly string[] }>({ type, ids: [] })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { queryKey } = feedOptions(type)
  const shownIds = () => client.getQueryData(queryKey)?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed’s key depends only on its type
  useEffect(() => {
    let isOver = false
    const look = async () => {
      // The first page is still loading and will include new posts.
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
        // The next hint or connection retries.
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

  /** Reloads the feed from the top. @throws like `call` */
  async function show() {
    const first = await newestPosts(type)
    // A response in flight would restore the old posts.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, { pages: [first], pageParams: [null] })
    setFound({ type, ids: [] })
  }

  const shown = new Set(shownIds() ?? [])
  return { count: found.type === type ? found.ids.filter((id) => !shown.has(id)).length : 0, show }
}

/**
 * @param shown newest first
 * @param top the top of the server's current feed, newest first
 */
export function newAtTop(shown: readonly string[], top: readonly string[]): string[] {
  const known = new Set(shown)
  const firstKnown = top.findIndex((id) => known.has(id))
  // If a post that comes after a shown one isn't shown, the viewer hid it or unfollowed its author here, so it isn't new.
  return firstKnown === -1 ? [...top] : top.slice(0, firstKnown)
}

/** "1 new post", or "20+" for a full page, because the check doesn't look further. */
export function newPostsText(count: number, pageSize: number): string {
  if (count >= pageSize) return `${pageSize}+ new posts`
  return count === 1 ? '1 new post' : `${count} new posts`
}
