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
import { call, callOptions, callPage, expireCalls, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'
import { toast } from '#web/ui/toast-store.ts'

/** Filter buttons of the feed; undefined shows all. */
export type FeedType = 'farm' | 'dispensary' | undefined

export const feedOptions = (type: FeedType) => ({ ...pagesOptions(getFeed, { query: { type } }), ...cachedForBack })

/** Fetches the newest posts past the cache, to check for new ones. */
export const newestPosts = (type: FeedType): Promise<ListPage<FeedPost>> => callPage(getFeed, { query: { type } }, null)

export const suggestionsOptions = (query: NonNullable<InputOf<typeof getSuggestions>['query']>) => ({
  ...callOptions(getSuggestions, { query }),
  ...cachedForBack,
})

export const postOptions = (id: string) => ({ ...callOptions(getPost, { params: { id } }), meta: othersChange })

/** Personal posts, without those in a business's name. */
export const personPostsOptions = (personId: string) => ({
  ...pagesOptions(listPersonPosts, { params: { id: personId } }),
  ...cachedForBack,
})

/** The viewer's saved posts, last saved first. */
export const savedPostsOptions = { ...pagesOptions(listSavedPosts, {}), ...cachedForBack }

// Queries never go stale by themselves, so changing a post updates every cached response that shows it.

/** Lists of community posts. Duplicated here, because the feed doesn't load their contract. */
const communityPostsPath = '/api/community-posts'

type Pages<Item> = InfiniteData<ListPage<Item>>

const mapPages = <Item>(data: Pages<Item> | undefined, change: (items: Item[]) => Item[]): Pages<Item> | undefined =>
  data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }

function mapLists(client: QueryClient, change: <P extends Post>(posts: P[]) => P[]): void {
  client.setQueriesData<Pages<FeedPost>>({ queryKey: [getFeed.path] }, (data) => mapPages(data, change))
  client.setQueriesData<FeedPost[]>({ queryKey: [getSuggestions.path] }, (posts) => posts && change(posts))
  for (const path of [listBusinessPosts.path, listPersonPosts.path, listSavedPosts.path, communityPostsPath]) {
    client.setQueriesData<Pages<Post>>({ queryKey: [path] }, (data) => mapPages(data, change))
  }
}

/** Updates a post in all cached responses. `change` receives it as currently shown. */
export function changePost(client: QueryClient, id: string, change: (post: Post) => Partial<Post>): void {
  const apply = <P extends Post>(post: P): P => (post.id === id ? { ...post, ...change(post) } : post)
  client.setQueriesData<Post>({ queryKey: [getPost.path] }, (post) => post && apply(post))
  mapLists(client, (posts) => posts.map(apply))
}

export function dropPost(client: QueryClient, id: string): void {
  mapLists(client, (posts) => posts.filter((post) => post.id !== id))
  client.removeQueries({ queryKey: [getPost.path, { id }] })
}

/** The post as cached in some list: a placeholder while its own response loads. */
export function shownPost(client: QueryClient, id: string): Post | undefined {
  const inPages = [getFeed.path, listBusinessPosts.path, listPersonPosts.path, listSavedPosts.path, communityPostsPath].flatMap((path) =>
    client.getQueriesData<Pages<Post>>({ queryKey: [path] }).flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []),
  )
  const suggested = client.getQueriesData<Post[]>({ queryKey: [getSuggestions.path] }).flatMap(([, posts]) => posts ?? [])
  return [...inPages, ...suggested].find((post) => post.id === id)
}

/** Saves a post, or removes it from the saved posts with Undo. */
export async function setSaved(client: QueryClient, id: string, isSaved: boolean): Promise<void> {
  try {
    await call(isSaved ? savePost : unsavePost, { params: { id } })
    changePost(client, id, () => ({ isSaved }))
    if (isSaved) {
      expireCalls(client, [listSavedPosts])
      toast({ title: 'Post saved', description: 'It’s in Favorites, under Saved posts.' })
      return
    }
    client.setQueriesData<Pages<Post>>({ queryKey: [listSavedPosts.path] }, (data) =>
      mapPages(data, (posts) => posts.filter((post) => post.id !== id)),
    )
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

/** Whether a list of community posts is a feed: it has those of all communities, not of one. */
const isFeedOfCommunities = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => !JSON.stringify(queryKey).includes('"communityId"')

/** Hides a post from feeds at once, with Undo. */
export async function hideFromFeeds(client: QueryClient, id: string): Promise<void> {
  const without = <P extends Post>(posts: P[]): P[] => posts.filter((post) => post.id !== id)
  client.setQueriesData<Pages<FeedPost>>({ queryKey: [getFeed.path] }, (data) => mapPages(data, without))
  client.setQueriesData<FeedPost[]>({ queryKey: [getSuggestions.path] }, (posts) => posts && without(posts))
  client.setQueriesData<Pages<Post>>({ queryKey: [communityPostsPath], predicate: isFeedOfCommunities }, (data) => mapPages(data, without))
  try {
    await call(hidePost, { params: { id } })
    toast({
      title: 'Post hidden',
      description: 'It won’t appear in your feed.',
      action: { label: 'Undo', onClick: () => void showAgain(client, id) },
    })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error, 'The post couldn’t be hidden.'), variant: 'destructive' })
    await refreshFeeds(client)
  }
}

async function showAgain(client: QueryClient, id: string): Promise<void> {
  try {
    await call(unhidePost, { params: { id } })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error, 'The post is still hidden.'), variant: 'destructive' })
  }
  await refreshFeeds(client)
}

const refreshFeeds = (client: QueryClient): Promise<void> => refreshCalls(client, [getFeed, getSuggestions, { path: communityPostsPath }])
