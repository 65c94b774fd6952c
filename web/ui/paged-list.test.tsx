import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ListPage } from '#web/lib/call.ts'
import { PagedList } from './paged-list.tsx'

type List = UseInfiniteQueryResult<{ pages: ListPage<string>[] }>

const textOf = (state: object): string => {
  const list = { data: { pages: [{ items: [], nextCursor: 'next' }] }, isPending: false, ...state } as unknown as List
  return renderToString(
    <PagedList list={list} loadingLabel="Loading the posts..." skeleton={null} failure="Failure" empty="No posts yet">
      {(items) => <ul>{items.join()}</ul>}
    </PagedList>,
  )
}

it('keeps loading while all pages are empty and more follow', () => {
  const text = textOf({ hasNextPage: true, isFetchNextPageError: false })
  expect(text).toContain('Loading the posts...')
  expect(text).not.toContain('No posts yet')
})

it('offers to retry, instead of showing the empty state, if the next page fails', () => {
  const text = textOf({ hasNextPage: true, isFetchNextPageError: true, isError: true, error: new Error('Offline') })
  expect(text).toContain('Retry')
  expect(text).not.toContain('No posts yet')
})

it('shows the empty state once the last page turns out to be empty', () => {
  expect(textOf({ hasNextPage: false, isFetchNextPageError: false })).toBe('No posts yet')
})
