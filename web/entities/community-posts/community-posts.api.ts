import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { suggestCommunities } from '#contracts/calls/communities.ts'
import { getAcceptedAnswer, listCommunityPosts, listTags, listTrendingTags } from '#contracts/calls/community-posts.ts'
import type { CommunityPostOrder, TopPeriod } from '#contracts/choices.ts'
import type { CommunityPostType } from '#contracts/posts.ts'
import { call, callOptions, pagesOptions, queryKey, refreshCalls } from '#web/lib/call.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'

export type PostFilter = {
  communityId?: string | undefined
  type?: CommunityPostType | undefined
  tag?: string | undefined
  /** Requires a single community. */
  sort?: CommunityPostOrder | undefined
  period?: TopPeriod | undefined
}

const listOptions = (query: PostFilter & { pinned?: 'true' }) => ({
  ...pagesOptions(listCommunityPosts, { query }),
  ...cachedForBack,
  meta: othersChange,
})

/** Newest first by default. Without a community, lists posts of all the viewer's communities. */
export const communityPostsOptions = (filter: PostFilter) => listOptions(filter)

/** A single page in the shape of a list, so updates to a post also reach it. */
export const pinnedOptions = (communityId: string) => listOptions({ communityId, pinned: 'true' })

export const tagsOptions = (communityId: string) => ({ ...callOptions(listTags, { params: { id: communityId } }), meta: othersChange })

export const trendingOptions = { ...callOptions(listTrendingTags, {}), meta: othersChange }

export const suggestedOptions = { ...callOptions(suggestCommunities, {}), meta: othersChange }

/** Keyed by the comment, too, so that accepting another answer fetches that one. */
export const answerOptions = (postId: string, commentId: string) =>
  queryOptions({
    queryKey: [...queryKey(getAcceptedAnswer, { params: { id: postId } }), commentId],
    queryFn: ({ signal }) => call(getAcceptedAnswer, { params: { id: postId } }, { signal }),
  })

/** Any community's list may include the post, and tags may change. */
export const refreshCommunityPosts = (client: QueryClient): Promise<unknown> =>
  refreshCalls(client, [listCommunityPosts, listTags, listTrendingTags])
