import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Message } from '#contracts/messages.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let mail: ReturnType<typeof messagesOf>

beforeAll(async () => {
  test = await startTestApp()
  mail = messagesOf(test)
})
afterAll(() => test?.close())

/** The count as computed from the messages themselves. */
async function unreadOf(id: string, who: TestPerson): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from messages
      join conversation_sides side on side.conversation_id = messages.conversation_id and side.user_id = ${who.user.id}::uuid
    where messages.conversation_id = ${id}::uuid and messages.sender_id <> ${who.user.id}::uuid
      and messages.sequence > greatest(side.read_sequence, side.cleared_sequence)
      and not exists (select from message_deletions gone where gone.message_id = messages.id and gone.user_id = side.user_id)`.execute(
    test.db,
  )
  return rows[0]?.unread ?? 0
}

/** Resends the same message while the server is too busy, as the page does. */
async function sendUntilThere(who: TestPerson, id: string, content: string): Promise<Message> {
  const body = { id: newId(), content }
  for (;;) {
    const answer = await test.request('POST', `/api/conversations/${id}/messages`, who, body)
    if (answer.statusCode === 201) return answer.json() as Message
    if (answer.statusCode < 500) throw new Error(answer.body)
  }
}

it('never loses, duplicates, or reorders 100 concurrent messages from each of two senders during reads and catch-up', {
  timeout: 120_000,
}, async () => {
  const [ann, ben] = [await test.signUp(), await test.signUp()]
  const id = await mail.between(ann, ben)
  let isSending = true
  const sendAll = (who: TestPerson, name: string) =>
    Promise.all(Array.from({ length: 100 }, (_, i) => sendUntilThere(who, id, `${name} ${i}`)))
  /** Polls like an open page; its messages must never have gaps. */
  const follow = async (who: TestPerson) => {
    const seen: number[] = []
    while (isSending || seen.length < 200) {
      const answer = await test.request('GET', `/api/conversations/${id}/messages?after=${seen.at(-1) ?? 0}&limit=7`, who)
      const fresh = answer.statusCode === 200 ? (answer.json() as Message[]) : []
      seen.push(...fresh.map(({ sequence }) => sequence))
      const sequence = (seen.at(-1) ?? 1) - 1
      await test.request('POST', `/api/conversations/${id}/read`, who, { sequence })
    }
    return seen
  }
  const following = [follow(ann), follow(ben)]
  const sent = await Promise.all([sendAll(ann, 'Ann'), sendAll(ben, 'Ben')])
  isSending = false
  const all = Array.from({ length: 200 }, (_, i) => i + 1)
  for (const seen of await Promise.all(following)) expect(seen).toEqual(all)
  expect(
    sent
      .flat()
      .map(({ sequence }) => sequence)
      .toSorted((a, b) => a - b),
  ).toEqual(all)
  for (const who of [ann, ben]) {
    await mail.read(who, id, 199)
    const { unreadCount, readSequence } = await mail.conversation(who, id)
    expect([unreadCount, readSequence]).toEqual([await unreadOf(id, who), 199])
    expect((await mail.read(who, id, 200)).unreadCount).toBe(0)
    expect(await mail.unread(who)).toBe(0)
  }
})

it('keeps unread counts accurate after any actions by two people', { timeout: 120_000 }, async () => {
  const action = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom('send', 'send', 'send', 'read', 'delete', 'clear', 'mute'),
    which: fc.nat(9),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), fc.boolean(), async (actions, atOnce) => {
      const people = [await test.signUp(), await test.signUp()]
      const id = await mail.between(people[0] as TestPerson, people[1] as TestPerson)
      const act = async ({ who, what, which }: (typeof actions)[number]) => {
        const person = people[who] as TestPerson
        if (what === 'send') return mail.send(person, id, 'Words')
        if (what === 'read') return mail.read(person, id, which)
        if (what === 'clear') return test.request('DELETE', `/api/conversations/${id}`, person)
        if (what === 'mute') return test.request('PUT', `/api/conversations/${id}/mute`, person)
        const message = (await mail.messages(person, id))[which % 5]
        return message && test.request('DELETE', `/api/messages/${message.id}`, person)
      }
      if (atOnce) await Promise.all(actions.map(act))
      else for (const each of actions) await act(each)
      for (const person of people) expect((await mail.conversation(person, id)).unreadCount).toBe(await unreadOf(id, person))
      const shown = await mail.messages(people[0] as TestPerson, id)
      expect(shown.map(({ sequence }) => sequence)).toEqual([...new Set(shown.map(({ sequence }) => sequence))].toSorted((a, b) => b - a))
    }),
    { numRuns: 25 },
  )
})
