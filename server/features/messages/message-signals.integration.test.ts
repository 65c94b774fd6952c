import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import { eraseAll } from '#server/kernel/own-data.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { blockPerson, joinBusiness, subscribeTo } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { eraseMessages } from './conversation-settings.ts'
import { moderatedMessage } from './message.moderated.ts'

let test: TestApp
let mail: ReturnType<typeof messagesOf>
let ann: TestPerson
let ben: TestPerson
let id: string
let signals: LiveSignal[]

beforeAll(async () => {
  test = await startTestApp()
  mail = messagesOf(test)
  test.ctx.live = { ...test.ctx.live, publish: async (signal) => void signals.push(signal) }
})
afterAll(() => test?.close())
beforeEach(async () => {
  signals = []
  ann = await test.signUp()
  ben = await test.signUp()
  id = await mail.between(ann, ben)
})

/** Kinds and recipients of the signals since the last call. */
const takeSignals = () =>
  signals.splice(0).map((signal) => ({ kind: signal.kind, to: 'userIds' in signal ? [...signal.userIds].sort() : [] }))
const ids = (...people: TestPerson[]) => people.map(({ user }) => user.id).sort()
const type = async (as: TestPerson, conversationId = id) =>
  (await test.request('POST', `/api/conversations/${conversationId}/typing`, as)).statusCode

it('signals a new message to both participants, and a read message to both only if they show read receipts', async () => {
  await mail.send(ann, id, 'Hello')
  expect(signals).toEqual([{ kind: 'messages', userIds: [ann.user.id, ben.user.id], conversationId: id }])
  takeSignals()
  await mail.read(ben, id, 1)
  expect(takeSignals()).toEqual([{ kind: 'messages', to: ids(ann, ben) }])
  await mail.read(ben, id, 1)
  expect(takeSignals()).toEqual([])
  await mail.settings(ann, { showsReadMarks: false })
  await mail.send(ann, id, 'Hello')
  takeSignals()
  await mail.read(ben, id, 2)
  expect(takeSignals()).toEqual([{ kind: 'messages', to: ids(ben) }])
  await test.request('PUT', `/api/conversations/${id}/mute`, ben)
  await test.request('DELETE', `/api/conversations/${id}`, ben)
  expect(takeSignals()).toEqual([
    { kind: 'messages', to: ids(ben) },
    { kind: 'changedMessages', to: ids(ben) },
    { kind: 'messages', to: ids(ben) },
  ])
})

it('signals a deleted message only to the person who deleted it, or to the whole team of the business that did', async () => {
  const owner = await test.signUp()
  const staff = await test.signUp()
  const { id: shop } = await addBusiness(test.db)
  await joinBusiness(test.db, owner.user.id, shop)
  await joinBusiness(test.db, staff.user.id, shop, 'staff')
  await subscribeTo(test.db, ann.user.id, shop)
  const ofShop = (await mail.open(ann, { kind: 'business', id: shop })).id
  for (const [conversationId, as, to] of [
    [id, ann, ids(ann)],
    [ofShop, staff, ids(owner, staff)],
  ] as const) {
    const { id: messageId } = await mail.send(ann, conversationId, 'Hello')
    signals = []
    expect((await test.request('DELETE', `/api/messages/${messageId}`, as)).statusCode).toBe(204)
    expect(signals[0]).toMatchObject({ kind: 'deletedMessage', conversationId, messageId })
    expect(takeSignals()).toEqual([
      { kind: 'deletedMessage', to },
      { kind: 'messages', to },
    ])
  }
})

it('signals a message that moderators hid or restored, or whose author deleted their account, to everyone who still sees it', async () => {
  const owner = await test.signUp()
  const { id: shop } = await addBusiness(test.db)
  await joinBusiness(test.db, owner.user.id, shop)
  await subscribeTo(test.db, ann.user.id, shop)
  const ofShop = (await mail.open(ann, { kind: 'business', id: shop })).id
  for (const [conversationId, reader] of [
    [id, ben],
    [ofShop, owner],
  ] as const) {
    const { id: messageId } = await mail.send(ann, conversationId, 'Hello')
    await mail.send(reader, conversationId, 'Hello')
    await test.runJobs()
    for (const state of ['removed', null] as const) {
      signals = []
      await inTransaction(test.db, (tx) => moderatedMessage.set(tx, test.ctx, messageId, state))
      await test.runJobs()
      const to = ids(ann, reader)
      const [change] = signals.filter(({ kind }) => kind === 'changedMessages')
      if (change) expect(change).toMatchObject({ conversationId })
      expect([state, takeSignals().filter(({ kind }) => kind !== 'notifications')]).toEqual([
        state,
        [
          { kind: 'changedMessages', to },
          { kind: 'messages', to },
        ],
      ])
    }
  }
  await eraseAll(eraseMessages, test.ctx, { id: ann.user.id, email: ann.email })
  const told = takeSignals()
  expect(told).toHaveLength(4)
  for (const reader of [ben, owner])
    for (const kind of ['changedMessages', 'messages']) expect(told).toContainEqual({ kind, to: ids(reader) })
})

it('signals a declined request only to the recipient, and an accepted one to both', async () => {
  const cid = await test.signUp()
  const asked = (await mail.openWith(cid, ann)).id
  await mail.send(cid, asked, 'Hello')
  takeSignals()
  await mail.read(ann, asked, 1)
  await test.request('POST', `/api/conversations/${asked}/decline`, ann)
  expect(takeSignals()).toEqual([
    { kind: 'messages', to: ids(ann) },
    { kind: 'changedMessages', to: ids(ann) },
    { kind: 'messages', to: ids(ann) },
  ])
  await mail.accept(ann, asked)
  expect(takeSignals()).toEqual([{ kind: 'messages', to: ids(ann, cid) }])
})

it('signals typing only to the other participant, at most once every three seconds', async () => {
  expect([await type(ben), await type(ben)]).toEqual([204, 204])
  expect(signals).toEqual([{ kind: 'typing', userIds: [ann.user.id], conversationId: id, who: ben.user.id }])
  test.clock.advance({ seconds: 3 })
  await type(ben)
  await type(ann)
  expect(signals.map((signal) => 'who' in signal && signal.who)).toEqual([ben.user.id, ben.user.id, ann.user.id])
})

it('doesn’t signal typing before acceptance, across a block, without read receipts, or while the writer is muted', async () => {
  const cid = await test.signUp()
  const asked = (await mail.openWith(cid, ann)).id
  await type(cid, asked)
  await mail.send(cid, asked, 'Hello')
  takeSignals()
  expect([await type(cid, asked), await type(ann, asked)]).toEqual([204, 204])
  await mail.settings(ben, { showsReadMarks: false })
  expect([await type(ann), await type(ben)]).toEqual([204, 204])
  await mail.settings(ben, { showsReadMarks: true })
  const later = new Date(test.clock.now().getTime() + 60_000)
  await test.db.updateTable('users').set({ muted_until: later }).where('id', '=', ann.user.id).execute()
  await type(ann)
  await blockPerson(test.db, ann.user.id, ben.user.id)
  expect(await type(ben)).toBe(204)
  expect(await type(await test.signUp())).toBe(404)
  expect(takeSignals()).toEqual([])
})

it('signals a business’s messages to its team, and its typing to the customer without a name', async () => {
  const [owner, staff] = [await test.signUp(), await test.signUp()]
  const { id: shop } = await addBusiness(test.db)
  await joinBusiness(test.db, owner.user.id, shop)
  await joinBusiness(test.db, staff.user.id, shop, 'staff')
  await subscribeTo(test.db, ann.user.id, shop)
  const conversation = (await mail.open(ann, { kind: 'business', id: shop })).id
  await mail.send(ann, conversation, 'Hello')
  expect(takeSignals()).toEqual([{ kind: 'messages', to: ids(ann, owner, staff) }])
  await type(staff, conversation)
  expect(signals.splice(0)).toEqual([{ kind: 'typing', userIds: [ann.user.id], conversationId: conversation, who: shop }])
  await type(ann, conversation)
  expect(takeSignals()).toEqual([{ kind: 'typing', to: ids(owner, staff) }])
})
