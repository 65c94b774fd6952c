import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from './button.tsx'

type LoadMoreProps = { onClick: () => void; pending?: boolean | undefined; text?: string | undefined; pendingText?: string | undefined }

/** The end of a paginated list. Render it only if there is more. */
export function LoadMore({ onClick, pending, text = 'Load More', pendingText = 'Loading...' }: LoadMoreProps) {
  return (
    <div className="flex justify-center pt-6">
      <Button variant="secondary" onClick={onClick} pending={pending} pendingText={pendingText}>
        {text}
      </Button>
    </div>
  )
}

type MorePagesProps = {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error'> & {
    fetchNextPage: () => unknown
  }
}

/** The end of a paginated list: Load More, or the error of the next page. */
export function MorePages({ list }: MorePagesProps) {
  if (!list.hasNextPage) return null
  if (!list.isFetchNextPageError || list.isFetchingNextPage) {
    return <LoadMore onClick={() => void list.fetchNextPage()} pending={list.isFetchingNextPage} />
  }
  return (
    <div role="alert" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 pt-6 text-center text-clay">
      <p>More couldn’t be loaded. {messageOf(list.error)}</p>
      <Button variant="secondary" onClick={() => void list.fetchNextPage()}>
        Retry
      </Button>
    </div>
  )
}
