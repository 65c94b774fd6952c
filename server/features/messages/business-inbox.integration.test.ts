import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { UnreadMessages } from '#contracts/messages.endpoints.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let mail: ReturnType<typeof messagesOf>
let owner: TestPerson
let staff: TestPerson
let customer: TestPerson
let shop: string
let id: string

beforeAll(async () => {
  test = await startTestApp()
  mail = messagesOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  owner = await test.signUp({ firstName: 'Olga', lastName: 'Oak' })
  staff = await test.signUp({ firstName: 'Sam', lastName: 'Spruce' })
  customer = await test.signUp({ firstName: 'Cara', lastName: 'Cedar' })
  shop = (await addBusiness(test.db, { name: 'Green Door' })).id
  await joinBusiness(test.db, owner.user.id, shop)
  await joinBusiness(test.db, staff.user.id, shop, 'staff')
  expect((await test.request('POST', '/api/subscriptions', customer, { businessId: shop })).statusCode).toBeLessThan(300)
  id = (await mail.open(customer, { kind: 'business', id: shop })).id
})

const inbox = (as: TestPerson) => mail.inbox(as, `?inbox=${shop}`)
const counts = async (as: TestPerson) => (await test.request('GET', '/api/messages/unread-count', as)).json() as UnreadMessages
const unsubscribe = (who: TestPerson) => test.db.deleteFrom('subscriptions').where('user_id', '=', who.user.id).execute()

it('shares one inbox among the team, which replies in the business’s name', async () => {
  await mail.send(customer, id, 'Are you open on Sunday?')
  for (const who of [owner, staff]) {
    expect(await inbox(who)).toMatchObject([
      {
        id,
        participant: { kind: 'person', person: { name: 'Cara Cedar' } },
        as: { kind: 'business', business: { name: 'Green Door' } },
        unreadCount: 1,
      },
    ])
    expect(await counts(who)).toMatchObject({ count: 1, own: 0, requests: 0, businesses: [{ business: { id: shop }, count: 1 }] })
    expect(await mail.inbox(who)).toEqual([])
  }
  await mail.read(staff, id, 1)
  expect([await mail.unread(owner), (await inbox(owner))[0]?.unreadCount]).toEqual([0, 0])
  expect((await mail.conversation(customer, id)).theirReadSequence).toBe(1)

  const sent = await mail.send(staff, id, 'From ten.')
  expect(sent).toMatchObject({ isOwn: true, sender: { kind: 'business', business: { id: shop } }, writtenBy: { name: 'Sam Spruce' } })
  expect((await mail.messages(owner, id))[0]).toMatchObject({
    isOwn: true,
    writtenBy: { name: 'Sam Spruce' },
    abilities: { report: false },
  })
  const [answer] = await mail.messages(customer, id)
  expect(answer).toMatchObject({
    isOwn: false,
    sender: { kind: 'business', business: { name: 'Green Door' } },
    writtenBy: null,
    content: 'From ten.',
  })
  // Nothing the customer can read names a team member.
  for (const url of ['/api/conversations', `/api/conversations/${id}`, `/api/conversations/${id}/messages`, '/api/messages/search?q=ten']) {
    const { body } = await test.request('GET', url, customer)
    for (const secret of [staff.user.id, owner.user.id, 'Spruce', 'Olga']) expect(body, url).not.toContain(secret)
  }
  expect(await mail.unread(customer)).toBe(1)
  await test.request('PUT', `/api/conversations/${id}/mute`, owner)
  expect((await mail.conversation(staff, id)).isMuted).toBe(true)
})

it('deletes a message for the whole team but not for the customer', async () => {
  const sent = await mail.send(customer, id, 'Hello')
  await test.request('DELETE', `/api/messages/${sent.id}`, owner)
  expect([await mail.messages(staff, id), await mail.unread(staff)]).toEqual([[], 0])
  expect(await mail.messages(customer, id)).toHaveLength(1)
  const found = async (as: TestPerson, of = `&inbox=${shop}`) =>
    (await test.request('GET', `/api/messages/search?q=hello${of}`, as)).json().length
  expect([await found(staff), await found(customer, ''), await found(staff, '')]).toEqual([0, 1, 0])
  await mail.send(customer, id, 'Hello again')
  expect([await found(staff), await found(owner), await found(customer, '')]).toEqual([1, 1, 2])
})

it('accepts messages from subscribers and people with the VIP plan', async () => {
  const other = await test.signUp()
  const to = { kind: 'business', id: shop } as const
  const answer = await mail.tryToOpen(other, to)
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({
    message: 'Subscribe to Green Door to message it. With the VIP plan, you can message any business.',
    links: [{ path: '/billing' }],
  })
  await grantPlan(test.db, { userId: other.user.id, planId: 'pro' })
  expect((await mail.tryToOpen(other, to)).statusCode).toBe(403)
  await grantPlan(test.db, { userId: other.user.id, planId: 'vip' })
  const theirs = await mail.open(other, to)
  await mail.send(other, theirs.id, 'With photos, and links: https://example.com')
  expect(await mail.conversation(owner, theirs.id)).toMatchObject({ isRequest: false, unreadCount: 1 })

  await mail.send(customer, id, 'Hello')
  await unsubscribe(customer)
  expect((await mail.tryToSend(customer, id, 'Once more')).statusCode).toBe(403)
  expect((await mail.conversation(customer, id)).sendRefusal).toMatch(/^Subscribe to Green Door/)
  await mail.send(owner, id, 'Come by')
})

it('starts conversations only with its subscribers who accept messages', async () => {
  const other = await test.signUp()
  const to = (who: TestPerson) => ({ kind: 'person', id: who.user.id }) as const
  const refused = await mail.tryToOpen(owner, to(other), shop)
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'A business can start a conversation only with its subscribers. Anyone else has to write first.',
  ])
  const opened = await mail.open(staff, to(customer), shop)
  expect([opened.id, opened.as.kind]).toEqual([id, 'business'])
  await mail.send(staff, id, 'We have new cuttings')
  // The message isn't a request, because the customer subscribes. Read receipts show only after the customer replies.
  expect(await mail.inbox(customer)).toMatchObject([{ id, unreadCount: 1, isRequest: false }])
  await mail.read(customer, id, 1)
  expect((await mail.conversation(owner, id)).theirReadSequence).toBeNull()
  await mail.settings(customer, { takesMessagesFrom: 'nobody' })
  expect((await mail.tryToSend(staff, id, 'And more')).statusCode).toBe(403)
  await mail.send(customer, id, 'Do tell')
  await mail.send(staff, id, 'And more')
  expect((await mail.conversation(owner, id)).theirReadSequence).toBe(1)
})

it('shows a conversation only to its two participants', async () => {
  await mail.send(customer, id, 'Between us')
  const stranger = await test.signUp()
  const leaving = await test.signUp()
  await joinBusiness(test.db, leaving.user.id, shop, 'staff')
  expect(await inbox(leaving)).toHaveLength(1)
  await test.db.deleteFrom('business_members').where('user_id', '=', leaving.user.id).execute()
  const rival = await test.signUp()
  await joinBusiness(test.db, rival.user.id, (await addBusiness(test.db)).id)
  for (const who of [stranger, leaving, rival]) {
    for (const url of [
      `/api/conversations?inbox=${shop}`,
      `/api/conversations/${id}`,
      `/api/conversations/${id}/messages`,
      `/api/messages/search?q=us&inbox=${shop}`,
    ]) {
      expect((await test.request('GET', url, who)).statusCode, url).toBe(404)
    }
    expect((await mail.tryToSend(who, id, 'Let me in')).statusCode).toBe(404)
    expect((await mail.tryToOpen(who, { kind: 'person', id: customer.user.id }, shop)).statusCode).toBe(403)
    expect(await counts(who)).toMatchObject({ count: 0, own: 0, requests: 0 })
  }
})

it('refuses messages from its own team, whose members keep their earlier conversations as customers', async () => {
  expect((await mail.tryToOpen(owner, { kind: 'business', id: shop })).statusCode).toBe(403)
  expect((await mail.tryToOpen(owner, { kind: 'person', id: owner.user.id }, shop)).statusCode).toBe(403)
  await mail.send(customer, id, 'I would like to work here')
  await mail.send(owner, id, 'Then do')
  await joinBusiness(test.db, customer.user.id, shop, 'staff')
  expect(await mail.conversation(customer, id)).toMatchObject({ as: { kind: 'self' }, participant: { kind: 'business' }, unreadCount: 1 })
  expect(await inbox(customer)).toEqual([])
  expect((await mail.inbox(customer)).map((each) => each.id)).toEqual([id])
  expect(await counts(customer)).toMatchObject({ count: 1, own: 1, businesses: [{ count: 0 }] })
  expect((await test.request('GET', `/api/messages/search?q=work&inbox=${shop}`, customer)).json()).toEqual([])
  expect((await mail.open(customer, { kind: 'business', id: shop })).id).toBe(id)
})

it('ends a conversation when the customer blocks the business, and doesn’t reveal the reason to the business', async () => {
  await mail.send(customer, id, 'Hello')
  expect((await test.request('PUT', `/api/businesses/${shop}/block`, customer)).statusCode).toBe(200)
  expect(await mail.conversation(customer, id)).toMatchObject({
    isBlocked: true,
    sendRefusal: 'You blocked Green Door. Unblock them to write.',
  })
  expect(await mail.conversation(owner, id)).toMatchObject({ isBlocked: false, sendRefusal: 'You can’t message Cara Cedar.' })
  expect((await mail.tryToSend(owner, id, 'Why?')).statusCode).toBe(403)
  expect(await mail.messages(owner, id)).toHaveLength(1)
})

it('refuses messages to an unclaimed listing', async () => {
  const { id: listing } = await addBusiness(test.db)
  await grantPlan(test.db, { userId: customer.user.id, planId: 'vip' })
  const answer = await mail.tryToOpen(customer, { kind: 'business', id: listing })
  expect([answer.statusCode, answer.json().message]).toEqual([403, 'No one runs this business’s page, so no one would read your message.'])
})
