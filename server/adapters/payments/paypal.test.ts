import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatCents } from '#contracts/money.rules.ts'
import type { PaymentProvider } from '#server/kernel/payments.ts'
import { createTestClock, type TestClock } from '#tests/support/clock.ts'
import { type PayPalServer, type SignedMessage, startPayPalServer } from '#tests/support/paypal-server.ts'
import { centsOf, createPayPal } from './paypal.ts'
import { isPayPalUrl } from './paypal-client.ts'

let server: PayPalServer
let clock: TestClock
let paypal: PaymentProvider

beforeAll(async () => {
  server = await startPayPalServer(() => clock.now())
})
afterAll(() => server.close())
beforeEach(() => {
  clock = createTestClock()
  server.failures = []
  server.isDown = false
  server.requests = []
  paypal = createPayPal({
    clientId: server.env.PAYPAL_CLIENT_ID as string,
    clientSecret: server.env.PAYPAL_CLIENT_SECRET as string,
    webhookId: server.env.PAYPAL_WEBHOOK_ID as string,
    apiUrl: server.url,
    productName: 'Sungrove',
    clock,
    timeoutMs: 2000,
    retryAfterMs: 1,
  })
})

const price = { key: 'plan:pro', name: 'Sungrove Pro', amountCents: 15000, currency: 'USD' as const }

it('creates a plan once per price', async () => {
  const planId = await paypal.ensurePlan(price)
  expect(planId).toMatch(/^P-/)
  expect(await paypal.ensurePlan(price)).toBe(planId)
  expect(await paypal.ensurePlan({ ...price, amountCents: 15001 })).not.toBe(planId)
  expect(server.requestIds.filter((id) => id.startsWith('plan-')).length).toBe(3)
})

it('reads a subscription with its price, checkout, and periods', async () => {
  const planId = await paypal.ensurePlan(price)
  const { id } = server.approve(planId, 'checkout-1')
  expect(await paypal.fetchSubscription(id)).toMatchObject({
    id,
    planId,
    customId: 'checkout-1',
    amountCents: 15000,
    currency: 'USD',
    state: 'active',
    failedPayments: 0,
    lastPaidAt: expect.any(Date),
    paidUntil: expect.any(Date),
  })
  server.fail(id, clock.now())
  expect(await paypal.fetchSubscription(id)).toMatchObject({ state: 'active', failedPayments: 1 })
  const payments = await paypal.listPayments(id, new Date(clock.now().getTime() - 86_400_000), clock.now())
  expect(payments.map(({ status, amountCents, currency }) => ({ status, amountCents, currency }))).toEqual([
    { status: 'paid', amountCents: 15000, currency: 'USD' },
    { status: 'failed', amountCents: 15000, currency: 'USD' },
  ])
  await paypal.cancelSubscription(id, 'Ended by the subscriber')
  await paypal.cancelSubscription(id, 'Again')
  expect((await paypal.fetchSubscription(id))?.state).toBe('closed')
  expect(await paypal.findSubscriptions([planId], new Date(0))).toContain(id)
})

it('does not count a refund as a payment', async () => {
  const { id, transactions } = server.approve(await paypal.ensurePlan(price), 'checkout-2')
  const back = { id: 'BACK-1', status: 'COMPLETED', amount: { currency_code: 'USD', value: '-150.00' }, time: clock.now().toISOString() }
  transactions.push(back)
  const payments = await paypal.listPayments(id, new Date(clock.now().getTime() - 86_400_000), clock.now())
  expect(payments).toMatchObject([{ status: 'paid', amountCents: 15000 }])
})

it('doesn’t mistake a price edited at checkout for the plan’s', async () => {
  const planId = await paypal.ensurePlan(price)
  const cheap = server.approve(planId, 'c', { plan_overridden: true, price: { currency_code: 'USD', value: '0.01' } })
  expect((await paypal.fetchSubscription(cheap.id))?.amountCents).toBe(0)
  expect((await paypal.fetchSubscription(server.approve(planId, 'c', { quantity: '3' }).id))?.amountCents).toBe(0)
  const waiting = server.approve(planId, 'c', { status: 'APPROVAL_PENDING' })
  expect(await paypal.fetchSubscription(waiting.id)).toMatchObject({ state: 'pending', lastPaidAt: null, paidUntil: null })
})

it('never puts an invalid subscription ID in a URL', async () => {
  server.requests = []
  for (const id of ['', '../plans', 'I-1/cancel', 'TS-1', 'I-ab', `I-${'A'.repeat(99)}`]) {
    expect(await paypal.fetchSubscription(id)).toBeNull()
    await paypal.cancelSubscription(id, 'x')
  }
  expect(server.requests).toEqual([])
  expect(await paypal.fetchSubscription('I-UNKNOWN')).toBeNull()
})

it('reuses a token until it expires', async () => {
  const before = server.tokensGiven
  await Promise.all(Array.from({ length: 5 }, () => paypal.fetchSubscription('I-UNKNOWN')))
  expect(server.tokensGiven - before).toBe(1)
  clock.advance({ hours: 9 })
  await paypal.fetchSubscription('I-UNKNOWN')
  expect(server.tokensGiven - before).toBe(2)
})

it('retries after an error and pauses while PayPal is down', async () => {
  await paypal.fetchSubscription('I-UNKNOWN')
  server.failures = [500, 0]
  expect(await paypal.fetchSubscription('I-UNKNOWN')).toBeNull()
  expect(paypal.isAvailable()).toBe(true)
  server.isDown = true
  for (let i = 0; i < 3; i++) await expect(paypal.fetchSubscription('I-UNKNOWN')).rejects.toThrow('503')
  expect(paypal.isAvailable()).toBe(false)
  server.requests = []
  await expect(paypal.fetchSubscription('I-UNKNOWN')).rejects.toThrow('recently failed to respond')
  expect(server.requests).toEqual([])
  server.isDown = false
  clock.advance({ seconds: 31 })
  expect(paypal.isAvailable()).toBe(true)
  expect(await paypal.fetchSubscription('I-UNKNOWN')).toBeNull()
})

it('replaces a token that PayPal rejects', async () => {
  await paypal.fetchSubscription('I-UNKNOWN')
  server.failures = [401]
  expect(await paypal.fetchSubscription('I-UNKNOWN')).toBeNull()
})

describe('a webhook message', () => {
  const check = ({ headers, body }: SignedMessage) => paypal.verifyMessage(headers, Buffer.from(body))

  it('is verified and yields the ID of the subscription to check', async () => {
    expect(await check(server.message('BILLING.SUBSCRIPTION.ACTIVATED', 'I-BW452GLLEP1G', { id: 'WH-1' }))).toEqual({
      id: 'WH-1',
      type: 'BILLING.SUBSCRIPTION.ACTIVATED',
      subscriptionId: 'I-BW452GLLEP1G',
    })
    expect(await check(server.message('PAYMENT.SALE.COMPLETED', 'I-BW452GLLEP1G', { sale: true }))).toMatchObject({
      subscriptionId: 'I-BW452GLLEP1G',
    })
    expect(await check(server.message('CATALOG.PRODUCT.CREATED', 'PROD-1'))).toMatchObject({ subscriptionId: null })
  })

  it('is rejected if a byte or any header was changed', async () => {
    const good = server.message('BILLING.SUBSCRIPTION.ACTIVATED', 'I-BW452GLLEP1G')
    await fc.assert(
      fc.asyncProperty(fc.nat(good.body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Buffer.from(good.body)
        bytes[at] = ((bytes[at] as number) + by) % 256
        expect(await paypal.verifyMessage(good.headers, bytes)).toBeNull()
      }),
      { numRuns: 100 },
    )
    for (const name of Object.keys(good.headers).filter((each) => each.startsWith('paypal-'))) {
      const { [name]: _left, ...others } = good.headers
      expect(await check({ ...good, headers: others }), name).toBeNull()
    }
    expect(await check({ ...good, headers: { ...good.headers, 'paypal-transmission-id': 'another' } })).toBeNull()
    expect(await check({ ...good, headers: { ...good.headers, 'paypal-auth-algo': 'SHA1withRSA' } })).toBeNull()
    expect(await check(server.sign(good.body, { webhookId: 'ANOTHERS' }))).toBeNull()
    expect(await check(good)).not.toBeNull()
  })

  it('is verified only with PayPal’s certificates', async () => {
    const api = 'https://api-m.paypal.com'
    const path = '/v1/notifications/certs/CERT-360caa42'
    for (const host of ['https://api.paypal.com', 'https://api.sandbox.paypal.com', api])
      expect(isPayPalUrl(host + path, api), host).toBe(true)
    for (const url of [
      `http://api.paypal.com${path}`,
      `https://paypal.com.evil.example${path}`,
      `https://evilpaypal.com${path}`,
      `https://api.paypal.com:8443${path}`,
      `https://api.paypal.com@evil.example${path}`,
      `https://user@api.paypal.com${path}`,
      'https://api.paypal.com/other/CERT-1',
      `https://api.paypal.com${path}/../../x`,
      `https://api.paypal.com${path}?x`,
      'not an address',
    ]) {
      expect(isPayPalUrl(url, api), url).toBe(false)
    }
    const good = server.message('BILLING.SUBSCRIPTION.ACTIVATED', 'I-BW452GLLEP1G')
    expect(await check(server.sign(good.body, { certUrl: 'https://evil.example/v1/notifications/certs/CERT-1' }))).toBeNull()
  })
})

it('converts amounts to and from cents exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (cents) => {
      expect(centsOf(formatCents(cents))).toBe(cents)
    }),
  )
  expect([centsOf('3'), centsOf('3.5'), centsOf('3.50'), centsOf('3.505'), centsOf('-3'), centsOf('')]).toEqual([
    300,
    350,
    350,
    null,
    null,
    null,
  ])
})
