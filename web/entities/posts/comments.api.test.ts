import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Post } from '#contracts/posts.ts'
import { addComment, commentsOf, commentsOptions, dropComment, refreshCount, replaceComment, uncountComment } from './comments.api.ts'
import { postOptions } from './posts.api.ts'

const options = commentsOptions('post')
/** The letter in the ID sets the time: "a" is older than "b". */
const comment = (id: string, details: Partial<Comment> = {}) =>
  ({
    id,
    createdAt: new Date(id.charCodeAt(0)).toISOString(),
    postId: 'post',
    parentId: null,
    content: id,
    moderation: null,
    repliesCount: 0,
    heldRepliesCount: 0,
    ...details,
  }) as Comment

let client: QueryClient
let list: InstanceType<typeof InfiniteQueryObserver>
let respond: (response: Response) => void
const shown = () => commentsOf(client.getQueryData(options.queryKey))
const texts = () => shown().map(({ content }) => content)

/** The next request for comments waits for `respond`. The post can't be loaded. */
function hold(): void {
  const held = Promise.withResolvers<Response>()
  respond = held.resolve
  vi.stubGlobal('fetch', async (url: string) => (url.includes('/comments') ? held.promise : Response.error()))
}

function loadMore() {
  hold()
  return list.fetchNextPage()
}

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })
  list = new InfiniteQueryObserver(client, options as never)
  client.setQueryData(options.queryKey, {
    pages: [{ items: [comment('a'), comment('b')], next: '/api/posts/post/comments?cursor=1' }],
    pageParams: [null],
  })
})
afterEach(() => vi.unstubAllGlobals())

test('shows the viewer’s new comment after older ones that load later', async () => {
  addComment(client, comment('e'))
  const loading = loadMore()
  respond(Response.json([comment('c')], { headers: { link: '</api/posts/post/comments?cursor=2>; rel="next"' } }))
  await loading
  expect(texts()).toEqual(['a', 'b', 'c', 'e'])
  const last = loadMore()
  respond(Response.json([comment('d'), comment('e')]))
  await last
  expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('keeps a comment written while more comments loaded, and shows it once', async () => {
  const loading = loadMore()
  addComment(client, comment('d'))
  expect(texts()).toEqual(['a', 'b', 'd'])
  respond(Response.json([comment('c')]))
  await loading
  expect(texts()).toEqual(['a', 'b', 'c', 'd'])
  hold()
  const again = client.refetchQueries({ queryKey: options.queryKey })
  respond(Response.json([comment('a'), comment('d')]))
  await again
  expect(texts().filter((text) => text === 'd')).toHaveLength(1)
})

test('keeps a comment written before the first comments arrived', async () => {
  client.clear()
  hold()
  const loading = client.fetchInfiniteQuery(options)
  addComment(client, comment('b'))
  respond(Response.json([comment('a')]))
  await loading
  expect(texts()).toEqual(['a', 'b'])
})

test('keeps a comment’s edit or deletion while more comments load', async () => {
  const loading = loadMore()
  replaceComment(client, comment('a', { content: 'changed' }))
  dropComment(client, comment('b'))
  respond(Response.json([comment('c')]))
  await loading
  expect(texts()).toEqual(['changed', 'c'])
})

test('lowers the count as soon as a comment is deleted, and corrects it if the comment stays', async () => {
  const { queryKey } = postOptions('post')
  client.setQueryData(queryKey, { id: 'post', commentsCount: 2 } as Post)
  uncountComment(client, comment('held', { moderation: 'held' }))
  expect(client.getQueryData(queryKey)?.commentsCount).toBe(2)
  uncountComment(client, comment('b'))
  expect(client.getQueryData(queryKey)?.commentsCount).toBe(1)
  vi.stubGlobal('fetch', async () => Response.json({ id: 'post', commentsCount: 3 }))
  await refreshCount(client, 'post')
  expect(client.getQueryData(queryKey)?.commentsCount).toBe(3)
})

test('counts a reply and a comment once, whether or not a response already counts them', async () => {
  client.setQueryData(postOptions('post').queryKey, { id: 'post', commentsCount: 2 } as Post)
  for (const repliesCount of [0, 1]) {
    client.setQueryData(options.queryKey, { pages: [{ items: [comment('a')], next: null }], pageParams: [null] })
    hold()
    const loading = client.refetchQueries({ queryKey: options.queryKey })
    addComment(client, comment('r', { parentId: 'a' }))
    expect(shown()[0]?.repliesCount).toBe(1)
    respond(Response.json([comment('a', { repliesCount })]))
    await loading
    expect(shown()[0]?.repliesCount).toBe(1)
  }
  vi.stubGlobal('fetch', async () => Response.json({ id: 'post', commentsCount: 5 }))
  const loading = client.fetchQuery({ ...postOptions('post'), staleTime: 0 })
  addComment(client, comment('e'))
  await loading
  expect(client.getQueryData(postOptions('post').queryKey)?.commentsCount).toBe(5)
})
