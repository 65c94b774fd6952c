import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { LoadError } from './error-state.tsx'
import { SkeletonGroup } from './skeleton.tsx'

type PagedListProps<Item> = {
  list: UseInfiniteQueryResult<{ pages: ListPage<Item>[] }>
  loadingLabel: string
  skeleton: ReactNode
  /** The error's title: "The products couldn’t be loaded". */
  failure: string
  empty: ReactNode
  /** Each item is a card, or one card contains them all. An error then also appears in a card. */
  cards?: 'each' | 'whole'
  children: (items: Item[]) => ReactNode
}

export function PagedList<Item>({ list, loadingLabel, skeleton, failure, empty, cards, children }: PagedListProps<Item>) {
  if (list.isPending) {
    const isWhole = cards === 'whole'
    const shapes = (
      <SkeletonGroup label={loadingLabel} className={isWhole ? 'grid gap-5 p-5' : 'grid gap-4'}>
        {skeleton}
        {skeleton}
        {skeleton}
      </SkeletonGroup>
    )
    return isWhole ? <Card>{shapes}</Card> : shapes
  }
  if (!list.data) {
    const Frame = cards ? Card : Fragment
    return (
      <Frame>
        <LoadError level={3} title={failure} query={list} />
      </Frame>
    )
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return empty
  return (
    <>
      {children(items)}
      <MorePages list={list} />
    </>
  )
}

export function ListNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children && <p className="mx-auto mt-1 max-w-text text-muted text-sm">{children}</p>}
    </div>
  )
}

type LoadMoreProps = { onClick: () => void; pending?: boolean | undefined; text?: string | undefined; pendingText?: string | undefined }

/** Render this only if more pages follow. */
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
