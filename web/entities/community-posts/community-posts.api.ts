import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { suggestCommunities } from '#contracts/calls/communities.ts'
import { getAcceptedAnswer, listCommunityPosts, listTags, listTrendingTags } from '#contracts/calls/community-posts.ts'
import type { CommunityPostOrder, TopPeriod } from '#contracts/choices.ts'
import type { CommunityPostType } from '#contracts/posts.ts'
import { call, callOptions, pagesOptions, queryKey, refreshCalls } from '#web/lib/call.ts'
import { cachedForBack } from '#web/lib/query-client.ts'

export type PostFilter = {
  communityId?: string | undefined
  type?: CommunityPostType | undefined
  tag?: string | undefined
  /** In one community only. */
  sort?: CommunityPostOrder | undefined
  period?: TopPeriod | undefined
}

const listOptions = (query: PostFilter & { pinned?: 'true' }) => ({ ...pagesOptions(listCommunityPosts, { query }), ...cachedForBack })

/** Posts of one community, or of all the viewer's communities; newest first unless sorted. */
export const communityPostsOptions = (filter: PostFilter) => listOptions(filter)

/** A single page in list shape, so that updates of a post apply to all lists alike. */
export const pinnedOptions = (communityId: string) => listOptions({ communityId, pinned: 'true' })

export const tagsOptions = (communityId: string) => callOptions(listTags, { params: { id: communityId } })

export const trendingOptions = callOptions(listTrendingTags, {})

export const suggestedOptions = callOptions(suggestCommunities, {})

/** The accepted answer. The key includes its ID, so that another answer is another query. */
export const answerOptions = (postId: string, commentId: string) =>
  queryOptions({
    queryKey: [...queryKey(getAcceptedAnswer, { params: { id: postId } }), commentId],
    queryFn: ({ signal }) => call(getAcceptedAnswer, { params: { id: postId } }, { signal }),
  })

/** Call after a post or pin changed: any community list may include it, and tags may change. */
export const refreshCommunityPosts = (client: QueryClient): Promise<unknown> =>
  refreshCalls(client, [listCommunityPosts, listTags, listTrendingTags])
