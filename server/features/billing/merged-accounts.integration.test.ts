import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grantPlan } from '#tests/support/entitlements.ts'
import { type OwnAccounts, type PayPalBusiness, startOwnAccounts } from '#tests/support/own-accounts.ts'
import type { TestPerson } from '#tests/support/test-app.ts'

type Yard = { owner: TestPerson; id: string; slug: string }

let o: OwnAccounts
let from: PayPalBusiness
let into: Yard

beforeAll(async () => {
  o = await startOwnAccounts()
})
afterAll(() => o?.close())
beforeEach(async () => {
  from = await o.newYard('Duplicate Yard')
  into = { owner: from.owner, ...(await o.billing.addOwnBusiness(from.owner, 'Remaining Yard')) }
})

const merge = () => o.test.request('POST', `/api/businesses/${from.slug}/merge`, from.owner, { into: into.slug })
const merged = async () => {
  const answer = await merge()
  expect(answer.statusCode, answer.body).toBe(200)
}

it('continues to use the account of a merged business', async () => {
  const { person, agreement } = await o.buy(from)
  await merged()
  await o.runJob('billing.check-accounts')
  expect((await o.accounts(into)).paypal).toMatchObject({ state: 'working', payingCount: 1 })
  expect((await o.offerOf(into.id)).providers).toMatchObject([{ clientId: from.merchant.clientId, isAvailable: true }])
  await o.billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
  expect(await o.buy(into)).toMatchObject({ agreement: { status: 'active' } })
})

it('lets the owner edit the invoice instructions if both businesses once had their own', async () => {
  await grantPlan(o.test.db, { businessId: into.id, planId: 'business_tools' })
  const write = (yard: Yard, instructions: string) =>
    o.test.request('PUT', `${o.accountsUrl(yard.id)}/invoice`, yard.owner, { instructions, password: yard.owner.password })
  expect((await write(into, 'Bank A')).statusCode).toBe(200)
  expect((await o.test.request('DELETE', `${o.accountsUrl(into.id)}/invoice`, into.owner)).statusCode).toBe(200)
  await o.test.db.deleteFrom('agreements').where('business_id', '=', into.id).execute()
  expect((await write(from, 'Bank B')).statusCode).toBe(200)
  await merged()
  const edited = await write(into, 'Bank C')
  expect(edited.statusCode, edited.body).toBe(200)
  expect((await o.accounts(into)).invoice).toMatchObject({ instructions: 'Bank C' })
})

describe('a merge of two businesses that used the same PayPal app', () => {
  const remove = async (yard: Yard) =>
    expect((await o.test.request('DELETE', `${o.accountsUrl(yard.id)}/paypal`, yard.owner)).statusCode).toBe(200)

  beforeEach(async () => {
    const plan = await grantPlan(o.test.db, { businessId: into.id, planId: 'business_tools' })
    expect((await o.connect(into, from.merchant)).statusCode).toBe(200)
    await o.test.db.deleteFrom('agreements').where('id', '=', plan).execute()
  })

  it('is refused until the merged business disconnects it, and its subscribers keep paying', async () => {
    const { person, agreement } = await o.buy(from)
    expect((await merge()).json().message).toContain('First disconnect the account of Duplicate Yard.')
    await remove(from)
    await merged()
    await o.runJob('billing.check-accounts')
    expect((await o.accounts(into)).paypal).toMatchObject({ state: 'working' })
    await o.billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
    expect(await o.ownAgreements(person)).toMatchObject([{ id: agreement.id, business: { id: into.id } }])
  })

  it('succeeds if both disconnected it', async () => {
    await remove(from)
    await remove(into)
    await merged()
  })

  it('is refused while only the merged business uses it, because its income would stop', async () => {
    await remove(into)
    const refused = await merge()
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'Remaining Yard used the payment account of Duplicate Yard before. Disconnect it from Duplicate Yard first, and connect it to Remaining Yard again after the merge.',
    ])
    await remove(from)
    await merged()
  })
})
