import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { messageOf } from '../lib/api-error.ts'
import { Button } from './button.tsx'
import { LoadMore } from './load-more.tsx'

type MorePagesProps = {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error'> & {
    fetchNextPage: () => unknown
  }
}

/** The foot of a paged list: Load More while there is more; what went wrong, when the next page did not come. */
export function MorePages({ list }: MorePagesProps) {
  if (!list.hasNextPage) return null
  if (!list.isFetchNextPageError || list.isFetchingNextPage) {
    return <LoadMore onClick={() => void list.fetchNextPage()} pending={list.isFetchingNextPage} />
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
