import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  getConversation,
  getMessageSettings,
  getUnreadMessages,
  listConversations,
  openConversation,
  saveMessageSettings,
  searchMessages,
} from '#contracts/calls/messages.ts'
import type { Conversation, MessageSettings } from '#contracts/messages.endpoints.ts'
import { recall, remember } from '#web/forms/tab-memory.ts'
import { call, callOptions, changeCached, expireCalls, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent, queryClient } from '#web/lib/query-client.ts'
import { fieldsBack, savedAtOnce } from '#web/lib/saved-at-once.ts'
import { toastNotSaved } from '#web/ui/lazy-overlays.tsx'

/** `me`, or the ID of a business whose inbox the viewer shares. */
export type Inbox = 'me' | (string & {})

/** Leaves out the default, the viewer's own inbox. */
const of = (inbox: Inbox) => (inbox === 'me' ? {} : { inbox })

export const conversationsOptions = (inbox: Inbox, requests: boolean) => {
  const query = { ...of(inbox), ...(requests ? { requests: 'true' } : {}) }
  return { ...pagesOptions(listConversations, { query }), ...alwaysCurrent }
}

export const conversationOptions = (id: string) => ({ ...callOptions(getConversation, { params: { id } }), ...alwaysCurrent })

export const foundMessagesOptions = (inbox: Inbox, q: string) => {
  const query = { ...of(inbox), q }
  return {
    ...pagesOptions(searchMessages, { query }),
    // Search results become outdated.
    gcTime: 60_000,
    staleTime: 0,
  }
}

export const unreadMessagesOptions = callOptions(getUnreadMessages, {})

export const messageSettingsOptions = callOptions(getMessageSettings, {})

type Pages = InfiniteData<ListPage<Conversation>>

const changeLists = (client: QueryClient, change: (items: Conversation[]) => Conversation[]): void =>
  changeCached<Pages>(client, [listConversations.path], (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: change(page.items) })),
  }))

export function changeConversation(client: QueryClient, id: string, change: (conversation: Conversation) => Conversation): void {
  changeCached(client, conversationOptions(id).queryKey, change)
  changeLists(client, (items) => items.map((each) => (each.id === id ? change(each) : each)))
}

export function dropConversation(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: conversationOptions(id).queryKey })
  changeLists(client, (items) => items.filter((each) => each.id !== id))
}

/** Refetches lists, counts and a conversation; null refetches all visible ones. */
export function refreshConversations(client: QueryClient, id: string | null): void {
  void refreshCalls(client, [listConversations, getUnreadMessages])
  void client.invalidateQueries({ queryKey: id === null ? [getConversation.path] : conversationOptions(id).queryKey })
}

/** Who can message the viewer, and read receipts. Shared with Settings. */
export const messageSettings = savedAtOnce<MessageSettings, Partial<MessageSettings>>({
  queryKey: messageSettingsOptions.queryKey,
  withChoice: (settings, choice) => ({ ...settings, ...choice }),
  turnedBack: fieldsBack,
  save: (_choice, body) => call(saveMessageSettings, { body }),
  onSaved: () => refreshConversations(queryClient, null),
  onFailed: toastNotSaved,
})

export const refreshUnread = (client: QueryClient): Promise<void> => refreshCalls(client, [getUnreadMessages])

/** Conversations are refetched when they are next shown. */
export const expireConversations = (client: QueryClient): void =>
  expireCalls(client, [listConversations, getConversation, getUnreadMessages])

/** Finds or creates the conversation. @returns its ID @throws ApiError with the reason if the viewer can't write */
export async function writeTo(to: { kind: 'person' | 'business'; id: string }): Promise<string> {
  const conversation = await call(openConversation, { body: { to: { kind: to.kind, id: to.id } } })
  queryClient.setQueryData(conversationOptions(conversation.id).queryKey, conversation)
  return conversation.id
}

/** The key under which the composer stores what a person has typed in a conversation. */
export const draftKey = (personId: string | undefined, conversationId: string): string => `messages.draft.${personId}.${conversationId}`

/** Starts a message in the composer, after what the person has typed there. */
export function startDraft(personId: string | undefined, conversationId: string, text: string): void {
  const key = draftKey(personId, conversationId)
  const before = recall(key)
  if (typeof before !== 'string' || before.trim() === '') remember(key, text)
  else if (!before.includes(text.trim())) remember(key, `${before.trimEnd()}\n${text}`)
}
