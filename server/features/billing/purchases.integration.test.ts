import { type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Agreement, Payment } from '#contracts/billing.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { billingOf } from '#tests/support/billing.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { type AgreementRow, findAgreement } from './agreements.queries.ts'
import { billingJobs } from './billing.jobs.ts'
import { lastDay } from './confirmations.ts'
import { syncAgreement } from './sync-agreement.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  billing = billingOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  person = await test.signUp()
  await billing.stayIn()
})

const runJob = async (name: 'billing.expire' | 'billing.reconcile' | 'billing.run-test-provider') => {
  await billingJobs(test.ctx)[name]({})
  await test.runJobs()
}
const agreements = () => billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
const payments = () => billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
const post = (url: string, payload?: object, as = person) => test.request('POST', url, as, payload ?? {})
const tierOf = async (who: TestPerson) => (await test.request('GET', '/api/auth/user', who)).json().subscriptionTier

it('offers and sells a plan and unlocks its features', async () => {
  const { plans, providers } = await billing.call<{ plans: { id: string }[]; providers: object[] }>(person, 'GET', '/api/plans')
  expect(plans.map((plan) => plan.id)).toEqual(['starter', 'pro', 'vip', 'verified', 'pro_partner', 'business_tools'])
  expect(providers).toEqual([{ name: 'test', isTest: true, clientId: null, isAvailable: true }])

  const business = await billing.addOwnBusiness(person, 'Amber Terrace')
  expect(await billing.standing(person, business.slug)).toEqual({ plans: [], entitlements: [], graceUntil: null })
  const checkout = await billing.begin(person, { planId: 'business_tools', businessId: business.id })
  expect(checkout).toMatchObject({ status: 'open', title: 'Business Tools for Amber Terrace', price: { amount: '75.00', currency: 'USD' } })
  const agreement = await billing.approveHere(person, checkout.id, await billing.approveThere(person, checkout.id))
  expect(agreement).toMatchObject({ status: 'active', planId: 'business_tools', business: { id: business.id } })
  expect((await billing.standing(person, business.id)).entitlements).toContain('unlimited_menu')
  expect(await agreements()).toEqual([agreement])
  const [payment] = await payments()
  expect(payment).toMatchObject({ money: { amount: '75.00', currency: 'USD' }, status: 'paid', provider: 'test' })
  expect((await test.request('GET', `/api/billing/checkouts/${checkout.id}`, person)).json()).toMatchObject({
    status: 'approved',
    agreementId: agreement.id,
  })
  // The purchase's webhooks arrive later and change nothing.
  test.clock.advance({ minutes: 1 })
  await runJob('billing.run-test-provider')
  expect(await agreements()).toEqual([agreement])
  expect(await payments()).toHaveLength(1)
})

it('sells a plan only at the price that the person was shown', async () => {
  const begin = (amount: string) =>
    test.request('POST', '/api/billing/checkouts', person, { provider: 'test', planId: 'vip', price: { amount, currency: 'USD' } })
  const refused = await begin('29.99')
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'The price is now $39.99 per month. Nothing was bought.'])
  expect((await begin('39.99')).json().price).toEqual({ amount: '39.99', currency: 'USD' })
})

it('approves only the payer’s own checkout with its own subscription, whatever the page sends', async () => {
  const other = await test.signUp()
  const cheap = await billing.begin(person, { planId: 'vip' })
  const dear = await billing.begin(person, { planId: 'pro' })
  const foreign = await billing.begin(other, { planId: 'pro' })
  const paidCheap = await billing.approveThere(person, cheap.id)
  const paidForeign = await billing.approveThere(other, foreign.id)
  for (const subscriptionID of ['I-NONE', 'TS-NONE', paidCheap, paidForeign, dear.id]) {
    const answer = await post(`/api/billing/checkouts/${dear.id}/approval`, { subscriptionID })
    expect(answer.statusCode, answer.body).toBe(409)
  }
  expect((await post(`/api/billing/checkouts/${foreign.id}/approval`, { subscriptionID: paidForeign })).statusCode).toBe(404)
  expect((await billing.ownStanding(person)).entitlements).toEqual([])
  expect(await agreements()).toEqual([])
  const approved = await billing.approveHere(person, cheap.id, paidCheap)
  expect(await billing.approveHere(person, cheap.id, paidCheap)).toEqual(approved)
  expect((await post(`/api/billing/checkouts/${cheap.id}/approval`, { subscriptionID: 'TS-OTHER' })).statusCode).toBe(409)
  expect((await post(`/api/billing/checkouts/${dear.id}/approval`, { subscriptionID: paidCheap })).statusCode).toBe(409)
  expect(await payments()).toHaveLength(1)
})

it('approves a checkout once when the page repeats a request whose response was lost', async () => {
  const checkout = await billing.begin(person, { planId: 'pro' })
  const ids = await Promise.all([1, 2, 3].map(() => billing.approveThere(person, checkout.id)))
  expect(new Set(ids).size).toBe(1)
  const subscriptions = await test.db
    .selectFrom('test_provider_subscriptions')
    .select(['id', 'payments_made'])
    .where('custom_id', '=', checkout.id)
    .execute()
  expect(subscriptions).toEqual([{ id: ids[0], payments_made: 1 }])
  await billing.approveHere(person, checkout.id, ids[0] as string)
  expect(await payments()).toHaveLength(1)
})

it('accepts the approval when the provider’s message completes the purchase at the same moment', async () => {
  const checkout = await billing.begin(person, { planId: 'pro' })
  const subscriptionID = await billing.approveThere(person, checkout.id)
  const agreement = await billing.approveHere(person, checkout.id, subscriptionID)
  const setCheckout = (db: Db, values: Pick<Selectable<DB['checkouts']>, 'status' | 'agreement_id'>) =>
    db.updateTable('checkouts').set(values).where('id', '=', checkout.id).execute()
  await setCheckout(test.db, { status: 'open', agreement_id: null })

  const approval = await test.db.transaction().execute(async (tx) => {
    // The call reads the open checkout, and then waits for the agreements until this commits.
    await sql`lock table agreements in access exclusive mode`.execute(tx)
    await setCheckout(tx, { status: 'approved', agreement_id: agreement.id })
    const call = post(`/api/billing/checkouts/${checkout.id}/approval`, { subscriptionID })
    await untilWaiting(test.db, { statement: 'agreements' })
    return { call }
  })
  const answer = await approval.call
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toEqual(agreement)
})

it('closes a second subscription for the same checkout at the provider', async () => {
  const checkout = await billing.begin(person, { planId: 'pro' })
  const { provider_plan_id } = await test.db
    .selectFrom('checkouts')
    .select('provider_plan_id')
    .where('id', '=', checkout.id)
    .executeTakeFirstOrThrow()
  const first = await billing.approveThere(person, checkout.id)
  await billing.approveHere(person, checkout.id, first)
  const second = await billing.provider.approve(provider_plan_id as string, checkout.id, 'another approval')
  await runJob('billing.run-test-provider')
  expect((await billing.provider.fetchSubscription(second))?.state).toBe('closed')
  expect((await billing.provider.fetchSubscription(first))?.state).toBe('active')
  expect(await agreements()).toHaveLength(1)
})

it('renews monthly when the provider reports a payment', async () => {
  const agreement = await billing.buy(person, { planId: 'pro' })
  expect(await tierOf(person)).toBe('Pro')
  for (let month = 2; month <= 4; month++) {
    test.clock.advance({ days: 31 })
    await runJob('billing.run-test-provider')
    expect((await agreements())[0]?.status).toBe('active')
    expect(await payments()).toHaveLength(month)
  }
  const paidUntil = (await agreements())[0]?.paidUntil as string
  expect(new Date(paidUntil) > test.clock.now()).toBe(true)
  expect(new Date(paidUntil) > new Date(agreement.paidUntil as string)).toBe(true)
})

it('grants everything for 30 days after a failed payment and sends three reminders', async () => {
  const mails: string[] = []
  const { send } = test.ctx.mail
  test.ctx.mail.send = async (mail) => void mails.push(`${mail.to} ${mail.subject}`)
  const agreement = await billing.buy(person, { planId: 'vip' })
  const subscription = await billing.subscriptionOf(agreement.id)
  await billing.provider.refusePayments(subscription, true)
  test.clock.set(new Date(new Date(agreement.paidUntil as string).getTime() + 60_000))
  await runJob('billing.run-test-provider')
  expect((await agreements())[0]).toMatchObject({ status: 'past_due', graceUntil: expect.any(String) })
  expect((await billing.ownStanding(person)).graceUntil).not.toBeNull()
  for (const days of [0, 4, 4, 4, 4]) {
    test.clock.advance({ days })
    await runJob('billing.run-test-provider')
    await runJob('billing.expire')
  }
  expect(mails.filter((mail) => mail.startsWith(person.email) && mail.includes('payment'))).toEqual(
    Array(3).fill(`${person.email} Sungrove: your payment didn’t go through`),
  )
  expect((await billing.provider.fetchSubscription(subscription))?.state).toBe('suspended')
  expect((await billing.ownStanding(person)).entitlements).toContain('direct_messages')
  test.clock.advance({ days: 15 })
  await runJob('billing.expire')
  expect((await agreements())[0]?.status).toBe('ended')
  expect(await tierOf(person)).toBeNull()
  expect((await billing.ownStanding(person)).entitlements).toEqual([])
  expect((await billing.provider.fetchSubscription(subscription))?.state).toBe('closed')
  test.ctx.mail.send = send
})

it('ends the grace period when a payment succeeds', async () => {
  const agreement = await billing.buy(person, { planId: 'pro' })
  const subscription = await billing.subscriptionOf(agreement.id)
  await billing.provider.refusePayments(subscription, true)
  test.clock.set(new Date(new Date(agreement.paidUntil as string).getTime() + 60_000))
  await runJob('billing.run-test-provider')
  expect((await agreements())[0]?.status).toBe('past_due')
  await billing.provider.refusePayments(subscription, false)
  test.clock.advance({ days: 6 })
  await runJob('billing.run-test-provider')
  expect((await agreements())[0]).toMatchObject({ status: 'active', graceUntil: null })
  expect((await payments()).map((payment) => payment.status)).toEqual(['paid', 'failed', 'paid'])
  expect((await payments())[1]).toMatchObject({ receiptNumber: null, receiptUrl: null })
})

it('trusts the later of two concurrent queries to the provider, even if the earlier one returns last', async () => {
  const agreement = await billing.buy(person, { planId: 'pro' })
  const subscription = await billing.subscriptionOf(agreement.id)
  const row = (await findAgreement(test.db, agreement.id)) as AgreementRow
  const old = await billing.provider.fetchSubscription(subscription)
  let answerNow = () => {}
  const waits = new Promise<void>((resolve) => {
    answerNow = resolve
  })
  const slow = {
    ...billing.provider,
    async fetchSubscription() {
      await waits
      return old && { ...old, failedPayments: 1 }
    },
  }
  const first = syncAgreement(test.ctx, slow, row)
  await expect.poll(async () => (await findAgreement(test.db, agreement.id))?.asked_ticket).toBe(row.asked_ticket + 1)
  await syncAgreement(test.ctx, billing.provider, row)
  answerNow()
  await first
  expect((await agreements())[0]).toMatchObject({ status: 'active', graceUntil: null })
  await syncAgreement(test.ctx, slow, row)
  expect((await agreements())[0]?.status).toBe('past_due')
})

it('ends a canceled plan with the paid period, idempotently', async () => {
  const agreement = await billing.buy(person, { planId: 'pro' })
  const cancel = () => billing.call<Agreement>(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  const canceled = await cancel()
  const abilities = { cancel: false, change: false, resume: true }
  expect(canceled).toMatchObject({ status: 'canceled', paidUntil: agreement.paidUntil, abilities })
  expect(await cancel()).toEqual(canceled)
  expect((await billing.provider.fetchSubscription(await billing.subscriptionOf(agreement.id)))?.state).toBe('suspended')
  expect(await billing.ownPlans(person)).toEqual(['Pro'])
  const tooEarly = await post('/api/billing/checkouts', { provider: 'test', planId: 'pro' })
  expect(tooEarly.statusCode).toBe(409)
  const paidUntil = lastDay(new Date(agreement.paidUntil as string))
  expect(tooEarly.json().message).toBe(`It’s canceled, but paid until ${paidUntil}. You can resume it under Billing.`)
  test.clock.set(agreement.paidUntil as string)
  expect(await billing.ownPlans(person)).toEqual([])
  await runJob('billing.expire')
  expect((await agreements())[0]).toMatchObject({ status: 'ended', abilities: { resume: false } })
  expect((await billing.provider.fetchSubscription(await billing.subscriptionOf(agreement.id)))?.state).toBe('closed')
  expect(await tierOf(person)).toBeNull()
  expect(await payments()).toHaveLength(1)
  expect((await post('/api/billing/checkouts', { provider: 'test', planId: 'pro' })).statusCode).toBe(201)
})

it('starts an upgrade before the old plan ends, without a double charge', async () => {
  const old = await billing.buy(person, { planId: 'vip' })
  expect(old.changesTo).toEqual(['starter', 'pro'])
  expect((await post('/api/billing/checkouts', { provider: 'test', planId: 'vip' })).statusCode).toBe(409)
  expect((await post('/api/billing/checkouts', { provider: 'test', planId: 'business_tools', replaces: old.id })).statusCode).toBe(409)
  const next = await billing.buy(person, { planId: 'pro', replaces: old.id })
  await test.runJobs()
  const after = await agreements()
  expect(after.map(({ planId, status }) => [planId, status])).toEqual([
    ['pro', 'active'],
    ['vip', 'canceled'],
  ])
  expect(await tierOf(person)).toBe('VIP')
  expect((await billing.provider.fetchSubscription(await billing.subscriptionOf(old.id)))?.state).toBe('suspended')
  test.clock.set(new Date(new Date(next.paidUntil as string).getTime() + 60_000))
  await runJob('billing.run-test-provider')
  await runJob('billing.expire')
  expect((await payments()).map(({ title }) => title)).toEqual(['Pro', 'Pro', 'VIP'])
})

it('keeps only one of two open purchases of a plan', async () => {
  const first = await billing.begin(person, { planId: 'vip' })
  const second = await billing.begin(person, { planId: 'vip' })
  const ids = [await billing.approveThere(person, first.id), await billing.approveThere(person, second.id)] as const
  await Promise.all([billing.approveHere(person, first.id, ids[0]), billing.approveHere(person, second.id, ids[1])])
  await test.runJobs()
  expect((await agreements()).map(({ status }) => status).sort()).toEqual(['active', 'canceled'])
  const states = await Promise.all(ids.map(async (id) => (await billing.provider.fetchSubscription(id))?.state))
  expect(states.sort()).toEqual(['active', 'suspended'])
})

it('assigns a plan that was bought before the business existed, but to only one business', async () => {
  const agreement = await billing.buy(person, { planId: 'pro_partner' })
  expect(agreement).toMatchObject({ business: null, abilities: { assign: true } })
  const [first, second] = [await billing.addOwnBusiness(person, 'First Yard'), await billing.addOwnBusiness(person, 'Second Yard')]
  const assign = (businessId: string) => test.request('PUT', `/api/billing/agreements/${agreement.id}/business`, person, { businessId })
  expect((await assign(first.id)).json()).toMatchObject({ business: { id: first.id }, title: 'Pro Partner for First Yard' })
  expect((await assign(first.id)).statusCode).toBe(200)
  expect((await assign(second.id)).statusCode).toBe(409)
  expect((await billing.standing(person, first.id)).entitlements).toContain('own_prices')
  expect((await billing.ownStanding(person)).entitlements).toEqual([])
  const own = await billing.call<Agreement[]>(person, 'GET', `/api/billing/agreements?business=${first.id}`)
  expect(own.map(({ id }) => id)).toEqual([agreement.id])
})

it('buys nothing if the payer cancels at the provider or lets the checkout expire', async () => {
  const checkout = await billing.begin(person, { planId: 'pro' })
  const answer = await post(`/api/billing/test/checkouts/${checkout.id}/answers`, { outcome: 'refuse' })
  expect(answer.json()).toEqual({ subscriptionID: null })
  expect((await post(`/api/billing/test/checkouts/${checkout.id}/answers`, { outcome: 'approve' })).statusCode).toBe(409)
  const late = await billing.begin(person, { planId: 'pro' })
  test.clock.advance({ days: 2 })
  expect((await test.request('GET', `/api/billing/checkouts/${late.id}`, person)).json().status).toBe('expired')
  await runJob('billing.expire')
  expect((await test.request('GET', `/api/billing/checkouts/${late.id}`, person)).json().status).toBe('expired')
})

it('refuses invalid checkouts', async () => {
  const business = await billing.addOwnBusiness(person, 'Wish Yard')
  const stranger = await test.signUp()
  const refused = async (wish: object, status: number, as = person) =>
    expect((await test.request('POST', '/api/billing/checkouts', as, { provider: 'test', ...wish })).statusCode, JSON.stringify(wish)).toBe(
      status,
    )
  await refused({}, 400)
  await refused({ planId: 'none' }, 400)
  await refused({ planId: 'pro', subscribeTo: business.id }, 400)
  await refused({ planId: 'pro', businessId: business.id }, 400)
  await refused({ planId: 'pro', provider: 'paypal' }, 400)
  await refused({ planId: 'pro', provider: 'invoice' }, 400)
  await refused({ planId: 'business_tools', businessId: business.id }, 403, stranger)
  await refused({ planId: 'pro', replaces: '0190a1b2-0000-7000-8000-000000000000' }, 404)
})

it('numbers receipts without gaps, even concurrently', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => test.signUp()))
  await Promise.all(people.map((each) => billing.buy(each, { planId: 'vip' })))
  const rows = await test.db.selectFrom('payments').select('receipt_number').where('status', '=', 'paid').execute()
  const byYear = new Map<string, number[]>()
  for (const { receipt_number } of rows) {
    const [year = '', number] = (receipt_number as string).split('-')
    byYear.set(year, [...(byYear.get(year) ?? []), Number(number)])
  }
  for (const numbers of byYear.values()) {
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
  }
})

it('returns a PDF receipt only to the payer', async () => {
  await billing.buy(person, { planId: 'pro' })
  const [payment] = await payments()
  const url = payment?.receiptUrl as string
  const answer = await test.request('GET', url, person)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await test.request('GET', url, await test.signUp())).statusCode).toBe(404)
  expect((await test.request('GET', url)).statusCode).toBe(401)
  expect((await test.request('GET', '/api/billing/payments/none/receipt.pdf', person)).statusCode).toBe(404)
})

it('records each step of a purchase in an unbroken audit log', async () => {
  const agreement = await billing.buy(person, { planId: 'pro' })
  await billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  const rows = await test.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', agreement.id)
    .orderBy('sequence')
    .execute()
  expect(rows.map((row) => row.action)).toEqual(['agreement.began', 'agreement.activated', 'agreement.canceled'])
  expect(rows.at(-1)?.actor_id).toBe(person.user.id)
  expect(await findAuditBreak(test.db)).toBeNull()
})
