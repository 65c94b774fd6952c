import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { blockPerson, followPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let mail: ReturnType<typeof messagesOf>
let ann: TestPerson
let ben: TestPerson
let id: string

beforeAll(async () => {
  test = await startTestApp()
  mail = messagesOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash' })
  ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })
  id = (await mail.openWith(ann, ben)).id
})

const decline = async (as: TestPerson) => (await test.request('POST', `/api/conversations/${id}/decline`, as)).statusCode
const requests = (as: TestPerson) => mail.inbox(as, '?requests=true')
const refused = async (as: TestPerson, content = 'More') => {
  const answer = await mail.tryToSend(as, id, content)
  expect(answer.statusCode).toBe(403)
  return answer.json().message as string
}
const waiting = 'You can write more once Ben Birch has accepted your message.'

it('puts a stranger’s first message among the requests without adding to the unread count', async () => {
  expect(await mail.conversation(ann, id)).toMatchObject({ sendsRequest: true, abilities: { send: true, sendPhotos: false } })
  expect([await requests(ben), await mail.inbox(ben)]).toEqual([[], []])
  await mail.send(ann, id, 'May I ask about your cuttings?')

  expect(await mail.inbox(ben)).toEqual([])
  expect(await requests(ben)).toMatchObject([
    { id, isRequest: true, unreadCount: 1, theirReadSequence: null, abilities: { send: true, accept: true, decline: true } },
  ])
  expect((await test.request('GET', '/api/messages/unread-count', ben)).json()).toEqual({ count: 0, own: 0, requests: 1, businesses: [] })
  expect(await mail.inbox(ann)).toMatchObject([
    { id, isPending: true, isRequest: false, sendRefusal: waiting, abilities: { send: false, accept: false } },
  ])
  expect(await requests(ann)).toEqual([])

  await mail.read(ben, id, 1)
  expect((await mail.conversation(ann, id)).theirReadSequence).toBeNull()
  expect(await refused(ann)).toBe(waiting)
})

it('allows only one message, even under concurrency', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => mail.tryToSend(ann, id, `No. ${i}`)))
  expect(answers.map((each) => each.statusCode).toSorted()).toEqual([201, 403, 403, 403, 403])
  expect(await mail.messages(ben, id)).toHaveLength(1)
})

it('accepts only short text without photos or links', async () => {
  const rule = 'Until Ben Birch accepts, you can send one message of up to 1,000 characters, without photos or links.'
  for (const [content, details, field] of [
    ['a'.repeat(1001), {}, 'content'],
    ['See https://example.com', {}, 'content'],
    ['Hello', { mediaIds: [newId()] }, 'mediaIds'],
  ] as const) {
    const answer = await mail.tryToSend(ann, id, content, details)
    expect([answer.statusCode, answer.json().fields]).toEqual([400, { [field]: rule }])
  }
  await mail.send(ann, id, 'Hello')
  await mail.accept(ben, id)
  await mail.send(ann, id, 'See https://example.com')
})

it('lets both people write freely once the recipient, and no one else, accepts', async () => {
  await mail.send(ann, id, 'Hello')
  expect((await test.request('POST', `/api/conversations/${id}/accept`, ann)).statusCode).toBe(403)
  expect(await decline(ann)).toBe(403)
  for (let turn = 0; turn < 2; turn++) {
    expect(await mail.accept(ben, id)).toMatchObject({
      isRequest: false,
      unreadCount: 1,
      abilities: { accept: false, decline: false, sendPhotos: true },
    })
  }
  expect(await decline(ben)).toBe(409)
  expect([await mail.unread(ben), (await requests(ben)).length, (await mail.inbox(ben)).length]).toEqual([1, 0, 1])
  await mail.send(ann, id, 'Thank you')
  await mail.read(ben, id, 2)
  expect(await mail.conversation(ann, id)).toMatchObject({ isPending: false, theirReadSequence: 2, sendRefusal: null })
})

it('treats a reply as acceptance, even when both write concurrently', async () => {
  await mail.send(ann, id, 'Hello')
  await mail.send(ben, id, 'Hello you')
  expect((await mail.inbox(ben)).map((each) => each.id)).toEqual([id])
  await mail.send(ann, id, 'Good')

  const [cid, dana] = [await test.signUp(), await test.signUp()]
  const other = (await mail.openWith(cid, dana)).id
  const answers = await Promise.all([mail.tryToSend(cid, other, 'One'), mail.tryToSend(dana, other, 'Two')])
  expect(answers.map((each) => each.statusCode)).toEqual([201, 201])
  for (const each of [cid, dana])
    expect(await mail.conversation(each, other)).toMatchObject({ isRequest: false, isPending: false, unreadCount: 1 })
})

it('hides a declined request and refuses more messages for 60 days without the sender noticing', async () => {
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date(test.clock.now().getTime() + 90 * 86_400_000) })
    .execute()
  await mail.send(ann, id, 'Hello')
  const before = await mail.conversation(ann, id)
  expect([await decline(ben), await decline(ben)]).toEqual([204, 204])
  expect([await requests(ben), await mail.inbox(ben), await mail.messages(ben, id)]).toEqual([[], [], []])
  expect(await mail.conversation(ann, id)).toEqual(before)
  expect(await refused(ann)).toBe(waiting)
  test.clock.advance({ days: 31 })
  expect(await refused(ann)).toBe(waiting)
  test.clock.advance({ days: 30 })
  await mail.send(ann, id, 'May I ask again?')
  expect((await requests(ben)).map((each) => [each.lastMessage?.text, each.unreadCount])).toEqual([['May I ask again?', 1]])
  expect((await mail.messages(ben, id)).map((each) => each.content)).toEqual(['May I ask again?'])
  expect(await refused(ann)).toBe(waiting)
  await decline(ben)
  await mail.send(ben, id, 'Sorry, do ask')
  await mail.send(ann, id, 'Gladly')
})

it('requires no request from someone the recipient follows', async () => {
  await followPerson(test.db, ben.user.id, ann.user.id)
  expect(await mail.conversation(ann, id)).toMatchObject({ sendsRequest: false, abilities: { sendPhotos: true } })
  await mail.send(ann, id, 'Hello, https://example.com')
  expect([(await mail.inbox(ben)).length, await mail.unread(ben)]).toEqual([1, 1])
  await mail.send(ann, id, 'And more')
})

it('refuses requests from people the recipient doesn’t accept messages from', async () => {
  await mail.settings(ben, { takesMessagesFrom: 'followed' })
  expect(await refused(ann)).toBe('You can’t message Ben Birch.')
  const cid = await test.signUp()
  const to = { kind: 'person', id: ben.user.id } as const
  const answer = await mail.tryToOpen(cid, to)
  expect([answer.statusCode, answer.json().message]).toEqual([403, 'You can’t message Ben Birch.'])
  expect(await test.db.selectFrom('conversation_sides').select('user_id').where('user_id', '=', cid.user.id).execute()).toEqual([])
  await followPerson(test.db, ben.user.id, ann.user.id)
  await mail.send(ann, id, 'Hello')
  await mail.settings(ben, { takesMessagesFrom: 'nobody' })
  await mail.send(ann, id, 'Still here')
  await followPerson(test.db, ben.user.id, cid.user.id)
  expect((await mail.tryToOpen(cid, to)).statusCode).toBe(403)
  // People who accept no messages can still write and get replies.
  const dana = await test.signUp()
  const other = (await mail.openWith(ben, dana)).id
  await mail.send(ben, other, 'Hello')
  await mail.send(dana, other, 'Hello')
  expect((await test.request('GET', '/api/message-settings', ben)).json()).toEqual({ showsReadMarks: true, takesMessagesFrom: 'nobody' })
})

it('changes only the message settings that are sent', async () => {
  const change = async (settings: object) => (await test.request('PATCH', '/api/message-settings', ben, settings)).json()
  await change({ showsReadMarks: true, takesMessagesFrom: 'everybody' })
  expect(await change({ showsReadMarks: false })).toEqual({ showsReadMarks: false, takesMessagesFrom: 'everybody' })
  expect(await change({ takesMessagesFrom: 'followed' })).toEqual({ showsReadMarks: false, takesMessagesFrom: 'followed' })
  expect(await change({})).toEqual({ showsReadMarks: false, takesMessagesFrom: 'followed' })
})

it('shows the sender the same conversation after a block as while there is no response', async () => {
  await mail.send(ann, id, 'Hello')
  const before = await mail.conversation(ann, id)
  await blockPerson(test.db, ben.user.id, ann.user.id)
  expect(await mail.conversation(ann, id)).toEqual(before)
  expect(await refused(ann)).toBe(waiting)
  expect((await test.request('POST', `/api/conversations/${id}/accept`, ben)).statusCode).toBe(403)
  expect((await mail.conversation(ben, id)).abilities).toMatchObject({ accept: false, decline: true })
})

it('lets the recipient only delete a request from a deleted account', async () => {
  await mail.send(ann, id, 'Hello')
  await test.db.deleteFrom('users').where('id', '=', ann.user.id).execute()
  expect((await requests(ben))[0]).toMatchObject({
    participant: { kind: 'gone' },
    abilities: { send: false, accept: false, decline: false },
  })
  expect((await test.request('DELETE', `/api/conversations/${id}`, ben)).statusCode).toBe(204)
  expect(await requests(ben)).toEqual([])
})

it('limits requests per day: five for a new account, even concurrently', async () => {
  const ids: string[] = []
  for (let i = 0; i < 8; i++) ids.push((await mail.openWith(ann, await test.signUp())).id)
  const answers = await Promise.all(ids.map((each) => mail.tryToSend(ann, each, 'Hello')))
  expect(answers.filter((each) => each.statusCode === 201)).toHaveLength(5)
  const refusals = answers.filter((each) => each.statusCode !== 201)
  expect(refusals.map((each) => [each.statusCode, each.headers['retry-after']])).toEqual([1, 2, 3].map(() => [429, '3600']))
  test.clock.advance({ hours: 25 })
  await mail.send(ann, ids[answers.indexOf(refusals[0] as (typeof answers)[number])] as string, 'Hello')
})
