import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { billingOf } from '#tests/support/billing.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let owner: TestPerson
let person: TestPerson
let from: { id: string; slug: string }
let into: { id: string; slug: string }

beforeAll(async () => {
  test = await startTestApp()
  billing = billingOf(test)
})
afterAll(async () => {
  expect(await findWrongCounters(test.db)).toEqual([])
  expect(await findAuditBreak(test.db)).toBeNull()
  await test.close()
})
beforeEach(async () => {
  owner = await test.signUp()
  person = await test.signUp()
  await billing.stayIn()
  from = await billing.addOwnBusiness(owner, 'Duplicate Yard')
  into = await billing.addOwnBusiness(owner, 'Remaining Yard')
  await grantPlan(test.db, { businessId: from.id, planId: 'business_tools', until: new Date('2060-01-01') })
  const offer = { price: '9.50', currency: 'USD', title: 'T', perks: [] }
  await billing.call(owner, 'PUT', `/api/businesses/${from.id}/subscription-offer`, offer)
})

/** Calls `start` while a merge has moved everything but hasn't committed, and lets both finish. */
async function duringMerge<Answer>(start: () => Promise<Answer>): Promise<Answer> {
  const { merge, call } = await test.db.transaction().execute(async (tx) => {
    // The audit log is the last step of a merge.
    await sql`select from audit_head for update`.execute(tx)
    const merge = test.request('POST', `/api/businesses/${from.slug}/merge`, owner, { into: into.slug })
    await waitsFor('audit_head')
    const call = start()
    await waitsFor('businesses')
    return { merge, call }
  })
  const merged = await merge
  expect(merged.statusCode, merged.body).toBe(200)
  return call
}

const waitsFor = (table: string) => untilWaiting(test.db, { statement: `from "${table}"%for %update` })

const isSubscribed = async () => (await test.request('GET', `/api/businesses/${into.id}/status`, person)).json().isSubscribed

it('ends a subscription whose business is merged at the same moment', async () => {
  const bought = await billing.buy(person, { subscribeTo: from.id })
  await billing.call(person, 'POST', `/api/billing/agreements/${bought.id}/cancellation`)
  test.clock.set(bought.paidUntil as string)
  await duringMerge(() => billingJobs(test.ctx)['billing.expire']({}))
  const agreement = await test.db.selectFrom('agreements').selectAll().where('id', '=', bought.id).executeTakeFirstOrThrow()
  expect(agreement).toMatchObject({ status: 'ended', subscribe_to: into.id })
  expect(await isSubscribed()).toBe(false)
})

it('starts a subscription whose business is merged while the payment is approved', async () => {
  const checkout = await billing.begin(person, { subscribeTo: from.id })
  const subscriptionID = await billing.approveThere(person, checkout.id)
  const answer = await duringMerge(() => test.request('POST', `/api/billing/checkouts/${checkout.id}/approval`, person, { subscriptionID }))
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toMatchObject({ status: 'active', business: { id: into.id } })
  expect(await isSubscribed()).toBe(true)
})

const merge = async () => {
  const merged = await test.request('POST', `/api/businesses/${from.slug}/merge`, owner, { into: into.slug })
  expect(merged.statusCode, merged.body).toBe(200)
}
const close = ({ slug }: { slug: string }) => billing.call(owner, 'PUT', `/api/businesses/${slug}/closure`, { kind: 'permanent' })
const agreementOf = (id: string) =>
  test.db.selectFrom('agreements').select(['subscribe_to', 'canceled_at']).where('id', '=', id).executeTakeFirstOrThrow()

it('stops charging a person who blocked the business right before the merge', async () => {
  const bought = await billing.buy(person, { subscribeTo: from.id })
  expect((await test.request('PUT', `/api/businesses/${from.id}/block`, person)).statusCode).toBeLessThan(300)
  await merge()
  await test.runJobs()
  expect(await agreementOf(bought.id)).toEqual({ subscribe_to: into.id, canceled_at: expect.any(Date) })
})

it('stops charging subscribers of a business that closed right before the merge only if the remaining one is closed, too', async () => {
  const bought = await billing.buy(person, { subscribeTo: from.id })
  await merge()
  const endSubscriptions = () => billingJobs(test.ctx)['billing.end-subscriptions']({ businessId: from.id })
  await endSubscriptions()
  expect(await agreementOf(bought.id)).toEqual({ subscribe_to: into.id, canceled_at: null })
  await close(into)
  await endSubscriptions()
  expect(await agreementOf(bought.id)).toEqual({ subscribe_to: into.id, canceled_at: expect.any(Date) })
})

it('stops charging subscribers of a business that is merged into one that closed for good', async () => {
  const bought = await billing.buy(person, { subscribeTo: from.id })
  await close(into)
  await test.runJobs()
  await merge()
  await test.runJobs()
  expect(await agreementOf(bought.id)).toEqual({ subscribe_to: into.id, canceled_at: expect.any(Date) })
})
