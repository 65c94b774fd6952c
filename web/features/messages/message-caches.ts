import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type Conversation, getConversation, getUnreadMessages, listConversations } from '../../../contracts/messages.ts'
import type { ListPage } from '../../lib/call.ts'
import { conversationOptions } from './messages.api.ts'

type Pages = InfiniteData<ListPage<Conversation>>

/** Changes a conversation wherever it is shown. */
export function changeConversation(client: QueryClient, id: string, change: (conversation: Conversation) => Conversation): void {
  client.setQueryData(conversationOptions(id).queryKey, (conversation) => conversation && change(conversation))
  client.setQueriesData<Pages>(
    { queryKey: [listConversations.path] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.map((each) => (each.id === id ? change(each) : each)) })),
      },
  )
}

/** Takes a conversation out of every list. */
export function dropConversation(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: conversationOptions(id).queryKey })
  client.setQueriesData<Pages>(
    { queryKey: [listConversations.path] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter((each) => each.id !== id) })) },
  )
}

/** Asks anew for the lists, the counts, and a conversation; null: for all that are shown. */
export function refreshConversations(client: QueryClient, id: string | null): void {
  void client.invalidateQueries({ queryKey: [listConversations.path] })
  void client.invalidateQueries({ queryKey: [getUnreadMessages.path] })
  void client.invalidateQueries({ queryKey: id === null ? [getConversation.path] : conversationOptions(id).queryKey })
}
