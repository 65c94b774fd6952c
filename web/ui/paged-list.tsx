import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { Card } from './card.tsx'
import { ErrorState } from './error-state.tsx'
import { MorePages } from './load-more.tsx'
import { SkeletonGroup } from './skeleton.tsx'

type PagedListProps<Item> = {
  list: UseInfiniteQueryResult<{ pages: ListPage<Item>[] }>
  loadingLabel: string
  /** Placeholder of one item. */
  skeleton: ReactNode
  /** The error title: "The products could not be loaded". */
  failure: string
  empty: ReactNode
  /** Whether each item is a card or one card contains them all; other states then use a card too. */
  cards?: 'each' | 'whole'
  children: (items: Item[]) => ReactNode
}

/** A paginated list with all its states, so that an error doesn't affect the rest of the screen. */
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
        <ErrorState
          level={3}
          title={failure}
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
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
