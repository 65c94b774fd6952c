import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Checkout } from '#contracts/billing.ts'
import type { Claim } from '#contracts/claims.ts'
import { deletionPhrase } from '#contracts/limits.ts'
import { eraseSteps } from '#server/app/registries.ts'
import { up as abandonFormerAccounts } from '#server/db/migrations/20261130T0900-abandon-accounts-of-former-teams.ts'
import { up as removeFormerSetups } from '#server/db/migrations/20261130T0910-remove-what-former-teams-set-up.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { ownDataJobs } from '#server/features/own-data/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { documentWithSecrets } from '#tests/support/documents.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { type OwnAccounts, type PayPalBusiness, startOwnAccounts } from '#tests/support/own-accounts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { joinBusiness } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let o: OwnAccounts
let moderator: TestPerson

beforeAll(async () => {
  o = await startOwnAccounts()
  Object.assign(o.test.ctx.outside, { check: async () => {}, call: async () => Promise.reject(new Error('No network.')) })
  moderator = await o.test.signUp()
  await giveRole(o.test, moderator, 'moderator')
})
afterAll(async () => {
  expect(await findAuditBreak(o.test.db)).toBeNull()
  await o?.close()
})

const call = async (method: 'GET' | 'POST' | 'PUT', url: string, as: TestPerson, payload?: object) => {
  const answer = await o.test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body === '' ? null : answer.json()
}
const howToPay = ({ password }: TestPerson) => ({ instructions: 'Bank of Olga, account 123.', password })
const leave = ({ owner }: { owner: TestPerson }) =>
  call('POST', '/api/user/deletion', owner, { password: owner.password, confirmation: deletionPhrase, givesUpBusinesses: true })

/** Advances the clock and runs the account deletion that was requested. */
async function eraseLeaving(): Promise<void> {
  o.test.clock.advance({ days: 15 })
  await o.billing.stayIn()
  await o.test.db
    .updateTable('account_deletions')
    .set({ reminded_at: new Date(0) })
    .execute()
  await ownDataJobs(o.test.ctx, eraseSteps)['own-data.sweep']({})
  await o.test.runJobs()
}
async function claim(yard: { id: string }): Promise<TestPerson> {
  const claimant = await o.test.signUp()
  await o.billing.stayIn()
  const { id } = (await call('POST', '/api/claims', claimant, { businessId: yard.id, method: 'review', statement: 'I run it.' })) as Claim
  await call('POST', `/api/claims/${id}/approve`, moderator)
  await o.test.runJobs()
  return claimant
}
const begin = (yard: { id: string }, as: TestPerson) =>
  o.test.request('POST', '/api/billing/checkouts', as, { provider: 'paypal', subscribeTo: yard.id })
const accountsOf = (yard: { id: string }) =>
  o.test.db.selectFrom('business_payment_accounts').selectAll().where('business_id', '=', yard.id).orderBy('provider').execute()

describe('what a former team set up', () => {
  /** A business with a license document, an invoice account, a webhook and a menu address, as its first owner left it. */
  async function newShop(name: string) {
    const yard = await o.newYard(name)
    await call('PUT', `${o.accountsUrl(yard.id)}/invoice`, yard.owner, howToPay(yard.owner))
    const documentId = (await uploadsOf(o.test).upload(yard.owner, await documentWithSecrets(), 'application/pdf')).id
    const stated = { licenseNumber: `FAKE-${name}`, state: 'CO', licenseName: name, businessType: 'dispensary', documentId }
    const { id } = await call('POST', `/api/businesses/${yard.id}/verification`, yard.owner, stated)
    const secret = { url: 'https://pos.example.com/menu.csv', auth: 'basic', authName: 'olga', secret: 'her password', schedule: 'manual' }
    await call('PUT', `/api/businesses/${yard.id}/menu-source`, yard.owner, secret)
    await call('POST', `/api/businesses/${yard.id}/webhooks`, yard.owner, {
      url: 'https://olga.example.com/hook',
      events: ['review.created'],
    })
    return { ...yard, documentId, requestId: id as string, source: secret }
  }
  async function expectHidden(shop: Awaited<ReturnType<typeof newShop>>, next: TestPerson) {
    await grantPlan(o.test.db, { businessId: shop.id, planId: 'business_tools', until: new Date('2060-01-01') })
    const at = (rest: string) => `/api/businesses/${shop.id}/${rest}`
    expect(await call('GET', at('verification'), next)).toMatchObject({ pending: null, history: [{ status: 'withdrawn', document: null }] })
    expect((await o.test.request('GET', `/media/${shop.documentId}/document.pdf`, next)).statusCode).toBe(404)
    expect((await o.test.request('POST', `/api/verifications/${shop.requestId}/approve`, moderator)).statusCode).toBe(409)
    expect((await o.test.request('GET', at('payment-accounts'), next)).body).not.toContain('Olga')
    expect(await call('GET', at('webhooks'), next)).toEqual([])
    expect(await call('GET', at('menu-source'), next)).toEqual({ source: null })
    const again = await o.test.request('PUT', at('menu-source'), next, { ...shop.source, secret: '' })
    expect(again.json().fields).toEqual({ secret: 'Enter the password' })
  }

  it('isn’t passed on to the next owner after the business was given up', async () => {
    const shop = await newShop('Pine Farm')
    await leave(shop)
    await eraseLeaving()
    const { rows } = await sql`select id from media where id = ${shop.documentId}::uuid`.execute(o.test.db)
    expect(rows).toEqual([])
    await expectHidden(shop, await claim(shop))
  })

  it('isn’t passed on to the winner of a dispute', async () => {
    const shop = await newShop('Fir Farm')
    await expectHidden(shop, await claim(shop))
  })

  it('is removed by the upgrade if the team was already gone', async () => {
    const [given, next] = [await newShop('Oak Farm'), await o.test.signUp()]
    const kept = await newShop('Ash Farm')
    await o.test.db.deleteFrom('business_members').where('business_id', '=', given.id).execute()
    await abandonFormerAccounts(o.test.db as unknown as Kysely<unknown>)
    await removeFormerSetups(o.test.db as unknown as Kysely<unknown>)
    await joinBusiness(o.test.db, next.user.id, given.id)
    await expectHidden(given, next)
    expect(await call('GET', `/api/businesses/${kept.id}/verification`, kept.owner)).toMatchObject({ pending: { id: kept.requestId } })
    expect(await call('GET', `/api/businesses/${kept.id}/webhooks`, kept.owner)).toHaveLength(1)
    expect(await call('GET', `/api/businesses/${kept.id}/menu-source`, kept.owner)).toMatchObject({ source: { authName: 'olga' } })
  })
})

it('doesn’t show the former owner’s payment instructions to the next one after a transfer', async () => {
  const yard = await o.newYard('Beech Farm')
  await call('PUT', `${o.accountsUrl(yard.id)}/invoice`, yard.owner, howToPay(yard.owner))
  const next = await o.test.signUp()
  await joinBusiness(o.test.db, next.user.id, yard.id, 'staff')
  await call('POST', `/api/businesses/${yard.id}/team/transfer`, yard.owner, { userId: next.user.id })
  expect((await o.accounts({ ...yard, owner: next })).invoice).toMatchObject({ state: 'former_owner', instructions: '' })
})

describe('the plans of a former team’s business', () => {
  async function buyPlan(yard: { id: string; owner: TestPerson }) {
    const { checkoutId, subscriptionId } = await approvePlan(yard)
    return { subscriptionId, agreement: await o.billing.approveHere(yard.owner, checkoutId, subscriptionId) }
  }
  async function approvePlan(yard: { id: string; owner: TestPerson }) {
    const order = { provider: 'paypal', planId: 'verified', businessId: yard.id }
    const checkout = (await call('POST', '/api/billing/checkouts', yard.owner, order)) as Checkout
    const { planId, customId } = o.paypalOf(checkout)
    return { checkoutId: checkout.id, subscriptionId: o.paypal.approve(planId, customId).id }
  }
  const mailTo = async ({ email }: TestPerson, about: string) =>
    (await mailsTo(o.test, email)).find(({ subject }) => subject.includes(about))?.text
  const isPaused = (subscriptionId: string) => o.paypal.requests.includes(`POST /v1/billing/subscriptions/${subscriptionId}/suspend`)
  async function transfer(yard: { id: string; owner: TestPerson }): Promise<TestPerson> {
    const next = await o.test.signUp()
    await joinBusiness(o.test.db, next.user.id, yard.id, 'staff')
    await call('POST', `/api/businesses/${yard.id}/team/transfer`, yard.owner, { userId: next.user.id })
    return next
  }
  const leaveTeam = (yard: { id: string; owner: TestPerson }) =>
    o.test.request('DELETE', `/api/businesses/${yard.id}/team/members/${yard.owner.user.id}`, yard.owner)

  it('end when someone else wins a dispute, and their payer gets an email', async () => {
    const yard = await o.newBusiness('Elm Farm')
    const { agreement, subscriptionId } = await buyPlan(yard)
    const claimant = await claim(yard)
    expect((await o.ownAgreements(yard.owner))[0]).toMatchObject({
      status: 'canceled',
      paidUntil: agreement.paidUntil,
      abilities: { resume: false },
    })
    expect(isPaused(subscriptionId)).toBe(true)
    expect(await mailTo(yard.owner, 'transferred to someone else')).toContain('If you paid for its plans, they’re canceled')
    expect(await mailTo(yard.owner, 'your cancellation')).toContain('You won’t be charged again')
    const order = { provider: 'paypal', planId: 'verified', businessId: yard.id }
    expect((await o.test.request('POST', '/api/billing/checkouts', claimant, order)).json().message).toContain('You can buy it again after')
  })

  it('end if their payer approved them before losing a dispute, and the site learns of it afterward', async () => {
    const yard = await o.newBusiness('Ash Farm')
    const { checkoutId, subscriptionId } = await approvePlan(yard)
    await claim(yard)
    await o.test.request('POST', `/api/billing/checkouts/${checkoutId}/approval`, yard.owner, { subscriptionID: subscriptionId })
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(yard.owner)).map(({ status }) => status)).toEqual(['canceled'])
    expect(isPaused(subscriptionId)).toBe(true)
  })

  it('end when the owner the business was transferred to deletes their account', async () => {
    const yard = await o.newBusiness('Yew Farm')
    const { subscriptionId } = await buyPlan(yard)
    const next = await transfer(yard)
    expect((await leaveTeam(yard)).statusCode).toBe(204)
    await leave({ owner: next })
    await eraseLeaving()
    expect((await o.ownAgreements(yard.owner))[0]?.status).toBe('canceled')
    expect(isPaused(subscriptionId)).toBe(true)
  })

  it('continue after a transfer, even if the former owner leaves, and after a dispute that their payer wins', async () => {
    const [sold, returned] = [await o.newBusiness('Box Farm'), await o.newBusiness('Bay Farm')]
    await buyPlan(sold)
    await buyPlan(returned)
    for (const yard of [sold, returned]) {
      await transfer(yard)
      expect((await leaveTeam(yard)).statusCode).toBe(204)
    }
    const dispute = (await call('POST', '/api/claims', returned.owner, {
      ...{ businessId: returned.id, method: 'review', statement: 'I run it.' },
    })) as Claim
    await call('POST', `/api/claims/${dispute.id}/approve`, moderator)
    await o.runJob('billing.reconcile')
    for (const { owner } of [sold, returned]) expect((await o.ownAgreements(owner))[0]?.status).toBe('active')
  })

  it('continue after a transfer by an owner who once won the business back, or with which another was merged', async () => {
    const [regained, remaining] = [await o.newBusiness('Bow Farm'), await o.newBusiness('Ivy Farm')]
    const { agreement } = await buyPlan(regained)
    await buyPlan(remaining)
    await claim(regained)
    const body = { businessId: regained.id, method: 'review', statement: 'I run it.' }
    const dispute = (await call('POST', '/api/claims', regained.owner, body)) as Claim
    await call('POST', `/api/claims/${dispute.id}/approve`, moderator)
    await o.test.runJobs()
    await call('POST', `/api/billing/agreements/${agreement.id}/resumption`, regained.owner)
    const merged = await o.newBusiness('Vine Farm')
    await claim(merged)
    await o.test.db.updateTable('claims').set({ business_id: remaining.id }).where('business_id', '=', merged.id).execute()
    for (const yard of [regained, remaining]) {
      await transfer(yard)
      expect((await leaveTeam(yard)).statusCode).toBe(204)
    }
    await o.runJob('billing.reconcile')
    for (const { owner } of [regained, remaining]) expect((await o.ownAgreements(owner))[0]?.status).toBe('active')
  })

  it('end in the next nightly comparison if the team was gone before the upgrade or the job was lost', async () => {
    const yard = await o.newBusiness('Fig Farm')
    const { subscriptionId } = await buyPlan(yard)
    await o.test.db.deleteFrom('business_members').where('business_id', '=', yard.id).execute()
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(yard.owner))[0]?.status).toBe('canceled')
    expect(isPaused(subscriptionId)).toBe(true)
  })
})

describe('payments to a former team', () => {
  const expectEnded = async (yard: PayPalBusiness, payer: Awaited<ReturnType<OwnAccounts['buy']>>) => {
    expect((await o.ownAgreements(payer.person))[0]).toMatchObject({ status: 'canceled', abilities: { resume: false } })
    expect(o.paypal.requests).toContain(`POST /v1/billing/subscriptions/${payer.subscriptionId}/suspend`)
    const mail = (await mailsTo(o.test, payer.person.email)).find(({ subject }) => subject.includes('your cancellation'))
    expect(mail?.text).toContain('You won’t be charged again')
    expect(mail?.text).not.toContain('resume')
    expect((await o.test.request('POST', `/api/billing/agreements/${payer.agreement.id}/resumption`, payer.person)).statusCode).toBe(409)
    expect((await o.test.request('GET', `/api/businesses/${yard.id}/status`, payer.person)).json().isSubscribed).toBe(true)
  }

  it('end when the owner deletes their account and gives up the business', async () => {
    const yard = await o.newYard('Larch Farm')
    const payer = await o.buy(yard)
    const started = await o.test.signUp()
    const checkout = await o.begin(yard, started)
    await leave(yard)
    await eraseLeaving()
    await expectEnded(yard, payer)
    expect((await begin(yard, started)).statusCode).toBe(409)
    expect(await call('GET', `/api/billing/checkouts/${checkout.id}`, started)).toMatchObject({ status: 'expired', paypal: null })
    expect(await accountsOf(yard)).toMatchObject([{ connected_by: null, retired_at: expect.any(Date), sealed_secret: expect.any(String) }])
    o.test.clock.advance({ days: 20 })
    await o.runJob('billing.expire')
    await o.runJob('billing.check-accounts')
    expect(await accountsOf(yard)).toMatchObject([{ sealed_secret: null }])
    expect(yard.merchant.webhooks).toEqual([])
  })

  it('end when a claimant wins a dispute', async () => {
    const yard = await o.newYard('Stolen Farm')
    const payer = await o.buy(yard)
    const claimant = await claim(yard)
    await expectEnded(yard, payer)
    const own = o.paypal.addMerchant()
    const answer = await o.connect({ owner: claimant, id: yard.id }, own)
    expect(answer.json()).toMatchObject({ paypal: { state: 'working', payingCount: 0 }, former: [{ payingCount: 1 }] })
    expect(o.paypalOf(await o.begin(yard, await o.test.signUp())).clientId).toBe(own.clientId)
  })

  it('continue when the claimant who wins the dispute had connected the account', async () => {
    const yard = await o.newYard('Returned Farm')
    const payer = await o.buy(yard)
    const thief = await o.test.signUp()
    await joinBusiness(o.test.db, thief.user.id, yard.id, 'staff')
    await call('POST', `/api/businesses/${yard.id}/team/transfer`, yard.owner, { userId: thief.user.id })
    await o.test.db.deleteFrom('business_members').where('user_id', '=', yard.owner.user.id).execute()
    const body = { businessId: yard.id, method: 'review', statement: 'I run it.' }
    const dispute = (await call('POST', '/api/claims', yard.owner, body)) as Claim
    await call('POST', `/api/claims/${dispute.id}/approve`, moderator)
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(payer.person))[0]?.status).toBe('active')
    expect((await o.accounts(yard)).paypal?.state).toBe('working')
  })

  it('end if they go to a former owner who deletes their account', async () => {
    const yard = await o.newYard('Passed Farm')
    const payer = await o.buy(yard)
    const next = await o.test.signUp()
    await joinBusiness(o.test.db, next.user.id, yard.id, 'staff')
    await call('POST', `/api/businesses/${yard.id}/team/transfer`, yard.owner, { userId: next.user.id })
    await leave(yard)
    await eraseLeaving()
    await expectEnded(yard, payer)
  })

  it('end in the next nightly comparison if the job was lost', async () => {
    const yard = await o.newYard('Forgotten Farm')
    const payer = await o.buy(yard)
    await o.test.db.deleteFrom('business_members').where('business_id', '=', yard.id).execute()
    await o.runJob('billing.reconcile')
    await expectEnded(yard, payer)
  })

  it('end after the upgrade if a dispute was decided before it', async () => {
    const [lost, sold] = [await o.newYard('Lost Farm'), await o.newYard('Sold Farm')]
    const [payer, other] = [await o.buy(lost), await o.buy(sold)]
    const next = await o.test.signUp()
    for (const { id } of [lost, sold]) {
      await o.test.db.deleteFrom('business_members').where('business_id', '=', id).execute()
      await joinBusiness(o.test.db, next.user.id, id)
    }
    const decided = { status: 'approved', decided_at: o.test.clock.now(), created_at: o.test.clock.now() } as const
    await o.test.db
      .insertInto('claims')
      .values({
        id: newId(),
        business_id: lost.id,
        user_id: next.user.id,
        is_dispute: true,
        method: 'review',
        statement: 'Mine',
        ...decided,
      })
      .execute()
    await abandonFormerAccounts(o.test.db as unknown as Kysely<unknown>)
    await o.runJob('billing.reconcile')
    await expectEnded(lost, payer)
    expect((await o.ownAgreements(other.person))[0]?.status).toBe('active')
  })

  it('don’t begin while the owner is deleting their account or is banned', async () => {
    const yard = await o.newYard('Waiting Farm')
    const buyer = await o.test.signUp()
    const setOwner = (values: { banned_at?: Date | null; leaves_at?: Date | null }) =>
      o.test.db.updateTable('users').set(values).where('id', '=', yard.owner.user.id).execute()
    for (const column of ['banned_at', 'leaves_at'] as const) {
      await setOwner({ [column]: o.test.clock.now() })
      expect((await o.offerOf(yard.id)).providers, column).toEqual([])
      expect((await begin(yard, buyer)).statusCode, column).toBe(409)
      await setOwner({ [column]: null })
    }
    expect((await begin(yard, buyer)).statusCode).toBe(201)
  })
})
