import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type FeedPost, getFeed, getPost, getSuggestions, listBusinessPosts, listPersonPosts, type Post } from '../../../contracts/posts.ts'
import type { ListPage } from '../../lib/call.ts'

// Nothing goes stale by itself, so whoever changes a post in one place writes the change into every answer that shows it.

/** The lists of communities; their contract is not for everybody who reads the feed. */
export const communityPostsPath = '/api/community-posts'

type Pages<Item> = InfiniteData<ListPage<Item>>

const mapPages = <Item>(data: Pages<Item> | undefined, change: (items: Item[]) => Item[]): Pages<Item> | undefined =>
  data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }

function mapLists(client: QueryClient, change: <P extends Post>(posts: P[]) => P[]): void {
  client.setQueriesData<Pages<FeedPost>>({ queryKey: [getFeed.path] }, (data) => mapPages(data, change))
  client.setQueriesData<FeedPost[]>({ queryKey: [getSuggestions.path] }, (posts) => posts && change(posts))
  for (const path of [listBusinessPosts.path, listPersonPosts.path, communityPostsPath]) {
    client.setQueriesData<Pages<Post>>({ queryKey: [path] }, (data) => mapPages(data, change))
  }
}

/** Changes a post wherever it is shown. `change` gets the post as it is shown there. */
export function changePost(client: QueryClient, id: string, change: (post: Post) => Partial<Post>): void {
  const apply = <P extends Post>(post: P): P => (post.id === id ? { ...post, ...change(post) } : post)
  client.setQueriesData<Post>({ queryKey: [getPost.path] }, (post) => post && apply(post))
  mapLists(client, (posts) => posts.map(apply))
}

/** Takes a post out of every list. */
export function dropPost(client: QueryClient, id: string): void {
  mapLists(client, (posts) => posts.filter((post) => post.id !== id))
  client.removeQueries({ queryKey: [getPost.path, { id }] })
}

/** The post as some list shows it: something to show while its own answer is on its way. */
export function shownPost(client: QueryClient, id: string): Post | undefined {
  const inPages = [getFeed.path, listBusinessPosts.path, listPersonPosts.path, communityPostsPath].flatMap((path) =>
    client.getQueriesData<Pages<Post>>({ queryKey: [path] }).flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []),
  )
  const suggested = client.getQueriesData<Post[]>({ queryKey: [getSuggestions.path] }).flatMap(([, posts]) => posts ?? [])
  return [...inPages, ...suggested].find((post) => post.id === id)
}
