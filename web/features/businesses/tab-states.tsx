import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import type { ListPage } from '../../lib/call.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonGroup } from '../../ui/skeleton.tsx'
import { MorePages } from './more-pages.tsx'

type PagedTabProps<Item> = {
  list: UseInfiniteQueryResult<{ pages: ListPage<Item>[] }>
  loadingLabel: string
  /** The shape of one item. */
  skeleton: ReactNode
  /** What happened when nothing came: "The products could not be loaded". */
  failure: string
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/** A tab with a list: each of its states, so that one tab's failure leaves the rest of the page alone. */
export function PagedTab<Item>({ list, loadingLabel, skeleton, failure, empty, children }: PagedTabProps<Item>) {
  if (list.isPending) {
    return (
      <SkeletonGroup label={loadingLabel} className="grid gap-4">
        {skeleton}
        {skeleton}
        {skeleton}
      </SkeletonGroup>
    )
  }
  if (!list.data) {
    return (
      <ErrorState
        level={3}
        title={failure}
        description={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        pending={list.isFetching}
      />
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

/** What a tab says while it has nothing to show. */
export function TabNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children && <p className="mx-auto mt-1 max-w-text text-muted text-sm">{children}</p>}
    </div>
  )
}
