import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hidePost } from '#contracts/calls/posts.ts'
import type { FeedPost, Post } from '#contracts/posts.ts'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'
import { changePost, dropPost, feedOptions, hideFromFeeds, personPostsOptions } from './posts.api.ts'

const options = feedOptions(undefined)
const post = (id: string) => ({ id, isLiked: false, likesCount: 4 }) as FeedPost
const like = (isLiked: boolean) => (shown: Post) =>
  shown.isLiked === isLiked ? {} : { isLiked, likesCount: shown.likesCount + (isLiked ? 1 : -1) }

let client: QueryClient
let feed: InstanceType<typeof InfiniteQueryObserver>
let respond: (response: Response | Error) => void
const shown = () => client.getQueryData(options.queryKey)?.pages.flatMap(({ items }) => items)
const ids = () => shown()?.map(({ id }) => id)

/** The next request for posts waits for `respond`. */
function hold(): void {
  const held = Promise.withResolvers<Response>()
  respond = (response) => (response instanceof Error ? held.reject(response) : held.resolve(response))
  vi.stubGlobal('fetch', async (url: string) =>
    url === hidePost.path.replace(':id', 'a') ? new Response(null, { status: 204 }) : held.promise,
  )
}

function loadMore() {
  hold()
  return feed.fetchNextPage()
}

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(options.queryKey, {
    pages: [{ items: [post('a'), post('b')], next: '/api/feed?cursor=1' }],
    pageParams: [null],
  })
  feed = new InfiniteQueryObserver(client, options as never)
})
afterEach(() => vi.unstubAllGlobals())

test('keeps a post hidden if it was hidden while more posts loaded', async () => {
  const loading = loadMore()
  await hideFromFeeds(client, 'a')
  expect(ids()).toEqual(['b'])
  respond(Response.json([post('c')]))
  await loading
  expect(ids()).toEqual(['b', 'c'])
})

test('keeps a deleted post out of a feed that was being refetched', async () => {
  hold()
  const refetching = client.refetchQueries({ queryKey: options.queryKey })
  dropPost(client, 'a')
  respond(Response.json([post('a'), post('b')]))
  await refetching
  expect(ids()).toEqual(['b'])
})

test('keeps a like and the new count if the post was liked while more posts loaded', async () => {
  const loading = loadMore()
  changePost(client, 'a', like(true))
  respond(Response.json([{ ...post('a'), isLiked: true, likesCount: 5 }]))
  await loading
  expect(shown()?.filter(({ id }) => id === 'a')).toEqual(Array(2).fill({ id: 'a', isLiked: true, likesCount: 5 }))
})

test('rolls back a like that fails while more posts load', async () => {
  const loading = loadMore()
  changePost(client, 'a', like(true))
  changePost(client, 'a', like(false))
  respond(Response.json([post('c')]))
  await loading
  expect(shown()).toEqual([post('a'), post('b'), post('c')])
})

test('changes a post only once if no more posts could be loaded', async () => {
  const loading = loadMore()
  changePost(client, 'a', ({ commentsCount = 0 }) => ({ commentsCount: commentsCount + 1 }))
  respond(new TypeError('offline'))
  await loading
  expect(shown()?.[0]?.commentsCount).toBe(1)
})

test('still refetches an expired feed after a post in it changed', async () => {
  await client.invalidateQueries({ queryKey: options.queryKey, refetchType: 'none' })
  changePost(client, 'a', like(true))
  expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
  expect(shown()?.[0]?.isLiked).toBe(true)
})

test('fetches new posts of a person when their profile is opened again', () => {
  const posts = personPostsOptions('p')
  queryClient
    .getQueryCache()
    .build(queryClient, posts as never)
    .setData({ pages: [], pageParams: [] } as never)
  markSharedDataStale()
  expect(queryClient.getQueryState(posts.queryKey)?.isInvalidated).toBe(true)
  queryClient.clear()
})
