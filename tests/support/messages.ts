import { expect } from 'vitest'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import { settingFields } from '#contracts/settings.ts'
import { newId } from '#server/kernel/ids.ts'
import type { TestApp, TestPerson } from './test-app.ts'

/** Switches are on, and choices have their first option. */
export const defaultMessageSettings = Object.fromEntries(
  Object.entries(settingFields.messages).map(([name, field]) => [name, 'options' in field ? field.options[0] : true]),
)

export function messagesOf(test: TestApp) {
  const ok = async <Answer>(...call: Parameters<TestApp['request']>): Promise<Answer> => {
    const answer = await test.request(...call)
    expect(answer.statusCode, `${call[0]} ${call[1]}: ${answer.body}`).toBeLessThan(300)
    return answer.json() as Answer
  }
  const tryToOpen = (as: TestPerson | null, to: { kind: 'person' | 'business'; id: string }, actingAs: string | null = null) =>
    test.request('POST', '/api/conversations', as, { to, as: actingAs })
  const open = async (...given: Parameters<typeof tryToOpen>): Promise<Conversation> => {
    const answer = await tryToOpen(...given)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json() as Conversation
  }
  const tryToSend = (as: TestPerson | null, conversationId: string, content: string, details: object = {}) =>
    test.request('POST', `/api/conversations/${conversationId}/messages`, as, { id: newId(), content, ...details })
  const send = async (...given: Parameters<typeof tryToSend>): Promise<Message> => {
    const answer = await tryToSend(...given)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json() as Message
  }
  const conversation = (as: TestPerson, id: string) => ok<Conversation>('GET', `/api/conversations/${id}`, as)
  const accept = (as: TestPerson, id: string) => ok<Conversation>('POST', `/api/conversations/${id}/accept`, as)

  return {
    tryToOpen,
    open,
    openWith: (as: TestPerson, other: TestPerson) => open(as, { kind: 'person', id: other.user.id }),
    tryToSend,
    send,
    conversation,
    accept,
    inbox: (as: TestPerson, query = '') => ok<Conversation[]>('GET', `/api/conversations${query}`, as),
    messages: (as: TestPerson, id: string, query = '?limit=100') => ok<Message[]>('GET', `/api/conversations/${id}/messages${query}`, as),
    read: (as: TestPerson, id: string, sequence: number) =>
      ok<{ readSequence: number; unreadCount: number }>('POST', `/api/conversations/${id}/read`, as, { sequence }),
    unread: async (as: TestPerson) => (await ok<{ count: number }>('GET', '/api/messages/unread-count', as)).count,
    settings: (as: TestPerson, settings: { showsReadMarks?: boolean; takesMessagesFrom?: string }) =>
      ok('PATCH', '/api/message-settings', as, settings),
    /** A conversation in which both people can write freely. */
    async between(one: TestPerson, other: TestPerson): Promise<string> {
      const { id } = await open(one, { kind: 'person', id: other.user.id })
      await test.db.updateTable('conversations').set({ accepted_at: test.clock.now() }).where('id', '=', id).execute()
      return id
    },
  }
}
