import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { suggestCommunities } from '../../../contracts/communities.ts'
import {
  type CommunityPost,
  getAcceptedAnswer,
  listCommunityPosts,
  listTags,
  listTrendingTags,
} from '../../../contracts/community-posts.ts'
import type { CommunityPostType } from '../../../contracts/posts.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

export type PostFilter = { communityId?: string | undefined; type?: CommunityPostType | undefined; tag?: string | undefined }

const firstPage = null as string | null
/** How long a list that was left keeps its pages, in milliseconds: Back finds it as it was, at the same place. */
const keepListFor = 30 * 60_000

const listOptions = (query: PostFilter & { pinned?: 'true' }) =>
  infiniteQueryOptions({
    queryKey: queryKey(listCommunityPosts, { query }),
    queryFn: ({ pageParam, signal }): Promise<ListPage<CommunityPost>> => callPage(listCommunityPosts, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
    gcTime: keepListFor,
  })

/** Of one community, or of all that one is in; newest first. */
export const communityPostsOptions = (filter: PostFilter) => listOptions(filter)

/** One page, in the shape of the other lists: whoever changes a post writes it into all of them alike. */
export const pinnedOptions = (communityId: string) => listOptions({ communityId, pinned: 'true' })

export const tagsOptions = (communityId: string) =>
  queryOptions({
    queryKey: queryKey(listTags, { params: { id: communityId } }),
    queryFn: ({ signal }) => call(listTags, { params: { id: communityId } }, { signal }),
  })

export const trendingOptions = queryOptions({
  queryKey: queryKey(listTrendingTags, {}),
  queryFn: ({ signal }) => call(listTrendingTags, {}, { signal }),
})

export const suggestedOptions = queryOptions({
  queryKey: queryKey(suggestCommunities, {}),
  queryFn: ({ signal }) => call(suggestCommunities, {}, { signal }),
})

/** The answer that was accepted; asked anew for another one. */
export const answerOptions = (postId: string, commentId: string) =>
  queryOptions({
    queryKey: [...queryKey(getAcceptedAnswer, { params: { id: postId } }), commentId],
    queryFn: ({ signal }) => call(getAcceptedAnswer, { params: { id: postId } }, { signal }),
  })

/** After a post has come, or a pin has: every list of communities may have it, and their tags. */
export const refreshCommunityPosts = (client: QueryClient): Promise<unknown> =>
  Promise.all([listCommunityPosts, listTags, listTrendingTags].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
