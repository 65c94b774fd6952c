import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as contract from '#contracts/billing.endpoints.ts'
import type { Agreement, Checkout } from '#contracts/billing.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import { billingOf } from '#tests/support/billing.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { giveRole } from '#tests/support/roles.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** Roles without access get 404 (hidden), 403 (not theirs) or 401 (signed out). */

type Who = 'owner' | 'manager' | 'staff' | 'payer' | 'stranger' | 'rival' | 'admin' | 'visitor'
const everyRole: readonly Who[] = ['owner', 'manager', 'staff', 'payer', 'stranger', 'rival', 'admin', 'visitor']
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

let test: TestApp
const people = {} as Record<Who, TestPerson | null>
let business: { id: string; slug: string }
let rivalBusiness: { id: string }
let plan: Agreement
let ofPayer: Agreement
let checkout: Checkout
let paymentId: string

beforeAll(async () => {
  test = await startTestApp()
  const billing = billingOf(test)
  for (const who of everyRole) people[who] = who === 'visitor' ? null : await test.signUp()
  const person = (who: Who) => people[who] as TestPerson
  business = await billing.addOwnBusiness(person('owner'), 'Matrix Yard')
  rivalBusiness = await billing.addOwnBusiness(person('rival'), 'Rival Yard')
  await joinBusiness(test.db, person('staff').user.id, business.id, 'staff')
  await test.db
    .insertInto('business_members')
    .values({ user_id: person('manager').user.id, business_id: business.id, role: 'manager' })
    .execute()
  await giveRole(test, person('admin'), 'admin')
  plan = await billing.buy(person('owner'), { planId: 'pro_partner', businessId: business.id })
  await grantPlan(test.db, { businessId: rivalBusiness.id, planId: 'business_tools' })
  ofPayer = await billing.buy(person('payer'), { planId: 'verified' })
  checkout = await billing.begin(person('payer'), { planId: 'vip' })
  const payment = await test.db.selectFrom('payments').select('id').where('agreement_id', '=', ofPayer.id).executeTakeFirstOrThrow()
  paymentId = payment.id
})
afterAll(() => test?.close())

type Row = {
  call: Endpoint
  url: () => string
  body?: () => object
  /** Expected status by role; `others` covers unnamed roles, including visitors. */
  answers: Partial<Record<Who, number>> & { others: number }
}
const offer = { price: '5.00', currency: 'USD', title: 'Subscriber', perks: [] }
const signedOut = { visitor: 401 }
const ownerProof = () => ({ password: people.owner?.password })
const ofBusiness = () => `/api/businesses/${business.slug}`

const rows: Row[] = [
  { call: contract.listPlans, url: () => '/api/plans', answers: { others: 200 } },
  { call: contract.getOwnPlanStatus, url: () => '/api/billing/plan', answers: { others: 200, ...signedOut } },
  {
    call: contract.getBusinessPlanStatus,
    url: () => `/api/businesses/${business.slug}/plan`,
    answers: { owner: 200, manager: 200, staff: 200, ...signedOut, others: 403 },
  },
  { call: contract.getSubscriptionOffer, url: () => `/api/businesses/${business.id}/subscription-offer`, answers: { others: 200 } },
  {
    call: contract.saveSubscriptionOffer,
    url: () => `/api/businesses/${business.id}/subscription-offer`,
    body: () => offer,
    answers: { owner: 200, ...signedOut, others: 403 },
  },
  {
    call: contract.getSubscriptionReport,
    url: () => `/api/businesses/${business.id}/subscription-report`,
    answers: { owner: 200, manager: 200, ...signedOut, others: 403 },
  },
  {
    call: contract.beginCheckout,
    url: () => '/api/billing/checkouts',
    body: () => ({ provider: 'test', planId: 'business_tools', businessId: business.id }),
    answers: { owner: 201, ...signedOut, others: 403 },
  },
  { call: contract.getCheckout, url: () => `/api/billing/checkouts/${checkout.id}`, answers: { payer: 200, ...signedOut, others: 404 } },
  {
    call: contract.approveCheckout,
    url: () => `/api/billing/checkouts/${checkout.id}/approval`,
    body: () => ({ subscriptionID: 'I-NONE' }),
    answers: { payer: 409, ...signedOut, others: 404 },
  },
  {
    call: contract.answerTestCheckout,
    url: () => `/api/billing/test/checkouts/${checkout.id}/answers`,
    body: () => ({ outcome: 'refuse' }),
    answers: { payer: 200, ...signedOut, others: 404 },
  },
  { call: contract.listAgreements, url: () => '/api/billing/agreements', answers: { others: 200, ...signedOut } },
  {
    call: contract.listAgreements,
    url: () => `/api/billing/agreements?business=${business.id}`,
    answers: { owner: 200, ...signedOut, others: 403 },
  },
  { call: contract.listPayments, url: () => '/api/billing/payments', answers: { others: 200, ...signedOut } },
  {
    call: contract.listPayments,
    url: () => `/api/billing/payments?business=${business.id}`,
    answers: { owner: 200, ...signedOut, others: 403 },
  },
  {
    call: contract.assignAgreement,
    url: () => `/api/billing/agreements/${ofPayer.id}/business`,
    body: () => ({ businessId: business.id }),
    answers: { owner: 404, ...signedOut, others: 403 },
  },
  {
    call: contract.cancelAgreement,
    url: () => `/api/billing/agreements/${ofPayer.id}/cancellation`,
    answers: { payer: 200, ...signedOut, others: 404 },
  },
  {
    call: contract.cancelAgreement,
    url: () => `/api/billing/agreements/${plan.id}/cancellation`,
    answers: { owner: 200, ...signedOut, others: 404 },
  },
  {
    call: contract.resumeAgreement,
    url: () => `/api/billing/agreements/${ofPayer.id}/resumption`,
    answers: { payer: 200, ...signedOut, others: 404 },
  },
  {
    call: contract.recordInvoicePayment,
    url: () => '/api/admin/invoice-payments',
    body: () => ({ agreementId: plan.id, amount: '200.00', currency: 'USD', reference: 'none' }),
    // The plan is paid for through another provider.
    answers: { admin: 409, ...signedOut, others: 403 },
  },
  {
    call: contract.recordRefund,
    url: () => `/api/admin/payments/${paymentId}/refunds`,
    body: () => ({ amount: '1.00', reason: 'None' }),
    answers: { admin: 200, ...signedOut, others: 403 },
  },
  { call: contract.getPaymentAccounts, url: () => `${ofBusiness()}/payment-accounts`, answers: { owner: 200, ...signedOut, others: 403 } },
  {
    // There is nothing to connect in test mode.
    call: contract.connectPayPal,
    url: () => `${ofBusiness()}/payment-accounts/paypal`,
    body: () => ({ clientId: 'a-client-id-of-no-one', clientSecret: 'a-secret-of-no-one', ...ownerProof() }),
    answers: { owner: 409, ...signedOut, others: 403 },
  },
  {
    call: contract.saveOwnInvoice,
    url: () => `${ofBusiness()}/payment-accounts/invoice`,
    body: () => ({ instructions: 'To account 12-34', ...ownerProof() }),
    answers: { owner: 409, ...signedOut, others: 403 },
  },
  {
    call: contract.disconnectAccount,
    url: () => `${ofBusiness()}/payment-accounts/paypal`,
    answers: { owner: 200, ...signedOut, others: 403 },
  },
  { call: contract.listOwnInvoices, url: () => `${ofBusiness()}/invoice-checkouts`, answers: { owner: 200, ...signedOut, others: 403 } },
  {
    call: contract.recordOwnInvoicePayment,
    url: () => `${ofBusiness()}/invoice-payments`,
    // The owner's own plan is paid to the site, so they can't record payments for it.
    body: () => ({ agreementId: plan.id, amount: '200.00', currency: 'USD', reference: 'none' }),
    answers: { owner: 404, ...signedOut, others: 403 },
  },
  {
    call: contract.listOwnInvoicePayments,
    url: () => `${ofBusiness()}/invoice-payments`,
    answers: { owner: 200, ...signedOut, others: 403 },
  },
  {
    call: contract.recordOwnInvoiceRefund,
    url: () => `${ofBusiness()}/invoice-payments/${paymentId}/refunds`,
    // The payment was made to the site.
    body: () => ({ amount: '1.00', reason: 'None' }),
    answers: { owner: 404, ...signedOut, others: 403 },
  },
  {
    call: contract.subscribe,
    url: () => '/api/subscriptions',
    body: () => ({ businessId: rivalBusiness.id }),
    answers: { ...signedOut, others: 200 },
  },
  { call: contract.unsubscribe, url: () => `/api/subscriptions/${rivalBusiness.id}`, answers: { ...signedOut, others: 200 } },
  { call: contract.listInvoiceCheckouts, url: () => '/api/admin/invoice-checkouts', answers: { admin: 200, ...signedOut, others: 403 } },
]

describe.each(rows)('$call.method $call.path', ({ call, url, body, answers }) => {
  it.each(everyRole)('returns the declared response to %s', async (who) => {
    const answer = await test.request(call.method as Method, url(), people[who], body?.())
    expect(answer.statusCode, answer.body).toBe(answers[who] ?? answers.others)
  })
})

it('covers every billing call', () => {
  const endpoints = Object.values(contract).filter(
    (each): each is Endpoint & typeof each => typeof each === 'object' && 'method' in each && 'path' in each,
  )
  expect(endpoints.filter((each) => !rows.some(({ call }) => call === each)).map((each) => each.path)).toEqual([])
})

it('denies one owner access to another’s business', async () => {
  const list = await test.request('GET', `/api/billing/agreements?business=${rivalBusiness.id}`, people.owner)
  expect(list.statusCode).toBe(403)
  expect((await test.request('GET', '/api/billing/agreements', people.rival)).json()).toEqual([])
})

it('lets a former owner do nothing but cancel the plan they pay for', async () => {
  const billing = billingOf(test)
  const [seller, buyer] = [await test.signUp(), await test.signUp()]
  const sold = await billing.addOwnBusiness(seller, 'Sold Yard')
  const bought = await billing.buy(seller, { planId: 'business_tools', businessId: sold.id })
  expect(bought).toMatchObject({ changesTo: expect.arrayContaining(['verified']), abilities: { change: true, cancel: true } })
  await joinBusiness(test.db, buyer.user.id, sold.id, 'staff')
  expect((await test.request('POST', `/api/businesses/${sold.id}/team/transfer`, seller, { userId: buyer.user.id })).statusCode).toBe(200)
  const [after] = (await test.request('GET', '/api/billing/agreements', seller)).json() as Agreement[]
  expect(after).toMatchObject({ id: bought.id, changesTo: [], abilities: { change: false, cancel: true } })
  const change = { provider: 'test', planId: 'verified', replaces: bought.id }
  expect((await test.request('POST', '/api/billing/checkouts', seller, change)).statusCode).toBe(403)
  await billing.call(seller, 'POST', `/api/billing/agreements/${bought.id}/cancellation`)
  expect((await test.request('POST', `/api/billing/agreements/${bought.id}/resumption`, seller)).statusCode).toBe(403)
})
