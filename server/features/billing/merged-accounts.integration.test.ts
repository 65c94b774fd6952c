import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
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
