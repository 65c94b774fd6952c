import { generateKeyPairSync, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agreement, Checkout } from '#contracts/billing.ts'
import { listOutbox, outboxFolder } from '#server/adapters/mail/index.ts'
import { billingOf } from '#tests/support/billing.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { type PayPalServer, type SignedMessage, startPayPalServer } from '#tests/support/paypal-server.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { settleAtProvider } from './change-agreement.ts'
import { sendConfirmation } from './confirmations.ts'
import { warnOfUnreachable } from './payment-accounts.queries.ts'

/** Runs the whole server against a local fake of PayPal's REST API that signs as PayPal does. */

let paypal: PayPalServer
let database: TestDatabase
let test: TestApp
let billing: ReturnType<typeof billingOf>
let person: TestPerson

beforeAll(async () => {
  paypal = await startPayPalServer(() => test?.clock.now() ?? new Date())
  database = await createTestDatabase()
  test = await startTestApp({ env: { ...paypal.env, BILLING_NAME: 'SG Media' }, database })
  billing = billingOf(test)
  person = await test.signUp()
})
afterAll(async () => {
  await test?.close()
  await paypal?.close()
})

const deliver = async ({ headers, body }: SignedMessage) => {
  const answer = await test.app.inject({ method: 'POST', url: '/api/billing/messages/paypal', headers, payload: body })
  return answer.statusCode
}
const begin = (planId: string, as = person) => billing.begin(as, { provider: 'paypal', planId })
const paypalOf = (checkout: Checkout) => checkout.paypal as { clientId: string; planId: string; customId: string }
const agreements = (as = person) => billing.call<Agreement[]>(as, 'GET', '/api/billing/agreements')
const countRows = async (table: 'agreements' | 'payments') =>
  (
    await test.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

it('sells through PayPal’s button, and approves only an active subscription that matches the checkout', async () => {
  const { providers } = await billing.call<{ providers: object[] }>(person, 'GET', '/api/plans')
  expect(providers).toEqual([{ name: 'paypal', isTest: false, clientId: paypal.env.PAYPAL_CLIENT_ID, isAvailable: true }])
  const buyer = await test.signUp()
  const checkout = await begin('pro', buyer)
  const button = paypalOf(checkout)
  expect(button).toMatchObject({ clientId: paypal.env.PAYPAL_CLIENT_ID, customId: checkout.id })
  const approve = (id: string) => test.request('POST', `/api/billing/checkouts/${checkout.id}/approval`, buyer, { subscriptionID: id })
  const cheap = { plan_overridden: true, price: { currency_code: 'USD', value: '0.01' } }
  for (const subscription of [
    paypal.approve(button.planId, button.customId, cheap),
    paypal.approve(button.planId, undefined),
    paypal.approve(button.planId, 'of someone else'),
    paypal.approve(button.planId, button.customId, { status: 'APPROVAL_PENDING' }),
    paypal.approve(button.planId, button.customId, { price: { currency_code: 'EUR', value: '150.00' } }),
    paypal.approve(paypalOf(await begin('vip', buyer)).planId, button.customId),
  ]) {
    expect((await approve(subscription.id)).statusCode).toBe(409)
  }
  expect((await approve('I-NEVERWAS')).statusCode).toBe(409)
  expect((await billing.ownStanding(buyer)).entitlements).toEqual([])
  const paid = paypal.approve(button.planId, button.customId)
  expect((await approve(paid.id)).json()).toMatchObject({ status: 'active', planId: 'pro', provider: 'paypal' })
  expect((await billing.ownStanding(buyer)).entitlements).toEqual(['product_updates', 'exclusive_posts', 'early_products', 'member_prices'])
  // Tampered purchases are ended at PayPal, so that no one pays for nothing.
  await test.runJobs()
  expect(paypal.requests.filter((request) => request.endsWith('/cancel')).length).toBe(3)
})

it('grants a plan once for a genuine message, and nothing for 1,000 forged, replayed, shuffled, truncated, or cross-plan messages', async () => {
  const before = { agreements: await countRows('agreements'), payments: await countRows('payments') }
  const other = await test.signUp()
  const [dear, cheap, foreign] = [await begin('pro'), await begin('vip'), await begin('pro', other)]
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  // All are signed by PayPal but concern subscriptions that match no purchase here.
  const notOurs = [
    paypal.approve(paypalOf(cheap).planId, paypalOf(dear).customId),
    paypal.approve(paypalOf(dear).planId, paypalOf(dear).customId, {
      plan_overridden: true,
      price: { currency_code: 'USD', value: '1.00' },
    }),
    paypal.approve(paypalOf(dear).planId, paypalOf(dear).customId, { status: 'APPROVAL_PENDING' }),
    paypal.approve(paypalOf(dear).planId, '0190a1b2-0000-7000-8000-000000000000'),
    paypal.approve(paypalOf(dear).planId, "x'; drop table agreements; --"),
    paypal.approve(paypalOf(dear).planId, paypalOf(dear).customId, { price: { currency_code: 'EUR', value: '150.00' } }),
  ]
  const types = [
    'BILLING.SUBSCRIPTION.ACTIVATED',
    'PAYMENT.SALE.COMPLETED',
    'BILLING.SUBSCRIPTION.UPDATED',
    'BILLING.SUBSCRIPTION.CANCELLED',
  ]
  const genuine = paypal.message('BILLING.SUBSCRIPTION.ACTIVATED', 'I-GENUINE')
  const messages: { message: SignedMessage; status: number }[] = []
  for (let i = 0; messages.length < 1000; i++) {
    const type = types[i % types.length] as string
    const about = notOurs[i % notOurs.length]?.id ?? ''
    const good = paypal.message(type, about, { sale: type.startsWith('PAYMENT') })
    const { headers, body } = good
    const text = `${headers['paypal-transmission-id']}|${headers['paypal-transmission-time']}|${paypal.env.PAYPAL_WEBHOOK_ID}|${crc32(body)}`
    const forged = sign('RSA-SHA256', Buffer.from(text), stranger).toString('base64')
    messages.push(
      { message: { body, headers: { 'content-type': 'application/json' } }, status: 400 },
      { message: { body, headers: { ...headers, 'paypal-transmission-sig': forged } }, status: 400 },
      { message: paypal.sign(body, { webhookId: 'ANOTHERWEBHOOK' }), status: 400 },
      { message: paypal.sign(body, { certUrl: 'https://evil.example/v1/notifications/certs/CERT-1' }), status: 400 },
      { message: { headers, body: body.slice(0, (i * 7) % body.length) }, status: 400 },
      { message: { headers, body: body.replace(about, `I-OTHER${i}`) }, status: 400 },
      { message: { headers: genuine.headers, body }, status: 400 },
      // A genuine but irrelevant webhook, then the same one again.
      { message: good, status: 204 },
      { message: good, status: 204 },
      { message: paypal.sign('{"id":"WH-1"}'), status: 400 },
    )
  }
  const shuffled = messages.map((each, i) => ({ each, key: (i * 7919) % 1009 })).sort((a, b) => a.key - b.key)
  for (let from = 0; from < shuffled.length; from += 25) {
    await Promise.all(shuffled.slice(from, from + 25).map(async ({ each }) => expect(await deliver(each.message)).toBe(each.status)))
  }
  await test.runJobs()
  expect({ agreements: await countRows('agreements'), payments: await countRows('payments') }).toEqual(before)
  expect((await billing.ownStanding(person)).entitlements).toEqual([])
  expect((await billing.ownStanding(other)).entitlements).toEqual([])

  // The payer closed the page. PayPal's webhooks alone complete the purchase, once, however often and in whatever order they arrive.
  const paid = paypal.approve(paypalOf(foreign).planId, paypalOf(foreign).customId)
  const deliveries = [
    paypal.message('PAYMENT.SALE.COMPLETED', paid.id, { sale: true }),
    paypal.message('BILLING.SUBSCRIPTION.ACTIVATED', paid.id),
    paypal.message('BILLING.SUBSCRIPTION.CREATED', paid.id),
  ]
  for (const message of [...deliveries, ...deliveries, ...deliveries]) expect(await deliver(message)).toBe(204)
  expect((test.ctx.jobs as MemoryJobs).waiting.filter(({ name }) => name === 'billing.sync')).toHaveLength(deliveries.length)
  await test.runJobs()
  expect({ agreements: await countRows('agreements'), payments: await countRows('payments') }).toEqual({
    agreements: before.agreements + 1,
    payments: before.payments + 1,
  })
  expect((await agreements(other))[0]).toMatchObject({ status: 'active', planId: 'pro' })
  expect((await billing.ownStanding(person)).entitlements).toEqual([])
})

it('settles on PayPal’s latest state, whatever the order of messages', async () => {
  const buyer = await test.signUp()
  const checkout = await begin('vip', buyer)
  const { id } = paypal.approve(paypalOf(checkout).planId, checkout.id)
  await billing.approveHere(buyer, checkout.id, id)
  paypal.fail(id, test.clock.now())
  const failed = paypal.message('BILLING.SUBSCRIPTION.PAYMENT.FAILED', id)
  paypal.pay(id, test.clock.now())
  const paid = paypal.message('PAYMENT.SALE.COMPLETED', id, { sale: true })
  for (const message of [paid, failed]) await deliver(message)
  await test.runJobs()
  expect((await agreements(buyer))[0]).toMatchObject({ status: 'active' })
  const payments = await billing.call<{ status: string }[]>(buyer, 'GET', '/api/billing/payments')
  expect(payments.map(({ status }) => status).sort()).toEqual(['failed', 'paid', 'paid'])
})

it('accepts messages from any origin if they are signed, small enough, and for this provider', async () => {
  const message = paypal.message('BILLING.SUBSCRIPTION.ACTIVATED', 'I-SOMEBODYS')
  const cross = { ...message.headers, 'sec-fetch-site': 'cross-site', origin: 'https://www.paypal.com' }
  expect(await deliver({ ...message, headers: cross })).toBe(204)
  expect(await deliver({ headers: message.headers, body: 'x'.repeat(300_000) })).toBe(413)
  expect(await deliver({ headers: {}, body: '' })).toBe(400)
  for (const provider of ['test', 'invoice', 'stripe', '__proto__']) {
    const answer = await test.app.inject({ method: 'POST', url: `/api/billing/messages/${provider}`, ...message, payload: message.body })
    expect(answer.statusCode).toBe(404)
  }
})

it('blocks only new purchases during a PayPal outage', async () => {
  const buyer = await test.signUp()
  const checkout = await begin('pro', buyer)
  const { id } = paypal.approve(paypalOf(checkout).planId, checkout.id)
  const agreement = await billing.approveHere(buyer, checkout.id, id)
  const waiting = await begin('vip', buyer)
  const waitingId = paypal.approve(paypalOf(waiting).planId, waiting.id).id
  paypal.isDown = true
  const approval = await test.request('POST', `/api/billing/checkouts/${waiting.id}/approval`, buyer, { subscriptionID: waitingId })
  expect(approval.statusCode).toBe(503)
  expect(approval.headers['retry-after']).toBeDefined()
  for (let i = 0; i < 3; i++) await billingJobs(test.ctx)['billing.reconcile']({})
  const { providers } = await billing.call<{ providers: { isAvailable: boolean }[] }>(buyer, 'GET', '/api/plans')
  expect(providers[0]?.isAvailable).toBe(false)
  expect((await test.request('POST', '/api/billing/checkouts', buyer, { provider: 'paypal', planId: 'vip' })).statusCode).toBe(503)
  // Canceling takes effect here immediately, and at PayPal once it is reachable.
  const ended = await billing.call<Agreement>(buyer, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  expect(ended.status).toBe('canceled')
  expect(await billing.ownPlans(buyer)).toEqual(['Pro'])
  paypal.isDown = false
  test.clock.advance({ minutes: 2 })
  await billingJobs(test.ctx)['billing.reconcile']({})
  await test.runJobs()
  expect((await test.ctx.payments.find('paypal')?.fetchSubscription(id))?.state).toBe('suspended')
  expect((await agreements(buyer)).map(({ planId, status }) => [planId, status])).toEqual([
    ['vip', 'active'],
    ['pro', 'canceled'],
  ])
})

it('doesn’t promise that payments stop once the site is no longer configured for PayPal', async () => {
  const buyer = await test.signUp()
  const checkout = await begin('vip', buyer)
  const { id } = paypal.approve(paypalOf(checkout).planId, checkout.id)
  const { id: agreementId } = await billing.approveHere(buyer, checkout.id, id)
  const log: string[] = []
  const without = await startTestApp({
    env: { BILLING_INVOICE_INSTRUCTIONS: 'Pay us.', LOG_LEVEL: 'warn' },
    database: { ...database, drop: async () => {} },
    logTo: (line) => log.push(line),
  })
  try {
    await warnOfUnreachable(without.ctx)
    expect(log.join('')).toContain('"provider":"paypal"')
    const ended = await without.request('POST', `/api/billing/agreements/${agreementId}/cancellation`, buyer)
    expect(ended.json()).toMatchObject({ status: 'canceled', mayStillCharge: true, abilities: { resume: false } })
    await expect(settleAtProvider(without.ctx, agreementId)).rejects.toThrow('isn’t configured')
    await sendConfirmation(without.ctx, { agreementId, at: without.clock.now().toISOString(), event: 'canceled' })
    const [mail] = await listOutbox(outboxFolder(without.dataDir), 10)
    expect(mail?.text).not.toContain('You won’t be charged again')
    expect(mail?.text).toContain('Cancel them there too, under Settings, Payments, Automatic payments.')
  } finally {
    await without.close()
  }
  // Once PayPal is configured again, the purchase is paused there.
  await billingJobs(test.ctx)['billing.reconcile']({})
  await test.runJobs()
  expect((await test.ctx.payments.find('paypal')?.fetchSubscription(id))?.state).toBe('suspended')
  expect((await agreements(buyer))[0]).toMatchObject({ status: 'canceled', mayStillCharge: false })
})

it('allows PayPal’s script and frames only if PayPal is configured', async () => {
  const plain = await startTestApp()
  try {
    const policyOf = async (app: TestApp) => (await app.request('GET', '/')).headers as Record<string, string>
    const [withPayPal, without] = [await policyOf(test), await policyOf(plain)]
    expect(withPayPal['content-security-policy']).toContain("script-src 'self' https://*.paypal.com https://*.paypalobjects.com")
    expect(withPayPal['content-security-policy']).toContain('frame-src https://*.paypal.com')
    expect(withPayPal['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    expect(without['content-security-policy']).not.toContain('paypal')
    expect(without['content-security-policy']).not.toContain('unsafe-inline')
    expect(without['cross-origin-opener-policy']).toBe('same-origin')
  } finally {
    await plain.close()
  }
})
