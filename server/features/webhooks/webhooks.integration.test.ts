import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { WebhookEvent } from '#contracts/choices.ts'
import { maxWebhooks } from '#contracts/limits.ts'
import type { Webhook, WebhookDelivery } from '#contracts/webhooks.ts'
import { createOutside } from '#server/adapters/outside/call-outside.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { addReview } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { sendDue } from './send-webhooks.ts'

let test: TestApp
let receiver: WebhookReceiver
let shop: TestBusiness
let owner: TestPerson
let paths = 0

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  test = await startTestApp({ outside: createOutside({ alsoAllowed: [receiver.target] }) })
})
afterAll(async () => {
  await test?.close()
  await receiver?.close()
})
beforeEach(async () => {
  receiver.become(200)
  receiver.received.length = 0
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
})

type Made = { webhook: Webhook; secret: string }
const at = (rest = '') => `/api/businesses/${shop.id}/webhooks${rest}`
async function make(fields: { url?: string; events?: WebhookEvent[] } = {}, as = owner): Promise<Made> {
  const body = { url: receiver.url(`/${++paths}`), events: ['review.created'], ...fields }
  const answer = await test.request('POST', at(), as, body)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}
const list = async (as = owner) => (await test.request('GET', at(), as)).json() as Webhook[]
const deliveries = async (id: string) => (await test.request('GET', at(`/${id}/deliveries`), owner)).json() as WebhookDelivery[]
const resend = (id: string, deliveryId: string) => test.request('POST', at(`/${id}/deliveries/${deliveryId}/resends`), owner)

async function review(): Promise<string> {
  const author = await test.signUp()
  const id = await addReview(test.db, { business_id: shop.id, user_id: author.user.id })
  await test.ctx.jobs.enqueue('webhooks.record-review', { reviewId: id })
  await test.runJobs()
  return id
}
async function later(time: Parameters<TestApp['clock']['advance']>[0]): Promise<void> {
  test.clock.advance(time)
  await test.ctx.jobs.enqueue('webhooks.sweep', {})
  await test.runJobs()
}
/** The library refuses signatures that aren't recent. */
function verified(secret: string, { headers, body }: WebhookReceiver['received'][number]): unknown {
  vi.useFakeTimers({ now: test.clock.now(), toFake: ['Date'] })
  try {
    return new Verifier(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

it('sends a signed event that contains nothing about people', async () => {
  const { webhook, secret } = await make()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const reviewId = await review()
  expect(receiver.received).toHaveLength(1)
  const [call] = receiver.received as [WebhookReceiver['received'][number]]
  const url = `${test.ctx.config.publicUrl}/business/${shop.slug}?tab=reviews`
  expect(verified(secret, call)).toEqual({
    type: 'review.created',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { businessId: shop.id, reviewId, url },
  })
  expect(call.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'sungrove-webhooks' })
  expect(() => verified(secret, { ...call, body: call.body.replace('review.created', 'review.deleted') })).toThrow('signature')
  expect(await deliveries(webhook.id)).toMatchObject([
    { id: call.headers['webhook-id'], event: 'review.created', payload: call.body, state: 'delivered', tries: 1, status: 200, error: null },
  ])
})

it('doesn’t record an event for a webhook that is being stopped', async () => {
  const { webhook } = await make()
  const { recorded } = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom('webhooks').select('id').where('id', '=', webhook.id).forUpdate().execute()
    const started = review()
    await untilWaiting(test.db, { statement: 'webhook' })
    await tx.updateTable('webhooks').set({ stopped_at: test.clock.now(), stop_reason: 'by_team' }).where('id', '=', webhook.id).execute()
    return { recorded: started }
  })
  await recorded
  expect(await deliveries(webhook.id)).toEqual([])
})

it('doesn’t send deliveries that were still waiting when a webhook is resumed', async () => {
  const { webhook } = await make()
  receiver.become(500)
  await review()
  await test.db.updateTable('webhooks').set({ stopped_at: test.clock.now(), stop_reason: 'by_team' }).where('id', '=', webhook.id).execute()
  await test.request('PATCH', at(`/${webhook.id}`), owner, { isStopped: false })
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'failed', error: 'The webhook was stopped.' }])
})

it('shows the secret once and encrypts it', async () => {
  const { webhook, secret } = await make()
  const stored = await test.db.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).executeTakeFirstOrThrow()
  expect(JSON.stringify([stored, await list()])).not.toContain(secret.slice(6, -1))
  expect(await list()).toEqual([webhook])
})

it('sends only its own business’s events, and only those it subscribes to', async () => {
  await make({ events: ['message.received', 'subscriber.created'] })
  const other = await addBusiness(test.db)
  await addMember(test, other, 'owner')
  const guest = await test.signUp()
  const on = messagesOf(test)
  await review()
  for (const business of [other, shop]) {
    expect((await test.request('POST', '/api/subscriptions', guest, { businessId: business.id })).statusCode).toBeLessThan(300)
    const { id } = await on.open(guest, { kind: 'business', id: business.id })
    await on.send(guest, id, 'Do you deliver?')
  }
  await test.runJobs()
  const bodies = receiver.received.map(({ body }) => JSON.parse(body))
  expect(bodies.map(({ type }) => type).sort()).toEqual(['message.received', 'subscriber.created'])
  expect(bodies.every(({ data }) => data.businessId === shop.id)).toBe(true)
  expect(JSON.stringify(bodies)).not.toContain(guest.user.id)
  expect(JSON.stringify(bodies)).not.toContain('deliver?')
})

it('reports an out-of-date menu once, until it is confirmed again', async () => {
  await make({ events: ['menu.out_of_date'] })
  const item = { name: 'Blue Dream', variants: [{ price: '10' }] }
  expect((await test.request('POST', at('').replace('webhooks', 'menu-items'), owner, item)).statusCode).toBe(201)
  const look = async () => {
    await test.ctx.jobs.enqueue('webhooks.find-old-menus', {})
    await test.runJobs()
    return receiver.received.length
  }
  const age = (days: number) =>
    test.db
      .updateTable('products')
      .set({ confirmed_at: new Date(test.clock.now().getTime() - days * 86_400_000) })
      .where('business_id', '=', shop.id)
      .execute()
  await age(6)
  expect(await look()).toBe(0)
  await age(8)
  expect([await look(), await look()]).toEqual([1, 1])
  await age(9)
  expect(await look()).toBe(2)
  const before = test.clock.now()
  test.clock.advance({ days: 31 })
  await test.ctx.jobs.enqueue('webhooks.purge', {})
  expect(await look()).toBe(2)
  const kept = await test.db.selectFrom('webhook_deliveries').select('id').where('event', '=', 'menu.out_of_date').execute()
  expect(kept).toHaveLength(1)
  test.clock.set(before)
})

it('records an event once, however often its job runs, and sends it once even from two processes', async () => {
  const { webhook } = await make()
  receiver.become('silent')
  const author = await test.signUp()
  const reviewId = await addReview(test.db, { business_id: shop.id, user_id: author.user.id })
  for (let i = 0; i < 3; i++) await test.ctx.jobs.enqueue('webhooks.record-review', { reviewId })
  const running = test.runJobs()
  await expect.poll(() => receiver.received.length).toBe(1)
  // Another process finds the same delivery due.
  await sendDue(test.ctx, webhook.id)
  receiver.answerOpen(200)
  await running
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'delivered', tries: 1 }])
  expect([receiver.received.length, receiver.mostOpen()]).toEqual([1, 1])
})

it('repeats a delivery whose response was lost, with the same ID and body', async () => {
  const { webhook } = await make()
  receiver.become('cut')
  await review()
  expect(await deliveries(webhook.id)).toMatchObject([
    { state: 'waiting', tries: 1, status: null, error: 'The connection was lost before a response arrived.' },
  ])
  expect(await list()).toMatchObject([{ state: 'failing' }])
  receiver.become(204)
  await later({ seconds: 11 })
  const [first, second] = receiver.received as [WebhookReceiver['received'][number], WebhookReceiver['received'][number]]
  expect(receiver.received).toHaveLength(2)
  expect([second.headers['webhook-id'], second.body]).toEqual([first.headers['webhook-id'], first.body])
  expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp'])
  expect(await list()).toMatchObject([{ state: 'working', failingSince: null }])
})

it('sends deliveries left behind by a process that died during a call', async () => {
  const { webhook } = await make()
  receiver.become('silent')
  const author = await test.signUp()
  const reviewId = await addReview(test.db, { business_id: shop.id, user_id: author.user.id })
  await test.ctx.jobs.enqueue('webhooks.record-review', { reviewId })
  // This process loses its database after the call.
  const dying = { ...test.ctx, outside: { ...test.ctx.outside, call: () => Promise.reject(new Error('killed')) } }
  const db = test.db.withPlugin({
    transformQuery({ node }) {
      if (receiver.received.length > 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { enqueue } = test.ctx.jobs
  test.ctx.jobs.enqueue = async (name, ...rest) => (name === 'webhooks.send' ? undefined : enqueue(name, ...rest))
  await test.runJobs()
  test.ctx.jobs.enqueue = enqueue
  const sending = sendDue({ ...dying, db, outside: test.ctx.outside }, webhook.id)
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.answerOpen(200)
  await expect(sending).rejects.toThrow('killed')
  receiver.become(200)
  // The lease of the process that died makes other processes wait for a minute.
  await later({ seconds: 30 })
  expect(receiver.received).toHaveLength(1)
  await later({ seconds: 31 })
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(receiver.received[0]?.headers['webhook-id']))
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'delivered' }])
})

it('retries for three days with increasing delays, then stops and notifies the owner', async () => {
  const { webhook } = await make()
  receiver.become(500)
  const begin = test.clock.now().getTime()
  await review()
  const tries: number[] = []
  while ((await list())[0]?.state === 'failing') {
    const [{ nextTryAt }] = (await deliveries(webhook.id)) as [WebhookDelivery]
    test.clock.set(new Date(nextTryAt as string))
    await later({ seconds: 1 })
    tries.push(Math.round((test.clock.now().getTime() - begin) / 3_600_000))
  }
  expect(tries).toEqual([0, 0, 1, 3, 8, 18, 32, 52, 72])
  expect(await list()).toMatchObject([{ state: 'stopped', stopReason: 'failing' }])
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'failed', tries: 10, status: 500 }])
  const shownNews = async () =>
    ((await test.request('GET', '/api/notifications', owner)).json() as { type: string }[]).filter(({ type }) => type === 'webhook_stopped')
  expect(await shownNews()).toMatchObject([{ content: receiver.target }])
  await review()
  expect(await deliveries(webhook.id)).toHaveLength(1)
  expect((await resend(webhook.id, (await deliveries(webhook.id))[0]?.id as string)).statusCode).toBe(409)
  receiver.become(200)
  expect((await test.request('PATCH', at(`/${webhook.id}`), owner, { isStopped: false })).json()).toMatchObject({ state: 'working' })
  expect(await shownNews()).toEqual([])
  expect((await resend(webhook.id, (await deliveries(webhook.id))[0]?.id as string)).json()).toMatchObject({ state: 'waiting' })
  await test.runJobs()
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'delivered', tries: 11 }])
})

it('stops immediately on 410 and gives up on waiting deliveries', async () => {
  const { webhook } = await make()
  receiver.become(503)
  await review()
  receiver.become(410)
  await review()
  expect(await list()).toMatchObject([{ state: 'stopped', stopReason: 'gone' }])
  expect((await deliveries(webhook.id)).map(({ state }) => state)).toEqual(['failed', 'failed'])
})

it('does not follow redirects', async () => {
  const { webhook } = await make()
  receiver.become({ location: receiver.url('/elsewhere') })
  await review()
  expect(receiver.received).toHaveLength(1)
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'waiting', status: 302 }])
})

it('signs with both secrets for a day after a rotation', async () => {
  const { webhook, secret } = await make()
  const { secret: next } = (await test.request('POST', at(`/${webhook.id}/rotations`), owner)).json() as Made
  await review()
  const both = receiver.received.at(-1) as WebhookReceiver['received'][number]
  for (const each of [secret, next]) expect(verified(each, both)).toBeTruthy()
  await later({ days: 1 })
  await review()
  const one = receiver.received.at(-1) as WebhookReceiver['received'][number]
  expect(verified(next, one)).toBeTruthy()
  expect(() => verified(secret, one)).toThrow('signature')
})

it('signs with every secret that was replaced in the last day', async () => {
  const { webhook, secret } = await make()
  const rotate = () => test.request('POST', at(`/${webhook.id}/rotations`), owner)
  const second = (await rotate()).json() as Made
  test.clock.advance({ hours: 20 })
  const third = (await rotate()).json() as Made
  const hoursBetween = (Date.parse(String(third.webhook.oldSecretUntil)) - Date.parse(String(second.webhook.oldSecretUntil))) / 3_600_000
  expect(hoursBetween).toBeCloseTo(20, 1)
  test.clock.advance({ hours: 20 })
  await review()
  const all = receiver.received.at(-1) as WebhookReceiver['received'][number]
  for (const each of [secret, second.secret, third.secret]) expect(verified(each, all)).toBeTruthy()
  await later({ hours: 4 })
  await review()
  const one = receiver.received.at(-1) as WebhookReceiver['received'][number]
  expect(verified(third.secret, one)).toBeTruthy()
  for (const each of [secret, second.secret]) expect(() => verified(each, one)).toThrow('signature')
  expect(await list()).toMatchObject([{ oldSecretUntil: null }])
  for (let i = 0; i < 10; i++) expect((await rotate()).statusCode).toBe(200)
  expect((await rotate()).statusCode).toBe(409)
  test.clock.advance({ days: 1 })
  expect((await rotate()).statusCode).toBe(200)
})

it('sends nothing once its creator has left, until someone else resumes it', async () => {
  const manager = await addMember(test, shop, 'manager')
  const { webhook } = await make({}, manager)
  receiver.become(500)
  await review()
  receiver.become(200)
  await test.request('DELETE', `/api/businesses/${shop.id}/team/members/${manager.user.id}`, owner)
  await later({ seconds: 11 })
  expect(receiver.received).toHaveLength(1)
  expect(await list()).toMatchObject([{ state: 'stopped', stopReason: 'creator' }])
  await review()
  expect(await deliveries(webhook.id)).toMatchObject([{ state: 'failed', tries: 1 }])
  await test.request('PATCH', at(`/${webhook.id}`), owner, { isStopped: false })
  expect(await list()).toMatchObject([{ state: 'working', stopReason: null }])
  await review()
  expect(await deliveries(webhook.id)).toHaveLength(2)
})

it('sends a test event', async () => {
  const { webhook, secret } = await make()
  expect((await test.request('POST', at(`/${webhook.id}/tests`), owner)).json()).toMatchObject({ event: 'webhook.test', state: 'waiting' })
  await test.runJobs()
  expect(verified(secret, receiver.received[0] as WebhookReceiver['received'][number])).toMatchObject({ type: 'webhook.test' })
})

it('lets only owners and managers manage webhooks of their business', async () => {
  const { webhook } = await make()
  const staff = await addMember(test, shop, 'staff')
  expect((await test.request('GET', at(), staff)).statusCode).toBe(403)
  const other = await addBusiness(test.db)
  const stranger = await addMember(test, other, 'owner')
  const theirs = `/api/businesses/${other.id}/webhooks/${webhook.id}`
  for (const [method, rest] of [
    ['PATCH', ''],
    ['POST', '/rotations'],
    ['POST', '/tests'],
    ['GET', '/deliveries'],
  ] as const) {
    const answer = await test.request(method, theirs + rest, stranger, method === 'PATCH' ? {} : undefined)
    expect([rest, answer.statusCode]).toEqual([rest, 404])
  }
  expect((await test.request('DELETE', theirs, stranger)).statusCode).toBe(204)
  expect(await list()).toHaveLength(1)
})

it.each([
  ['a private address', { url: 'https://127.0.0.1/hook' }],
  ['another port of an allowed address', { url: 'http://127.0.0.1:22/hook' }],
  ['plain http', { url: 'http://93.184.216.34/hook' }],
  ['a name and password', { url: 'https://a:b@93.184.216.34/hook' }],
  ['no address', { url: 'hook' }],
  ['no event', { events: [] }],
  ['an event twice', { events: ['review.created', 'review.created'] }],
])('refuses %s', async (_what, fields) => {
  const answer = await test.request('POST', at(), owner, { url: receiver.url(), events: ['review.created'], ...fields })
  expect([answer.statusCode, Object.keys(answer.json().fields)[0]?.split('.')[0]]).toEqual([400, Object.keys(fields)[0]])
})

it('requires unique addresses and limits the number of webhooks', async () => {
  const { webhook } = await make()
  const again = await test.request('POST', at(), owner, { url: webhook.url, events: ['review.created'] })
  expect([again.statusCode, again.json().fields]).toEqual([409, { url: 'Another webhook has this address' }])
  for (let i = 1; i < maxWebhooks; i++) await make()
  const body = { url: receiver.url('/more'), events: ['review.created'] }
  expect((await test.request('POST', at(), owner, body)).statusCode).toBe(409)
  await test.request('DELETE', at(`/${webhook.id}`), owner)
  expect((await test.request('POST', at(), owner, body)).statusCode).toBe(201)
})

it('pages through deliveries and deletes them after 30 days', async () => {
  const { webhook } = await make()
  for (let i = 0; i < 3; i++) await review()
  const first = await test.request('GET', at(`/${webhook.id}/deliveries?limit=2`), owner)
  expect(first.json()).toHaveLength(2)
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
  expect((await test.request('GET', next, owner)).json()).toHaveLength(1)
  test.clock.advance({ days: 31 })
  await test.ctx.jobs.enqueue('webhooks.purge', {})
  await test.runJobs()
  const left = await test.db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.id).execute()
  expect(left).toEqual([])
})
