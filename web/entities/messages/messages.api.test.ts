import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import type { ListPage } from '#web/lib/call.ts'
import { changeConversation, conversationOptions, conversationsOptions, dropConversation, expireConversations } from './messages.api.ts'

const list = conversationsOptions('me', false)
const ofBusiness = conversationsOptions('0192f0c1-2c3d-7e4f-8a9b-0c1d2e3f4a5b', false)
const conversation = (id: string, unreadCount = 0) => ({ id, unreadCount }) as Conversation
const pages = (...items: Conversation[]) =>
  ({ pages: [{ items, next: null }], pageParams: [null] }) as InfiniteData<ListPage<Conversation>, null>
const answers = (...items: Conversation[]) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json(items)),
  )

let client: QueryClient
const shown = (options = list) => client.getQueryData(options.queryKey)?.pages.flatMap(({ items }) => items)
const open = () => client.fetchInfiniteQuery(list)

beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(list.queryKey, pages(conversation('a', 2), conversation('b')))
  client.setQueryData(ofBusiness.queryKey, pages(conversation('a', 2)))
  client.setQueryData(conversationOptions('a').queryKey, conversation('a', 2))
})
afterEach(() => vi.unstubAllGlobals())

test('updates a conversation on its own page and in every list', () => {
  changeConversation(client, 'a', (each) => ({ ...each, unreadCount: 0 }))
  expect([...(shown() ?? []), ...(shown(ofBusiness) ?? [])]).toEqual([conversation('a'), conversation('b'), conversation('a')])
  expect(client.getQueryData(conversationOptions('a').queryKey)).toEqual(conversation('a'))
})

test('removes a deleted conversation from every list', () => {
  dropConversation(client, 'a')
  expect([shown(), shown(ofBusiness)]).toEqual([[conversation('b')], []])
  expect(client.getQueryData(conversationOptions('a').queryKey)).toBeUndefined()
})

test('refetches an expired list even if a conversation was just marked as read', async () => {
  answers(conversation('b', 3))
  expireConversations(client)
  changeConversation(client, 'a', (each) => ({ ...each, unreadCount: 0 }))
  await open()
  expect(shown()).toEqual([conversation('b', 3)])
})

test('refetches a list that was loading when a message arrived', async () => {
  const older = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => older.promise)
  expireConversations(client)
  const hovered = client.prefetchInfiniteQuery(list)
  expireConversations(client)
  older.resolve(Response.json([conversation('b')]))
  await hovered
  answers(conversation('b', 3))
  await open()
  expect(shown()).toEqual([conversation('b', 3)])
})
