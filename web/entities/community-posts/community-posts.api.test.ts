import { InfiniteQueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'
import { communityPostsOptions } from './community-posts.api.ts'

test('fetches the posts of other members when a community is opened again', () => {
  const options = communityPostsOptions({ communityId: 'growers' })
  queryClient.setQueryData(options.queryKey, { pages: [{ items: [], next: null }], pageParams: [null] })
  const leave = new InfiniteQueryObserver(queryClient, options).subscribe(() => undefined)
  const isOutdated = () => queryClient.getQueryState(options.queryKey)?.isInvalidated
  markSharedDataStale()
  expect(isOutdated(), 'while it is open').toBe(false)
  leave()
  markSharedDataStale()
  expect(isOutdated()).toBe(true)
})
