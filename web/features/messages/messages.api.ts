import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type Conversation,
  type FoundMessage,
  getConversation,
  getMessageSettings,
  getUnreadMessages,
  listConversations,
  searchMessages,
} from '../../../contracts/messages.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null

/** `me`, or the id of a business whose inbox one shares. */
export type Inbox = 'me' | (string & {})

/** One's own inbox is the default, and left out. */
const of = (inbox: Inbox) => (inbox === 'me' ? {} : { inbox })

export const conversationsOptions = (inbox: Inbox, requests: boolean) => {
  const query = { ...of(inbox), ...(requests ? { requests: 'true' } : {}) }
  return infiniteQueryOptions({
    queryKey: queryKey(listConversations, { query }),
    queryFn: ({ pageParam, signal }) => callPage(listConversations, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }: ListPage<Conversation>) => next,
  })
}

export const conversationOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getConversation, { params: { id } }),
    queryFn: ({ signal }) => call(getConversation, { params: { id } }, { signal }),
  })

export const foundMessagesOptions = (inbox: Inbox, q: string) => {
  const query = { ...of(inbox), q }
  return infiniteQueryOptions({
    queryKey: queryKey(searchMessages, { query }),
    queryFn: ({ pageParam, signal }) => callPage(searchMessages, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }: ListPage<FoundMessage>) => next,
    // What was found last time has changed since.
    gcTime: 60_000,
    staleTime: 0,
  })
}

export const unreadMessagesOptions = queryOptions({
  queryKey: queryKey(getUnreadMessages),
  queryFn: ({ signal }) => call(getUnreadMessages, {}, { signal }),
})

export const messageSettingsOptions = queryOptions({
  queryKey: queryKey(getMessageSettings),
  queryFn: ({ signal }) => call(getMessageSettings, {}, { signal }),
})
