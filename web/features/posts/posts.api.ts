import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listComments, listReplies } from '../../../contracts/comments.ts'
import { type FeedPost, getFeed, getPost, getSuggestions, listBusinessPosts, listPersonPosts, type Post } from '../../../contracts/posts.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

/** How long a list that was left keeps its pages, in milliseconds: Back finds it as it was, at the same place. */
const keepListFor = 30 * 60_000

/** The feed's buttons; without one, all. */
export type FeedType = 'farm' | 'dispensary' | undefined

export const feedOptions = (type: FeedType) =>
  infiniteQueryOptions({
    queryKey: queryKey(getFeed, { query: { type } }),
    queryFn: ({ pageParam, signal }): Promise<ListPage<FeedPost>> => callPage(getFeed, { query: { type } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    gcTime: keepListFor,
  })

/** The newest posts as they are now, past the cache: to see whether there are new ones. */
export const newestPosts = (type: FeedType): Promise<ListPage<FeedPost>> => callPage(getFeed, { query: { type } }, null)

export const suggestionsOptions = (type: FeedType) =>
  queryOptions({
    queryKey: queryKey(getSuggestions, { query: { type } }),
    queryFn: ({ signal }) => call(getSuggestions, { query: { type } }, { signal }),
    gcTime: keepListFor,
  })

export const postOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getPost, { params: { id } }),
    queryFn: ({ signal }) => call(getPost, { params: { id } }, { signal }),
    meta: othersChange,
  })

/** What a person posted under their own name. */
export const personPostsOptions = (personId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listPersonPosts, { params: { id: personId } }),
    queryFn: ({ pageParam, signal }): Promise<ListPage<Post>> =>
      callPage(listPersonPosts, { params: { id: personId } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    gcTime: keepListFor,
  })

const postLists = [getFeed, getSuggestions, listBusinessPosts, listPersonPosts]

/** After a post has come: every list may have it. */
export const refreshPostLists = (client: QueryClient): Promise<unknown> =>
  Promise.all(postLists.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))

/** After a subscription has begun or ended, which opens and closes posts and what belongs to them. */
export const refreshPosts = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    refreshPostLists(client),
    ...[getPost, listComments, listReplies].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
  ])
