import type { QueryClient } from '@tanstack/react-query'
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
import { getTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { call, callOptions, changeCached, changeItems, expireCalls, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent, queryClient } from '#web/lib/query-client.ts'
import { fieldsBack, optimisticSettings } from '#web/lib/saved-at-once.ts'
import { toastNotSaved } from '#web/ui/lazy-overlays.tsx'

/** `me`, or the ID of a business whose inbox the viewer shares. */
export type Inbox = 'me' | (string & {})

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
    gcTime: 60_000,
    staleTime: 0,
  }
}

export const unreadMessagesOptions = callOptions(getUnreadMessages, {})

export const messageSettingsOptions = callOptions(getMessageSettings, {})

const changeLists = (client: QueryClient, change: (items: Conversation[]) => Conversation[]): void =>
  changeItems(client, { queryKey: [listConversations.path] }, change)

export function changeConversation(client: QueryClient, id: string, change: (conversation: Conversation) => Conversation): void {
  changeCached(client, { queryKey: conversationOptions(id).queryKey }, change)
  changeLists(client, (items) => items.map((each) => (each.id === id ? change(each) : each)))
}

export function dropConversation(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: conversationOptions(id).queryKey })
  changeLists(client, (items) => items.filter((each) => each.id !== id))
}

/** Null refetches all visible conversations. */
export function refreshConversations(client: QueryClient, id: string | null): void {
  void refreshCalls(client, [listConversations, getUnreadMessages])
  void client.invalidateQueries({ queryKey: id === null ? [getConversation.path] : conversationOptions(id).queryKey })
}

export const messageSettings = optimisticSettings<MessageSettings, Partial<MessageSettings>>({
  queryKey: messageSettingsOptions.queryKey,
  withChoice: (settings, choice) => ({ ...settings, ...choice }),
  turnedBack: fieldsBack,
  save: (body) => call(saveMessageSettings, { body }),
  onSaved: () => refreshConversations(queryClient, null),
  onFailed: toastNotSaved,
})

export const refreshUnread = (client: QueryClient): Promise<void> => refreshCalls(client, [getUnreadMessages])

export const expireConversations = (client: QueryClient): void =>
  expireCalls(client, [listConversations, getConversation, getUnreadMessages])

/** Finds or creates the conversation. @returns its ID @throws ApiError with the reason if the viewer can't write to them */
export async function writeTo(to: { kind: 'person' | 'business'; id: string }): Promise<string> {
  const conversation = await call(openConversation, { body: { to: { kind: to.kind, id: to.id } } })
  queryClient.setQueryData(conversationOptions(conversation.id).queryKey, conversation)
  return conversation.id
}

export const draftKey = (personId: string | undefined, conversationId: string): string => `messages.draft.${personId}.${conversationId}`

/** Keeps any text in the composer, and appends to it. */
export function startDraft(personId: string | undefined, conversationId: string, text: string): void {
  const key = draftKey(personId, conversationId)
  const before = getTabItem(key)
  if (typeof before !== 'string' || before.trim() === '') setTabItem(key, text)
  else if (!before.includes(text.trim())) setTabItem(key, `${before.trimEnd()}\n${text}`)
}
