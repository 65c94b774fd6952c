import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Agreement } from '#contracts/billing.ts'
import { ProviderUnavailable } from '#server/kernel/payments.ts'
import { actorOf } from '#tests/support/actors.ts'
import { billingOf } from '#tests/support/billing.ts'
import { Crash, crashAt } from '#tests/support/crash.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { startOwnAccounts } from '#tests/support/own-accounts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { cancelAgreement, resumeAgreement, settleAtProvider } from './change-agreement.ts'

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

const turn = (id: string, what: 'cancellation' | 'resumption', as = person) =>
  test.request('POST', `/api/billing/agreements/${id}/${what}`, as)
const stateThere = async (id: string) => (await billing.provider.fetchSubscription(await billing.subscriptionOf(id)))?.state
const agreements = () => billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
const user = async () => (await test.request('GET', '/api/auth/user', person)).json()

async function runJob(name: 'billing.expire' | 'billing.reconcile' | 'billing.run-test-provider') {
  await billingJobs(test.ctx)[name]({})
  await test.runJobs()
}

it('continues a canceled plan as before, and removes its end date everywhere', async () => {
  const bought = await billing.buy(person, { planId: 'pro' })
  expect(await user()).toMatchObject({ subscriptionTier: 'Pro', subscriptionEndsAt: null })
  await turn(bought.id, 'cancellation')
  expect(await user()).toMatchObject({ subscriptionTier: 'Pro', subscriptionEndsAt: bought.paidUntil })
  expect((await billing.ownStanding(person)).plans).toEqual([{ id: 'pro', name: 'Pro', endsAt: bought.paidUntil }])
  const resumed = await turn(bought.id, 'resumption')
  expect(resumed.json()).toEqual(bought)
  expect((await turn(bought.id, 'resumption')).json()).toEqual(bought)
  expect(await user()).toMatchObject({ subscriptionTier: 'Pro', subscriptionEndsAt: null })
  expect((await billing.ownStanding(person)).plans).toEqual([{ id: 'pro', name: 'Pro', endsAt: null }])
  expect(await stateThere(bought.id)).toBe('active')
  test.clock.set(new Date(new Date(bought.paidUntil as string).getTime() + 60_000))
  await runJob('billing.run-test-provider')
  expect((await agreements())[0]).toMatchObject({ status: 'active', graceUntil: null })
  expect(await billing.call<object[]>(person, 'GET', '/api/billing/payments')).toHaveLength(2)
})

it('shows the later end of a canceled plan if the provider charged before it received the cancellation', async () => {
  const bought = await billing.buy(person, { planId: 'pro' })
  const { pauseSubscription } = billing.provider
  billing.provider.pauseSubscription = () => Promise.reject(new ProviderUnavailable('It is away.'))
  await turn(bought.id, 'cancellation')
  expect(await user()).toMatchObject({ subscriptionEndsAt: bought.paidUntil })
  test.clock.set(bought.paidUntil as string)
  billing.provider.pauseSubscription = pauseSubscription
  await runJob('billing.reconcile')
  const [after] = await agreements()
  expect(after?.status).toBe('canceled')
  expect(Date.parse(after?.paidUntil as string)).toBeGreaterThan(Date.parse(bought.paidUntil as string))
  expect(await user()).toMatchObject({ subscriptionTier: 'Pro', subscriptionEndsAt: after?.paidUntil })
})

it('charges nothing while canceled, and refuses to resume after the end', async () => {
  const bought = await billing.buy(person, { planId: 'vip' })
  await turn(bought.id, 'cancellation')
  test.clock.set(bought.paidUntil as string)
  expect((await turn(bought.id, 'resumption')).statusCode).toBe(409)
  test.clock.advance({ days: 40 })
  await runJob('billing.run-test-provider')
  await runJob('billing.expire')
  expect((await turn(bought.id, 'resumption')).json().message).toMatch(/has ended/)
  expect(await stateThere(bought.id)).toBe('closed')
  expect(await billing.call<object[]>(person, 'GET', '/api/billing/payments')).toHaveLength(1)
})

it('refuses to resume once another plan has replaced it', async () => {
  const old = await billing.buy(person, { planId: 'pro' })
  const next = await billing.buy(person, { planId: 'vip', replaces: old.id })
  const mayResume = async () => (await agreements()).map(({ planId, abilities }) => [planId, abilities.resume])
  expect(await mayResume()).toEqual([
    ['vip', false],
    ['pro', false],
  ])
  expect((await turn(old.id, 'resumption')).json()).toMatchObject({
    code: 'conflict',
    message: 'VIP has replaced it. Cancel that plan first.',
  })
  expect((await agreements()).map(({ status }) => status)).toEqual(['active', 'canceled'])
  const again = { provider: 'test', planId: 'pro', replaces: next.id }
  expect((await test.request('POST', '/api/billing/checkouts', person, again)).json().message).toMatch(
    /^It’s canceled, but paid until .+\. You can buy it again after that day\.$/,
  )
  await turn(next.id, 'cancellation')
  expect(await mayResume()).toEqual([
    ['vip', true],
    ['pro', true],
  ])
})

it('doesn’t offer to resume a subscription to a business that has closed or has blocked the payer', async () => {
  const owner = await test.signUp()
  const shop = await billing.addOwnBusiness(owner, 'Closing Yard')
  await billing.buy(owner, { planId: 'business_tools', businessId: shop.id })
  const offer = { price: '9.00', currency: 'USD', title: 'Club', perks: [] }
  await billing.call(owner, 'PUT', `/api/businesses/${shop.id}/subscription-offer`, offer)
  const bought = await billing.buy(person, { subscribeTo: shop.id })
  await turn(bought.id, 'cancellation')
  const mayResume = async () => (await agreements())[0]?.abilities.resume
  expect(await mayResume()).toBe(true)
  await test.db
    .updateTable('businesses')
    .set({ closure: 'temporary', closed_at: test.clock.now(), closed_by: 'owner' })
    .where('id', '=', shop.id)
    .execute()
  expect(await mayResume()).toBe(false)
  await test.db.updateTable('businesses').set({ closure: null, closed_at: null, closed_by: null }).where('id', '=', shop.id).execute()
  expect(await mayResume()).toBe(true)
  await billing.call(owner, 'PUT', `/api/businesses/${shop.id}/blocked-people/${person.user.id}`)
  expect(await mayResume()).toBe(false)
})

it('restores a subscription that the payer left before it ended', async () => {
  const owner = await test.signUp()
  const shop = await billing.addOwnBusiness(owner, 'Left Yard')
  await billing.buy(owner, { planId: 'business_tools', businessId: shop.id })
  const offer = { price: '9.00', currency: 'USD', title: 'Club', perks: [] }
  await billing.call(owner, 'PUT', `/api/businesses/${shop.id}/subscription-offer`, offer)
  const bought = await billing.buy(person, { subscribeTo: shop.id })
  await turn(bought.id, 'cancellation')
  expect((await test.request('DELETE', `/api/subscriptions/${shop.id}`, person)).json().isSubscribed).toBe(false)
  expect((await turn(bought.id, 'resumption')).statusCode).toBe(200)
  expect((await test.request('GET', `/api/businesses/${shop.id}/status`, person)).json().isSubscribed).toBe(true)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('restores the agreement’s state at the provider when a pause arrives after the resumption', async () => {
  const bought = await billing.buy(person, { planId: 'pro' })
  const actor = actorOf(person.user.id)
  const { pauseSubscription } = billing.provider
  // The payer resumes while the request to pause is on its way to the provider; the pause arrives last.
  billing.provider.pauseSubscription = async (id, reason) => {
    billing.provider.pauseSubscription = pauseSubscription
    await resumeAgreement(test.ctx, actor, bought.id)
    await pauseSubscription(id, reason)
  }
  await cancelAgreement(test.ctx, actor, bought.id)
  await test.runJobs()
  expect(await stateThere(bought.id)).toBe('active')
  expect((await agreements())[0]).toMatchObject({ status: 'active', graceUntil: null })
  await settleAtProvider(test.ctx, bought.id)
  expect(await stateThere(bought.id)).toBe('active')
})

it('resumes fully or not at all, wherever the server is killed and even if its queue is lost', async () => {
  for (let point = 1; ; point++) {
    const payer = await test.signUp()
    const bought = await billing.buy(payer, { planId: 'pro' })
    const actor = actorOf(payer.user.id)
    await cancelAgreement(test.ctx, actor, bought.id)
    await test.runJobs()
    const crashing = crashAt(test.ctx, point)
    const isDone = await resumeAgreement(crashing.ctx, actor, bought.id).then(() => true, isCrash)
    ;(test.ctx.jobs as MemoryJobs & { waiting: unknown[] }).waiting.length = 0
    await test.db.deleteFrom('test_provider_messages').execute()
    await runJob('billing.reconcile')
    const [after] = await billing.call<Agreement[]>(payer, 'GET', '/api/billing/agreements')
    expect([after?.status, await stateThere(bought.id)], `at ${point}`).toEqual(
      after?.status === 'active' ? ['active', 'active'] : ['canceled', 'suspended'],
    )
    expect(after?.graceUntil).toBeNull()
    await resumeAgreement(test.ctx, actor, bought.id)
    expect(await stateThere(bought.id)).toBe('active')
    if (isDone && crashing.steps() < point) break
    await test.db.updateTable('agreements').set({ status: 'ended', closed_at: test.clock.now() }).where('id', '=', bought.id).execute()
  }
}, 60_000)

function isCrash(error: unknown): false {
  let cause: unknown = error
  while (cause instanceof Error && !(cause instanceof Crash)) cause = cause.cause
  if (cause instanceof Crash) return false
  throw error
}

it('suspends and reactivates the subscription at PayPal, because a cancellation there is final', async () => {
  const o = await startOwnAccounts()
  try {
    const yard = await o.newYard('Paused Yard')
    const { person: payer, agreement, subscriptionId } = await o.buy(yard)
    const call = (what: string) => o.test.request('POST', `/api/billing/agreements/${agreement.id}/${what}`, payer)
    expect((await call('cancellation')).json()).toMatchObject({ status: 'canceled', abilities: { resume: true } })
    expect((await call('resumption')).json()).toMatchObject({ status: 'active', abilities: { cancel: true } })
    const asked = o.paypal.requests.filter((each) => each.includes(`${subscriptionId}/`) && !each.endsWith('/transactions'))
    expect(asked).toEqual([
      `POST /v1/billing/subscriptions/${subscriptionId}/suspend`,
      `POST /v1/billing/subscriptions/${subscriptionId}/activate`,
    ])
    await call('cancellation')
    yard.merchant.isDown = true
    expect((await call('resumption')).statusCode).toBe(503)
    yard.merchant.isDown = false
    o.test.clock.advance({ minutes: 2 })
    o.paypal.subscription(subscriptionId).status = 'CANCELLED'
    expect((await call('resumption')).json()).toMatchObject({ code: 'conflict', message: expect.stringContaining('closed it permanently') })
  } finally {
    await o.close()
  }
})
