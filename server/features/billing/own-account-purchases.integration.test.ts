import { generateKeyPairSync, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actorOf } from '#tests/support/actors.ts'
import { crashAt } from '#tests/support/crash.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { isCrash, type OwnAccounts, type PayPalBusiness, startOwnAccounts } from '#tests/support/own-accounts.ts'
import type { SignedMessage } from '#tests/support/paypal-server.ts'
import type { TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { approveCheckout } from './checkouts.ts'

let o: OwnAccounts
let a: PayPalBusiness
let b: PayPalBusiness

beforeAll(async () => {
  o = await startOwnAccounts()
  a = await o.newYard('Yard A')
  b = await o.newYard('Yard B')
})
afterAll(() => o?.close())

describe('a purchase', () => {
  it('pays into the business’s own account and unlocks its posts', async () => {
    expect(await o.offerOf(a.id)).toMatchObject({
      price: '12.50',
      providers: [{ name: 'paypal', isTest: false, clientId: a.merchant.clientId, isAvailable: true }],
    })
    const { person, checkout, agreement } = await o.buy(a)
    expect(o.paypalOf(checkout).clientId).toBe(a.merchant.clientId)
    expect(a.merchant.products.size).toBe(1)
    expect(agreement).toMatchObject({ status: 'active', isSubscription: true, price: { amount: '12.50', currency: 'USD' } })
    expect((await o.test.request('GET', `/api/businesses/${a.id}/status`, person)).json().isSubscribed).toBe(true)
    expect((await o.accounts(a)).paypal?.payingCount).toBe(1)
    // The site's own plans are still sold through the site's account.
    const plans = await o.billing.call<{ providers: { clientId: string }[] }>(person, 'GET', '/api/plans')
    expect(plans.providers[0]?.clientId).toBe(o.paypal.env.PAYPAL_CLIENT_ID)
    const again = await o.test.request('POST', '/api/billing/checkouts', await o.test.signUp(), { provider: 'invoice', subscribeTo: a.id })
    expect(again.statusCode).toBe(409)
  })

  it('completes once from messages in any order, even if the page is closed', async () => {
    const person = await o.test.signUp()
    const { planId, customId } = o.paypalOf(await o.begin(a, person))
    const { id } = o.paypal.approve(planId, customId)
    const messages = ['PAYMENT.SALE.COMPLETED', 'BILLING.SUBSCRIPTION.ACTIVATED', 'BILLING.SUBSCRIPTION.UPDATED'].map((type) =>
      o.paypal.message(type, id, { sale: type.startsWith('PAYMENT'), webhookId: a.webhookId }),
    )
    for (const message of [...messages, ...messages]) expect(await o.deliver(message, a.accountId)).toBe(204)
    expect((o.test.ctx.jobs as MemoryJobs).waiting.filter(({ name }) => name === 'billing.sync')).toHaveLength(messages.length)
    await o.test.runJobs()
    expect((await o.ownAgreements(person)).map(({ status }) => status)).toEqual(['active'])
  })

  it('stays open while PayPal has the payer’s approval but hasn’t started the subscription', async () => {
    const person = await o.test.signUp()
    const checkout = await o.begin(a, person)
    const { planId, customId } = o.paypalOf(checkout)
    const approve = (subscriptionID: string) =>
      o.test.request('POST', `/api/billing/checkouts/${checkout.id}/approval`, person, { subscriptionID })
    const { id } = o.paypal.approve(planId, customId, { status: 'APPROVAL_PENDING' })
    expect((await approve(id)).statusCode).toBe(409)
    const other = o.paypal.approve(planId, (await o.begin(a, await o.test.signUp())).id, { status: 'APPROVED' })
    expect((await approve(other.id)).statusCode).toBe(409)

    o.paypal.subscription(id).status = 'APPROVED'
    const waiting = await approve(id)
    expect(waiting.statusCode, waiting.body).toBe(503)
    expect(waiting.json().message).toContain('Don’t approve it again')
    expect(await o.ownAgreements(person)).toEqual([])
    // A webhook about it changes nothing yet.
    await o.deliver(o.paypal.message('BILLING.SUBSCRIPTION.CREATED', id, { webhookId: a.webhookId }), a.accountId)
    await o.test.runJobs()

    o.paypal.subscription(id).status = 'ACTIVE'
    o.paypal.pay(id, o.test.clock.now())
    const approved = await approve(id)
    expect(approved.statusCode, approved.body).toBe(200)
    expect(approved.json().status).toBe('active')
  })

  it('awaits its first payment while the same person’s earlier subscription ends', async () => {
    const { person, agreement } = await o.buy(b)
    await o.billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
    await o.test.runJobs()
    o.test.clock.set(agreement.paidUntil as string)
    await o.billing.stayIn()
    // The hourly job ends the earlier purchase, and the job that it queues runs only after the new purchase.
    await billingJobs(o.test.ctx)['billing.expire']({})
    const checkout = await o.begin(b, person)
    const { planId, customId } = o.paypalOf(checkout)
    const { id } = o.paypal.approve(planId, customId, { status: 'APPROVED' })
    o.paypal.subscription(id).status = 'ACTIVE'
    const statuses = async () => (await o.ownAgreements(person)).map(({ status }) => status)
    await o.billing.approveHere(person, checkout.id, id)
    await o.test.runJobs()
    expect(await statuses()).toEqual(['pending', 'ended'])
    const isSubscribed = async () => (await o.test.request('GET', `/api/businesses/${b.id}/status`, person)).json().isSubscribed
    expect(await isSubscribed()).toBe(false)
    o.paypal.pay(id, o.test.clock.now())
    await o.runJob('billing.reconcile')
    expect(await statuses()).toEqual(['active', 'ended'])
    expect(await isSubscribed()).toBe(true)
  })

  it('is canceled before its first payment when the payer blocks the business', async () => {
    const { person, agreement } = await o.buy(b)
    await o.billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
    await o.test.runJobs()
    o.test.clock.set(agreement.paidUntil as string)
    await o.billing.stayIn()
    const checkout = await o.begin(b, person)
    const { planId, customId } = o.paypalOf(checkout)
    const { id } = o.paypal.approve(planId, customId, { status: 'APPROVED' })
    o.paypal.subscription(id).status = 'ACTIVE'
    expect((await o.billing.approveHere(person, checkout.id, id)).status).toBe('pending')
    expect((await o.test.request('PUT', `/api/businesses/${b.id}/block`, person)).statusCode).toBe(200)
    await o.test.runJobs()
    expect(o.paypal.subscription(id).status).toBe('CANCELLED')
  })

  it('is found by the nightly check of its account if no message arrives', async () => {
    const person = await o.test.signUp()
    const { planId, customId } = o.paypalOf(await o.begin(b, person))
    o.paypal.approve(planId, customId)
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(person)).map(({ status }) => status)).toEqual(['active'])
  })

  it('is completed once, wherever the server is killed', async () => {
    const yard = await o.newYard('Killed Yard')
    let point = 1
    for (; ; point += 2) {
      const person = await o.test.signUp()
      const checkout = await o.begin(yard, person)
      const { planId, customId } = o.paypalOf(checkout)
      const { id } = o.paypal.approve(planId, customId)
      const crashing = crashAt(o.test.ctx, point)
      const actor = actorOf(person.user.id)
      const isDone = await approveCheckout(crashing.ctx, actor, checkout.id, id).then(() => true, isCrash)
      ;(o.test.ctx.jobs as MemoryJobs & { waiting: unknown[] }).waiting.length = 0
      await o.runJob('billing.reconcile')
      const [agreement, ...more] = await o.ownAgreements(person)
      expect(more).toEqual([])
      expect(agreement).toMatchObject({ status: 'active', isSubscription: true })
      const payments = await o.billing.call<{ status: string }[]>(person, 'GET', '/api/billing/payments')
      expect(payments.map(({ status }) => status)).toEqual(['paid'])
      if (isDone && crashing.steps() < point) break
      await o.test.db
        .updateTable('agreements')
        .set({ status: 'ended', closed_at: new Date() })
        .where('payer_id', '=', person.user.id)
        .execute()
    }
    expect(point).toBeGreaterThan(20)
  }, 120_000)
})

describe('an account’s message', () => {
  type Case = { name: string; status: number; message: (subscriptionId: string) => SignedMessage; to: () => string }
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const about = (id: string, webhookId: string) => o.paypal.message('BILLING.SUBSCRIPTION.CANCELLED', id, { webhookId })
  const cases: Case[] = [
    { name: 'signed for A, sent to B', status: 400, message: (id) => about(id, a.webhookId), to: () => b.accountId },
    { name: 'signed for B, sent to A', status: 400, message: (id) => about(id, b.webhookId), to: () => a.accountId },
    {
      name: 'signed for the site, sent to A',
      status: 400,
      message: (id) => about(id, o.paypal.env.PAYPAL_WEBHOOK_ID as string),
      to: () => a.accountId,
    },
    { name: 'of A about another account’s subscription', status: 204, message: (id) => about(id, a.webhookId), to: () => a.accountId },
    {
      name: 'sent to an unknown account',
      status: 404,
      message: (id) => about(id, a.webhookId),
      to: () => '0190a1b2-0000-7000-8000-000000000000',
    },
    { name: 'sent to an invalid id', status: 404, message: (id) => about(id, a.webhookId), to: () => 'test' },
    {
      name: 'signed by someone else',
      status: 400,
      to: () => a.accountId,
      message(id) {
        const { headers, body } = about(id, a.webhookId)
        const text = `${headers['paypal-transmission-id']}|${headers['paypal-transmission-time']}|${a.webhookId}|${crc32(body)}`
        return {
          body,
          headers: { ...headers, 'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(text), stranger).toString('base64') },
        }
      },
    },
    {
      name: 'with another body',
      status: 400,
      to: () => a.accountId,
      message: (id) => ({ headers: about('I-OTHER', a.webhookId).headers, body: about(id, a.webhookId).body }),
    },
    {
      name: 'truncated',
      status: 400,
      to: () => a.accountId,
      message: (id) => ({ headers: about(id, a.webhookId).headers, body: about(id, a.webhookId).body.slice(0, 40) }),
    },
    {
      name: 'with a certificate from elsewhere',
      status: 400,
      to: () => a.accountId,
      message: (id) =>
        o.paypal.sign(about(id, a.webhookId).body, {
          webhookId: a.webhookId,
          certUrl: 'https://evil.example/v1/notifications/certs/CERT-1',
        }),
    },
  ]

  const sold: { person: TestPerson; subscriptionId: string }[] = []
  const state = () =>
    o.test.db
      .selectFrom('agreements')
      .select(['id', 'status', 'paid_until', 'canceled_at', 'closed_at', 'account_id'])
      .where(
        'payer_id',
        'in',
        sold.map(({ person }) => person.user.id),
      )
      .orderBy('id')
      .execute()
  beforeAll(async () => {
    sold.push(await o.buy(b))
    const person = await o.test.signUp()
    const checkout = await o.billing.begin(person, { provider: 'paypal', planId: 'vip' })
    const { id } = o.paypal.approve(o.paypalOf(checkout).planId, checkout.id)
    await o.billing.approveHere(person, checkout.id, id)
    sold.push({ person, subscriptionId: id })
    expect((await state()).map(({ status }) => status)).toEqual(['active', 'active'])
  })

  it.each(cases)('returns $status and changes nothing in another account: $name', async ({ status, message, to }) => {
    const before = await state()
    for (const { subscriptionId } of sold) expect(await o.deliver(message(subscriptionId), to())).toBe(status)
    await o.test.runJobs()
    expect(await state()).toEqual(before)
  })

  it('creates and ends nothing when it names another account’s checkout', async () => {
    const person = await o.test.signUp()
    const ofB = o.paypalOf(await o.begin(b, person))
    const ofA = o.paypalOf(await o.begin(a, await o.test.signUp()))
    // Created in A's account with the ID of a checkout at B, so the payment doesn't reach B.
    const crossed = o.paypal.approve(ofA.planId, ofB.customId)
    expect(await o.deliver(o.paypal.message('BILLING.SUBSCRIPTION.ACTIVATED', crossed.id, { webhookId: a.webhookId }), a.accountId)).toBe(
      204,
    )
    await o.test.runJobs()
    const claimed = await o.test.request('POST', `/api/billing/checkouts/${ofB.customId}/approval`, person, { subscriptionID: crossed.id })
    expect(claimed.statusCode).toBe(409)
    expect(await o.ownAgreements(person)).toEqual([])
    expect(crossed.status).toBe('ACTIVE')
  })

  it('affects only the business it concerns when two businesses share a PayPal app', async () => {
    const merchant = o.paypal.addMerchant()
    const [one, other] = [await o.newYard('Shared Yard', merchant), await o.newYard('Sharing Yard', merchant)]
    expect(merchant.webhooks).toHaveLength(2)
    const person = await o.test.signUp()
    const { planId, customId } = o.paypalOf(await o.begin(other, person))
    const subscription = o.paypal.approve(planId, customId)
    const deliverAll = async (yard: PayPalBusiness) => {
      const message = o.paypal.message('BILLING.SUBSCRIPTION.ACTIVATED', subscription.id, { webhookId: yard.webhookId })
      expect(await o.deliver(message, yard.accountId)).toBe(204)
      await o.test.runJobs()
    }
    await deliverAll(one)
    expect(await o.ownAgreements(person)).toEqual([])
    await deliverAll(other)
    await deliverAll(one)
    expect((await o.ownAgreements(person)).map(({ status }) => status)).toEqual(['active'])
    expect((await o.accounts(one)).paypal?.payingCount).toBe(0)
    expect((await o.accounts(other)).paypal?.payingCount).toBe(1)
  })

  it('is distinct from a message with the same ID in another account', async () => {
    const [one, other] = [await o.buy(a), await o.buy(b)]
    const [toA, toB] = [
      o.paypal.message('BILLING.SUBSCRIPTION.UPDATED', one.subscriptionId, { id: 'WH-SAME', webhookId: a.webhookId }),
      o.paypal.message('BILLING.SUBSCRIPTION.UPDATED', other.subscriptionId, { id: 'WH-SAME', webhookId: b.webhookId }),
    ]
    expect([await o.deliver(toA, a.accountId), await o.deliver(toB, b.accountId), await o.deliver(toB, b.accountId)]).toEqual([
      204, 204, 204,
    ])
    expect((o.test.ctx.jobs as MemoryJobs).waiting.filter(({ name }) => name === 'billing.sync')).toHaveLength(2)
    await o.test.runJobs()
  })
})
