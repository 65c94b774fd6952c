import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  getFeed,
  getPost,
  getSuggestions,
  hidePost,
  listBusinessPosts,
  listPersonPosts,
  listSavedPosts,
  savePost,
  unhidePost,
  unsavePost,
} from '#contracts/calls/posts.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { FeedPost, Post } from '#contracts/posts.ts'
import { messageOf } from '#web/lib/api-error.ts'
import {
  call,
  callOptions,
  callPage,
  changeCached,
  changeItems,
  expireCalls,
  type ListPage,
  pagesOptions,
  refreshCalls,
} from '#web/lib/call.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'
import { toast } from '#web/ui/toast-store.ts'

export type FeedType = 'farm' | 'dispensary' | undefined

export const feedOptions = (type: FeedType) => ({ ...pagesOptions(getFeed, { query: { type } }), ...cachedForBack })

/** Bypasses the cache, to find new posts. */
export const newestPosts = (type: FeedType): Promise<ListPage<FeedPost>> => callPage(getFeed, { query: { type } }, null)

export const suggestionsOptions = (query: NonNullable<InputOf<typeof getSuggestions>['query']>) => ({
  ...callOptions(getSuggestions, { query }),
  ...cachedForBack,
})

export const postOptions = (id: string) => ({ ...callOptions(getPost, { params: { id } }), meta: othersChange })

export const personPostsOptions = (personId: string) => ({
  ...pagesOptions(listPersonPosts, { params: { id: personId } }),
  ...cachedForBack,
  meta: othersChange,
})

export const savedPostsOptions = { ...pagesOptions(listSavedPosts, {}), ...cachedForBack }

// Queries never go stale by themselves, so changing a post updates every cached response that shows it.

/** Repeats the path, because the feed doesn't load the contract of community posts. */
const communityPostsPath = '/api/community-posts'

const listPaths = [getFeed.path, listBusinessPosts.path, listPersonPosts.path, listSavedPosts.path, communityPostsPath]

function changeLists(client: QueryClient, change: (posts: Post[]) => Post[]): void {
  changeCached(client, { queryKey: [getSuggestions.path] }, change)
  for (const path of listPaths) changeItems(client, { queryKey: [path] }, change)
}

/**
 * `change` receives what each cached response currently shows, and should be idempotent, because it's repeated when responses in flight
 * arrive.
 */
export function changePost(client: QueryClient, id: string, change: (post: Post) => Partial<Post>): void {
  const apply = (post: Post): Post => (post.id === id ? { ...post, ...change(post) } : post)
  changeCached(client, { queryKey: [getPost.path] }, apply)
  changeLists(client, (posts) => posts.map(apply))
}

const without =
  (id: string) =>
  (posts: Post[]): Post[] =>
    posts.filter((post) => post.id !== id)

export function dropPost(client: QueryClient, id: string): void {
  changeLists(client, without(id))
  client.removeQueries({ queryKey: [getPost.path, { id }] })
}

/** Takes the post from any cached list, as a placeholder while its own response loads. */
export function shownPost(client: QueryClient, id: string): Post | undefined {
  const inPages = listPaths.flatMap((path) =>
    client
      .getQueriesData<InfiniteData<ListPage<Post>>>({ queryKey: [path] })
      .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []),
  )
  const suggested = client.getQueriesData<Post[]>({ queryKey: [getSuggestions.path] }).flatMap(([, posts]) => posts ?? [])
  return [...inPages, ...suggested].find((post) => post.id === id)
}

export async function setSaved(client: QueryClient, id: string, isSaved: boolean): Promise<void> {
  try {
    await call(isSaved ? savePost : unsavePost, { params: { id } })
    changePost(client, id, () => ({ isSaved }))
    if (isSaved) {
      expireCalls(client, [listSavedPosts])
      toast({ title: 'Post saved', description: 'It’s in Favorites, under Saved posts.' })
      return
    }
    changeItems(client, { queryKey: [listSavedPosts.path] }, without(id))
    toast({ title: 'Removed from saved posts', action: { label: 'Undo', onClick: () => void saveAgain(client, id) } })
  } catch (error) {
    const failure = isSaved ? 'The post couldn’t be saved.' : 'The post couldn’t be removed from your saved posts.'
    toast({ title: 'Error', description: messageOf(error, failure), variant: 'destructive' })
  }
}

async function saveAgain(client: QueryClient, id: string): Promise<void> {
  await setSaved(client, id, true)
  await refreshCalls(client, [listSavedPosts])
}

/** Without a community, the call lists the feed: posts of all the viewer's communities. */
const isFeedOfCommunities = ({ queryKey: [, , query] }: { queryKey: readonly unknown[] }): boolean =>
  (query as { communityId?: string }).communityId === undefined

export async function hideFromFeeds(client: QueryClient, id: string): Promise<void> {
  changeItems(client, { queryKey: [getFeed.path] }, without(id))
  changeCached(client, { queryKey: [getSuggestions.path] }, without(id))
  changeItems(client, { queryKey: [communityPostsPath], predicate: isFeedOfCommunities }, without(id))
  try {
    await call(hidePost, { params: { id } })
    toast({
      title: 'Post hidden',
      description: 'It won’t appear in your feed.',
      action: { label: 'Undo', onClick: () => void showAgain(client, id) },
    })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error, 'The post couldn’t be hidden. Try again.'), variant: 'destructive' })
    await refreshFeeds(client)
  }
}

async function showAgain(client: QueryClient, id: string): Promise<void> {
  try {
    await call(unhidePost, { params: { id } })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error, 'The post is still hidden. Try again.'), variant: 'destructive' })
  }
  await refreshFeeds(client)
}

const refreshFeeds = (client: QueryClient): Promise<void> => refreshCalls(client, [getFeed, getSuggestions, { path: communityPostsPath }])
