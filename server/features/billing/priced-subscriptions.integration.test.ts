import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agreement, SubscriptionReport } from '#contracts/billing.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { moderatedBusiness } from '#server/features/businesses/business.moderated.ts'
import type { ModerationState } from '#server/kernel/moderated-subject.ts'
import { billingOf } from '#tests/support/billing.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { monthsOf } from './offers.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let owner: TestPerson
let business: { id: string; slug: string }
let plan: string

beforeAll(async () => {
  test = await startTestApp()
  billing = billingOf(test)
  owner = await test.signUp()
  business = await billing.addOwnBusiness(owner, 'Priced Yard')
  plan = await grantPlan(test.db, { businessId: business.id, planId: 'business_tools', until: new Date(Date.now() + 1500 * 86_400_000) })
})
afterAll(() => test?.close())

const runJob = async (name: 'billing.expire' | 'billing.reconcile' | 'billing.run-test-provider') => {
  await billingJobs(test.ctx)[name]({})
  await test.runJobs()
}
const newPerson = async () => {
  const person = await test.signUp()
  await billing.stayIn()
  return person
}
const subscribe = (as: TestPerson) => test.request('POST', '/api/subscriptions', as, { businessId: business.id })
const unsubscribe = (as: TestPerson) => test.request('DELETE', `/api/subscriptions/${business.id}`, as)
const statusOf = async (as: TestPerson) => (await test.request('GET', `/api/businesses/${business.id}/status`, as)).json()
const setPrice = (price: string | null, as = owner) =>
  test.request('PUT', `/api/businesses/${business.id}/subscription-offer`, as, {
    price,
    currency: 'USD',
    title: 'Inner circle',
    perks: ['Early drops'],
  })
const report = () => billing.call<SubscriptionReport>(owner, 'GET', `/api/businesses/${business.id}/subscription-report`)

it('requires the entitlement to set a price, limits the price, and shows it publicly', async () => {
  const poor = await newPerson()
  const other = await billing.addOwnBusiness(poor, 'Poor Yard')
  const refused = await test.request('PUT', `/api/businesses/${other.id}/subscription-offer`, poor, {
    price: '5',
    currency: 'USD',
    title: 'T',
    perks: [],
  })
  expect(refused.statusCode).toBe(409)
  expect(refused.json().code).toBe('plan_limit')
  const tooLow = await setPrice('0.99')
  expect(tooLow.statusCode).toBe(400)
  expect(tooLow.json().fields.price).toBe('A price must be between $1 and $1,000. Leave it empty to make subscribing free.')
  expect((await setPrice('1000.01')).statusCode).toBe(400)
  expect((await setPrice('9.5')).json()).toMatchObject({ price: '9.50', currency: 'USD', title: 'Inner circle', perks: ['Early drops'] })
  expect((await test.request('GET', `/api/businesses/${business.slug}/subscription-offer`)).json().price).toBe('9.50')
})

it('begins a checkout only at the price that the person was shown', async () => {
  await setPrice('9.50')
  const person = await newPerson()
  const begin = (amount: string, currency = 'USD') =>
    test.request('POST', '/api/billing/checkouts', person, { provider: 'test', subscribeTo: business.id, price: { amount, currency } })
  await setPrice('12')
  const refused = await begin('9.50')
  expect(refused.statusCode).toBe(409)
  expect(refused.json().message).toBe('The price is now $12 per month. Nothing was bought.')
  expect((await begin('12', 'CAD')).statusCode).toBe(409)
  expect((await begin('12')).json()).toMatchObject({ price: { amount: '12.00', currency: 'USD' } })
})

it('leaves existing subscriptions free and charges new ones', async () => {
  await setPrice(null)
  const early = await newPerson()
  expect((await subscribe(early)).statusCode).toBe(200)
  await setPrice('9.50')
  expect((await subscribe(early)).statusCode).toBe(200)
  expect((await test.request('POST', '/api/billing/checkouts', early, { provider: 'test', subscribeTo: business.id })).statusCode).toBe(409)
  const late = await newPerson()
  const refused = await subscribe(late)
  expect(refused.statusCode).toBe(402)
  expect(refused.json().code).toBe('payment_required')
  const agreement = await billing.buy(late, { subscribeTo: business.id })
  expect(agreement).toMatchObject({
    isSubscription: true,
    status: 'active',
    price: { amount: '9.50', currency: 'USD' },
    title: 'Subscription to Priced Yard',
  })
  expect(await statusOf(late)).toMatchObject({ isSubscribed: true, isFollowing: true })
  expect((await test.request('GET', `/api/businesses/${business.id}`)).json().subscriberCount).toBe(2)
  // A new price applies only to later subscribers.
  await setPrice('20')
  test.clock.advance({ days: 31 })
  await runJob('billing.run-test-provider')
  const payments = await billing.call<{ money: { amount: string } }[]>(late, 'GET', '/api/billing/payments')
  expect(payments.map(({ money }) => money.amount)).toEqual(['9.50', '9.50'])
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('ends a subscription after the paid period or the grace period when payments end', async () => {
  const [leaves, fails] = [await newPerson(), await newPerson()]
  const agreement = await billing.buy(leaves, { subscribeTo: business.id })
  const failing = await billing.buy(fails, { subscribeTo: business.id })
  expect((await unsubscribe(leaves)).statusCode).toBe(409)
  const canceled = await billing.call<Agreement>(leaves, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  expect(canceled.status).toBe('canceled')
  expect((await statusOf(leaves)).isSubscribed).toBe(true)
  await billing.provider.refusePayments(await billing.subscriptionOf(failing.id), true)
  test.clock.set(new Date(new Date(agreement.paidUntil as string).getTime() + 60_000))
  await runJob('billing.run-test-provider')
  await runJob('billing.expire')
  expect((await statusOf(leaves)).isSubscribed).toBe(false)
  expect((await statusOf(leaves)).isFollowing).toBe(false)
  expect((await statusOf(fails)).isSubscribed).toBe(true)
  test.clock.advance({ days: 31 })
  await runJob('billing.expire')
  expect((await statusOf(fails)).isSubscribed).toBe(false)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('lets a canceled subscriber leave and rejoin within the paid period', async () => {
  const person = await newPerson()
  const agreement = await billing.buy(person, { subscribeTo: business.id })
  await billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  expect((await unsubscribe(person)).json().isSubscribed).toBe(false)
  expect((await subscribe(person)).statusCode).toBe(200)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('sells a subscription again once the paid period has ended, before the hourly job ends the old one', async () => {
  await setPrice('9.50')
  const person = await newPerson()
  const agreement = await billing.buy(person, { subscribeTo: business.id })
  const checkout = () => test.request('POST', '/api/billing/checkouts', person, { provider: 'test', subscribeTo: business.id })
  await billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  expect((await checkout()).json().message).toContain('You can resume it under Billing.')
  test.clock.set(agreement.paidUntil as string)
  expect((await checkout()).statusCode).toBe(201)
  const again = await billing.buy(person, { subscribeTo: business.id })
  await runJob('billing.expire')
  const own = await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
  expect(own.map(({ id, status }) => [id, status])).toEqual([
    [again.id, 'active'],
    [agreement.id, 'ended'],
  ])
  expect((await statusOf(person)).isSubscribed).toBe(true)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('ends the payments when the subscriber blocks the business', async () => {
  const person = await newPerson()
  const agreement = await billing.buy(person, { subscribeTo: business.id })
  expect((await test.request('PUT', `/api/businesses/${business.id}/block`, person)).statusCode).toBe(200)
  await test.runJobs()
  const [after] = await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
  expect(after?.status).toBe('canceled')
  expect((await billing.provider.fetchSubscription(await billing.subscriptionOf(agreement.id)))?.state).toBe('suspended')
  expect((await test.request('POST', `/api/billing/agreements/${agreement.id}/resumption`, person)).statusCode).toBe(409)
  expect(await statusOf(person)).toMatchObject({ isSubscribed: false, isFollowing: false, isBlocked: true })
  expect((await test.request('POST', '/api/billing/checkouts', person, { provider: 'test', subscribeTo: business.id })).statusCode).toBe(
    409,
  )
  // Blocked between checkout and payment: no one is subscribed against their will.
  const quick = await newPerson()
  const checkout = await billing.begin(quick, { subscribeTo: business.id })
  const subscriptionID = await billing.approveThere(quick, checkout.id)
  await test.request('PUT', `/api/businesses/${business.id}/block`, quick)
  await billing.approveHere(quick, checkout.id, subscriptionID)
  await test.runJobs()
  expect((await statusOf(quick)).isSubscribed).toBe(false)
  expect((await billing.provider.fetchSubscription(subscriptionID))?.state).toBe('suspended')
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('keeps existing paid subscriptions but allows no new ones when the plan lapses', async () => {
  const person = await newPerson()
  await billing.buy(person, { subscribeTo: business.id })
  const { entitled_until } = await test.db
    .selectFrom('agreements')
    .select('entitled_until')
    .where('id', '=', plan)
    .executeTakeFirstOrThrow()
  await test.db.updateTable('agreements').set({ entitled_until: test.clock.now() }).where('id', '=', plan).execute()
  const late = await newPerson()
  expect((await test.request('POST', '/api/billing/checkouts', late, { provider: 'test', subscribeTo: business.id })).statusCode).toBe(409)
  // No one is sent to buy something that isn't for sale.
  const lapsed = await subscribe(late)
  expect([lapsed.statusCode, lapsed.json().message]).toEqual([
    409,
    'This business isn’t taking new subscriptions right now. You can follow it for free.',
  ])
  expect((await setPrice('5')).statusCode).toBe(409)
  expect((await setPrice(null)).statusCode).toBe(200)
  await setPrice('20')
  test.clock.advance({ days: 31 })
  await runJob('billing.run-test-provider')
  await runJob('billing.expire')
  expect((await statusOf(person)).isSubscribed).toBe(true)
  await test.db.updateTable('agreements').set({ entitled_until }).where('id', '=', plan).execute()
  await setPrice('20')
})

it('stops all payments to a deleted business', async () => {
  const person = await newPerson()
  const gone = await billing.addOwnBusiness(await newPerson(), 'Gone Yard')
  await grantPlan(test.db, { businessId: gone.id, planId: 'business_tools', until: new Date(test.clock.now().getTime() + 1e10) })
  await test.db
    .insertInto('subscription_offers')
    .values({ business_id: gone.id, price_cents: 500, title: 'T', updated_at: test.clock.now() })
    .execute()
  const agreement = await billing.buy(person, { subscribeTo: gone.id })
  await test.db.deleteFrom('businesses').where('id', '=', gone.id).execute()
  await runJob('billing.reconcile')
  const [after] = await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
  expect(after).toMatchObject({ id: agreement.id, status: 'canceled', isSubscription: true })
  expect((await billing.provider.fetchSubscription(await billing.subscriptionOf(agreement.id)))?.state).toBe('closed')
})

it('reports how many subscriptions started and ended and their revenue, without names', async () => {
  const { subscriberCount, payingCount, monthlyRevenue, revenueShare, months } = await report()
  const business_ = (await test.request('GET', `/api/businesses/${business.id}`)).json()
  expect(subscriberCount).toBe(business_.subscriberCount)
  expect(payingCount).toBeGreaterThan(0)
  expect(revenueShare).toBe(100)
  expect(monthlyRevenue.currency).toBe('USD')
  expect(months).toHaveLength(12)
  expect(months.at(-1)).toMatchObject({ month: test.clock.now().toISOString().slice(0, 7), subscribers: subscriberCount })
  const rows = await test.db
    .selectFrom('payments')
    .innerJoin('agreements', 'agreements.id', 'agreement_id')
    .select((eb) => eb.fn.sum<number>('payments.amount_cents').as('cents'))
    .where('subscribe_to', '=', business.id)
    .where('payments.status', '=', 'paid')
    .executeTakeFirstOrThrow()
  expect(months.reduce((sum, { revenue }) => sum + Math.round(Number(revenue) * 100), 0)).toBe(Number(rows.cents))
})

it('starts each month of the report with the subscriber count from the end of the previous month', () => {
  const counts = fc.array(fc.record({ began: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    minLength: 12,
    maxLength: 12,
  })
  fc.assert(
    fc.property(fc.nat(1000), counts, (before, all) => {
      const first = new Date('2025-12-01T00:00:00Z')
      let there = before
      const expected = all.map(({ began, share }, i) => {
        const atBeginning = there
        const ended = Math.floor((atBeginning + began) * share)
        there = atBeginning + began - ended
        const month = new Date(Date.UTC(2025, 11 + i, 1)).toISOString().slice(0, 7)
        return { month, began, ended, subscribers: there, atBeginning }
      })
      const changes = new Map(expected.map(({ month, began, ended }) => [month, { began, ended }]))
      const months = monthsOf(first, there, changes, new Map([['2026-01', 12_345]]))
      expect(months.map(({ month, began, ended, subscribers }) => ({ month, began, ended, subscribers }))).toEqual(
        expected.map(({ atBeginning: _, ...rest }) => rest),
      )
      months.forEach(({ churn }, i) => {
        const { atBeginning, began, ended } = expected[i] as (typeof expected)[number]
        if (atBeginning + began === 0) expect(churn).toBeNull()
        else expect(churn).toBeCloseTo((ended / (atBeginning + began)) * 100, 0)
      })
      expect(months[1]?.revenue).toBe('123.45')
    }),
  )
})

it('bases a month’s churn on everyone who was subscribed during it, including new subscribers', () => {
  const first = new Date('2025-12-01T00:00:00Z')
  const changes = new Map([
    ['2025-12', { began: 10, ended: 0 }],
    ['2026-01', { began: 30, ended: 20 }],
  ])
  expect(monthsOf(first, 20, changes, new Map()).map(({ churn }) => churn)).toEqual([0, 50, ...Array(10).fill(0)])
})

it('cancels subscribers’ payments when the business closes for good, but not when it closes temporarily', async () => {
  const seller = await newPerson()
  const yard = await billing.addOwnBusiness(seller, 'Closing Yard')
  await grantPlan(test.db, { businessId: yard.id, planId: 'business_tools', until: new Date(test.clock.now().getTime() + 90 * 86_400_000) })
  const offer = { price: '9.50', currency: 'USD', title: 'T', perks: [] }
  expect((await test.request('PUT', `/api/businesses/${yard.id}/subscription-offer`, seller, offer)).statusCode).toBe(200)
  const person = await newPerson()
  const agreement = await billing.buy(person, { subscribeTo: yard.id })
  const close = (kind: string) => test.request('PUT', `/api/businesses/${yard.id}/closure`, seller, { kind })
  const own = async () => (await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')).find(({ id }) => id === agreement.id)
  const mails = async () => (await mailsTo(test, person.email)).filter(({ subject }) => /cancel/i.test(subject))
  expect((await close('temporary')).statusCode).toBe(200)
  await test.runJobs()
  expect((await own())?.status).toBe('active')
  await close('permanent')
  await test.runJobs()
  expect((await own())?.status).toBe('canceled')
  expect((await test.request('GET', `/api/businesses/${yard.id}/status`, person)).json().isSubscribed).toBe(true)
  expect(await mails()).toHaveLength(1)
  expect((await test.request('POST', `/api/billing/agreements/${agreement.id}/resumption`, person)).statusCode).toBe(409)
  const late = await newPerson()
  expect((await test.request('POST', '/api/billing/checkouts', late, { provider: 'test', subscribeTo: yard.id })).statusCode).toBe(409)
  await test.request('DELETE', `/api/businesses/${yard.id}/closure`, seller)
  expect((await test.request('POST', `/api/billing/agreements/${agreement.id}/resumption`, person)).statusCode).toBe(200)
})

it('neither sells nor charges subscriptions to a business that moderators have hidden or removed', async () => {
  const seller = await newPerson()
  const yard = await billing.addOwnBusiness(seller, 'Moderated Yard')
  await grantPlan(test.db, { businessId: yard.id, planId: 'business_tools', until: new Date(test.clock.now().getTime() + 90 * 86_400_000) })
  const offer = { price: '9.50', currency: 'USD', title: 'T', perks: [] }
  await billing.call(seller, 'PUT', `/api/businesses/${yard.id}/subscription-offer`, offer)
  const [person, late] = [await newPerson(), await newPerson()]
  const agreement = await billing.buy(person, { subscribeTo: yard.id })
  const checkout = await billing.begin(late, { subscribeTo: yard.id })
  const subscriptionID = await billing.approveThere(late, checkout.id)
  const moderate = async (state: ModerationState | null) => {
    await inTransaction(test.db, (tx) => moderatedBusiness.set(tx, test.ctx, yard.id, state))
    await test.runJobs()
  }
  const own = async (as: TestPerson) => (await billing.call<Agreement[]>(as, 'GET', '/api/billing/agreements'))[0]
  const resume = () => test.request('POST', `/api/billing/agreements/${agreement.id}/resumption`, person)
  const cancellations = async () => (await mailsTo(test, person.email)).filter(({ subject }) => /cancel/i.test(subject))
  for (const [i, state] of (['hidden', 'removed'] as const).entries()) {
    await moderate(state)
    expect(await own(person), state).toMatchObject({ status: 'canceled', abilities: { resume: false } })
    expect(await cancellations()).toHaveLength(i + 1)
    expect((await cancellations())[0]?.text).not.toContain('resume')
    expect((await resume()).statusCode).toBe(409)
    for (const buyer of [await newPerson(), seller]) {
      const refused = await test.request('POST', '/api/billing/checkouts', buyer, { provider: 'test', subscribeTo: yard.id })
      expect(refused.statusCode, state).toBe(404)
    }
    if (i === 0) {
      // A payment approved before is accepted, but not repeated.
      await billing.approveHere(late, checkout.id, subscriptionID)
      await test.runJobs()
      expect((await own(late))?.status).toBe('canceled')
    }
    await moderate(null)
    expect((await own(person))?.status).toBe('canceled')
    expect((await resume()).statusCode).toBe(200)
  }
  // The nightly comparison cancels what was sold or charged before an upgrade.
  await test.db.updateTable('businesses').set({ moderation: 'removed' }).where('id', '=', yard.id).execute()
  await runJob('billing.reconcile')
  expect((await own(person))?.status).toBe('canceled')
})

it('cancels a subscription paid after the business closed for good, and keeps its paid period', async () => {
  const seller = await newPerson()
  const yard = await billing.addOwnBusiness(seller, 'Closed Yard')
  await grantPlan(test.db, { businessId: yard.id, planId: 'business_tools', until: new Date(test.clock.now().getTime() + 90 * 86_400_000) })
  const offer = { price: '9.50', currency: 'USD', title: 'T', perks: [] }
  await billing.call(seller, 'PUT', `/api/businesses/${yard.id}/subscription-offer`, offer)
  const person = await newPerson()
  const checkout = await billing.begin(person, { subscribeTo: yard.id })
  const subscriptionID = await billing.approveThere(person, checkout.id)
  await billing.call(seller, 'PUT', `/api/businesses/${yard.id}/closure`, { kind: 'permanent' })
  await test.runJobs()
  await billing.approveHere(person, checkout.id, subscriptionID)
  await test.runJobs()
  const [agreement] = await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
  expect(agreement?.status).toBe('canceled')
  expect((await test.request('GET', `/api/businesses/${yard.id}/status`, person)).json().isSubscribed).toBe(true)
  expect((await billing.provider.fetchSubscription(subscriptionID))?.state).toBe('suspended')
})
