import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Agreement, Payment } from '#contracts/billing.ts'
import { billingOf } from '#tests/support/billing.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let moderation: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let person: TestPerson
let plan: Agreement

beforeAll(async () => {
  test = await startTestApp()
  billing = billingOf(test)
  moderation = moderationCalls(test)
  moderator = await moderation.moderator()
})
afterAll(() => test?.close())
beforeEach(async () => {
  person = await test.signUp()
  plan = await billing.buy(person, { planId: 'vip' })
})

const request = (method: 'GET' | 'POST', rest: string) => test.request(method, `/api/billing/${rest}`, person)
const own = async () => ((await request('GET', 'agreements')).json() as Agreement[])[0]
const stateThere = async () => (await billing.provider.fetchSubscription(await billing.subscriptionOf(plan.id)))?.state
const cancellation = async () => (await mailsTo(test, person.email)).find(({ subject }) => subject.includes('your cancellation'))?.text
const change = (set: { suspended_until?: Date; banned_at?: Date }) =>
  test.db.updateTable('users').set(set).where('id', '=', person.user.id).execute()
async function ban(): Promise<string> {
  const about = await moderation.reported('post', await addPost(test.db, { author_id: person.user.id }))
  const [decision] = await moderation.decided(moderator, about, decisionWith({ action: 'ban' }))
  return decision?.id as string
}

describe('a suspended person', () => {
  beforeEach(async () => {
    await change({ suspended_until: new Date(test.clock.now().getTime() + 3 * 86_400_000) })
  })

  it('can still cancel purchases and read receipts', async () => {
    const [payment] = (await request('GET', 'payments')).json() as Payment[]
    expect((await test.request('GET', payment?.receiptUrl as string, person)).headers['content-type']).toBe('application/pdf')
    expect((await request('POST', `agreements/${plan.id}/cancellation`)).json()).toMatchObject({ id: plan.id, status: 'canceled' })
    expect(await stateThere()).toBe('suspended')
  })

  it('is offered nothing that isn’t allowed until the suspension ends', async () => {
    expect((await own())?.abilities).toEqual({ cancel: true, change: false, resume: false, assign: false })
    await request('POST', `agreements/${plan.id}/cancellation`)
    expect((await own())?.abilities).toEqual({ cancel: false, change: false, resume: false, assign: false })
    expect(await cancellation()).not.toContain('resume')
    expect((await request('POST', `agreements/${plan.id}/resumption`)).json().code).toBe('suspended')
    test.clock.advance({ days: 4 })
    expect((await own())?.abilities.resume).toBe(true)
  })

  it('can’t act for a business', async () => {
    await change({ suspended_until: new Date(0) })
    const yard = await billing.addOwnBusiness(person, 'Quiet Yard')
    const ofYard = await billing.buy(await test.signUp(), { planId: 'business_tools' })
    await test.db.updateTable('agreements').set({ business_id: yard.id }).where('id', '=', ofYard.id).execute()
    const answers = async () => [
      (await request('GET', `agreements?business=${yard.id}`)).statusCode,
      (await request('GET', `payments?business=${yard.id}`)).statusCode,
      (await request('POST', `agreements/${ofYard.id}/cancellation`)).statusCode,
    ]
    await change({ suspended_until: new Date('2060-01-01') })
    expect(await answers()).toEqual([403, 403, 404])
    await change({ suspended_until: new Date(0) })
    expect(await answers()).toEqual([200, 200, 200])
  })
})

describe('a ban', () => {
  it('ends the charges, and lets the person resume once it’s undone', async () => {
    const action = await ban()
    await test.runJobs()
    expect(await own()).toMatchObject({ status: 'canceled', paidUntil: plan.paidUntil, abilities: { resume: false } })
    expect(await stateThere()).toBe('suspended')
    expect(await cancellation()).toContain('You won’t be charged again')
    expect(await cancellation()).not.toContain('resume')
    await moderation.undo(moderator, action)
    expect((await own())?.abilities.resume).toBe(true)
    expect((await request('POST', `agreements/${plan.id}/resumption`)).json()).toMatchObject({ status: 'active' })
    expect(await stateThere()).toBe('active')
  })

  it('ends no charges if it’s undone before the job runs', async () => {
    const action = await ban()
    await moderation.undo(moderator, action)
    await test.runJobs()
    expect((await own())?.status).toBe('active')
  })

  it('ends the charges in the next nightly comparison if the job was lost or the ban predates the upgrade', async () => {
    await change({ banned_at: test.clock.now() })
    await billingJobs(test.ctx)['billing.reconcile']({})
    await test.runJobs()
    expect((await own())?.status).toBe('canceled')
    expect(await stateThere()).toBe('suspended')
  })
})
