import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
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
  /** Set if each item is a card, or one card contains them all. Errors then appear in a card, too. */
  cards?: 'each' | 'whole'
  children: (items: Item[]) => ReactNode
}

export function PagedList<Item>({ list, loadingLabel, skeleton, failure, empty, cards, children }: PagedListProps<Item>) {
  const isLoading = useFirstItems(list)
  if (isLoading) {
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
  if (items.length === 0 && !list.hasNextPage) return empty
  return (
    <>
      {items.length > 0 && children(items)}
      <MorePages list={list} />
    </>
  )
}

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError'> & { fetchNextPage: () => unknown }

/** Loads pages while `isWanted`, until one fails. @returns whether another one follows */
export function usePagesWhile(isWanted: boolean, { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): boolean {
  const needsNextPage = isWanted && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (needsNextPage && !isFetching) void fetchNextPage()
  }, [needsNextPage, isFetching, fetchNextPage])
  return needsNextPage
}

type FirstItemsList = Pages & Pick<UseInfiniteQueryResult, 'isPending'> & { data: { pages: ListPage<unknown>[] } | undefined }

/**
 * Whether a list's first items are still loading. A page is empty if the viewer isn't allowed to see any of its items, even if more pages
 * follow, so this loads pages until one has an item.
 */
export function useFirstItems(list: FirstItemsList): boolean {
  const isEmpty = list.data?.pages.every(({ items }) => items.length === 0) ?? false
  const needsNextPage = usePagesWhile(isEmpty, list)
  return list.isPending || needsNextPage
}

export function ListNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children && <p className="mx-auto mt-1 max-w-text text-muted text-sm">{children}</p>}
    </div>
  )
}

type LoadMoreProps = {
  onClick: () => void
  pending?: boolean | undefined
  text?: string | undefined
  pendingText?: string | undefined
  /** Why the last attempt failed. */
  failure?: string | undefined
}

/** Render this only if more pages follow, after the list and within the same element. */
export function LoadMore({ onClick, pending, text = 'Load More', pendingText = 'Loading...', failure }: LoadMoreProps) {
  const frame = useFirstNewItem()
  return (
    <div {...frame} className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 pt-6 text-center">
      {failure && (
        <p role="alert" className="text-clay">
          {failure}
        </p>
      )}
      <Button variant="secondary" onClick={onClick} pending={pending} pendingText={pendingText}>
        {text}
      </Button>
    </div>
  )
}

const isBefore = (node: Node, other: Node) => (node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/**
 * Props for the frame of a button that adds items to the list before it. If the last items replace the focused button, the first of them
 * gets focus.
 */
function useFirstNewItem() {
  const findItem = useRef<(() => HTMLElement | undefined) | null>(null)
  useEffect(
    () => () => {
      const item = document.activeElement === document.body ? findItem.current?.() : undefined
      if (!item) return
      const control = item.querySelector<HTMLElement>('a[href], button, input, select, textarea')
      if (!control) item.tabIndex = -1
      ;(control ?? item).focus({ preventScroll: true })
    },
    [],
  )
  return {
    onClickCapture: ({ currentTarget: frame }: MouseEvent) => {
      const { parentElement: region, nextElementSibling: end } = frame
      const items = () => [...(region?.querySelectorAll<HTMLElement>('li, tr') ?? [])].filter((item) => item.checkVisibility())
      const last = items().findLast((item) => isBefore(item, frame))
      findItem.current = () => {
        if (!last?.isConnected) return undefined
        const next = items().find((item) => isBefore(last, item))
        return next && !(end?.isConnected && isBefore(end, next)) ? next : last
      }
    },
    // React doesn't fire onBlur while removing elements, so this runs only when focus moves.
    onBlur: () => {
      findItem.current = null
    },
  }
}

type MorePagesProps = {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error'> & {
    fetchNextPage: () => unknown
  }
  text?: string
  failure?: string
}

/** The button stays the same element when loading fails, so that it keeps focus. */
export function MorePages({ list, text, failure = 'Couldn’t load more.' }: MorePagesProps) {
  if (!list.hasNextPage) return null
  const hasFailed = list.isFetchNextPageError && !list.isFetchingNextPage
  return (
    <LoadMore
      text={hasFailed ? 'Retry' : text}
      failure={hasFailed ? `${failure} ${messageOf(list.error)}` : undefined}
      onClick={() => void list.fetchNextPage()}
      pending={list.isFetchingNextPage}
    />
  )
}
