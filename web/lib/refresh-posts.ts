import type { QueryClient } from '@tanstack/react-query'
import { listComments, listReplies } from '#contracts/calls/comments.ts'
import { getFeed, getPost, getSuggestions, listBusinessPosts, listPersonPosts } from '#contracts/calls/posts.ts'
import { refreshCalls } from './call.ts'

const postLists = [getFeed, getSuggestions, listBusinessPosts, listPersonPosts]

/** Call after a new post, because any list may include it. */
export const refreshPostLists = (client: QueryClient): Promise<unknown> => refreshCalls(client, postLists)

/** Call after a follow begins or ends, because that changes whose posts the feed shows. */
export const refreshFeed = (client: QueryClient): Promise<unknown> => refreshCalls(client, [getFeed, getSuggestions])

/** Call after a subscription begins or ends, because that opens or closes posts and their comments. */
export const refreshPosts = (client: QueryClient): Promise<unknown> =>
  Promise.all([refreshPostLists(client), refreshCalls(client, [getPost, listComments, listReplies])])
