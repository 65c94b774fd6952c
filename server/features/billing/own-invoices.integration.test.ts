import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlanFigures } from '#contracts/admin.endpoints.ts'
import type { Agreement, Checkout, OpenInvoice, Payment, PublicOffer, ReceivedPayment } from '#contracts/billing.ts'
import { newId } from '#server/kernel/ids.ts'
import { billingOf } from '#tests/support/billing.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'

/** The site also uses invoices for its own plans. */

type Yard = { owner: TestPerson; id: string }
let test: TestApp
let billing: ReturnType<typeof billingOf>
let admin: TestPerson
let yard: Yard
let rival: Yard

beforeAll(async () => {
  test = await startTestApp({ env: { BILLING_INVOICE_INSTRUCTIONS: 'To the site.' } })
  billing = billingOf(test)
  admin = await test.signUp()
  await giveRole(test, admin, 'admin')
  yard = await newYard('Invoice Yard')
  rival = await newYard('Rival Yard')
})
afterAll(() => test?.close())

async function newYard(name: string): Promise<Yard> {
  const owner = await test.signUp()
  await billing.stayIn()
  const { id } = await billing.addOwnBusiness(owner, name)
  await grantPlan(test.db, { businessId: id, planId: 'business_tools', until: new Date('2060-01-01') })
  const offer = { price: '9.50', currency: 'USD', title: 'T', perks: [] }
  const refused = await test.request('PUT', `/api/businesses/${id}/subscription-offer`, owner, offer)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict'])
  await billing.call(owner, 'PUT', `/api/businesses/${id}/payment-accounts/invoice`, {
    instructions: `To ${name}, account 55.`,
    password: owner.password,
  })
  await billing.call(owner, 'PUT', `/api/businesses/${id}/subscription-offer`, offer)
  return { owner, id }
}

const record = (of: Yard, as: TestPerson, money: object) =>
  test.request('POST', `/api/businesses/${of.id}/invoice-payments`, as, { currency: 'USD', ...money })
const begin = async (of: Yard) => {
  const person = await test.signUp()
  await billing.stayIn()
  const checkout = await billing.call<Checkout>(person, 'POST', '/api/billing/checkouts', { provider: 'invoice', subscribeTo: of.id })
  return { person, checkout }
}

it('starts a subscription once when the owner records the exact amount', async () => {
  const { providers } = (await test.request('GET', `/api/businesses/${yard.id}/subscription-offer`)).json() as PublicOffer
  expect(providers).toEqual([{ name: 'invoice', isTest: false, clientId: null, isAvailable: true }])
  const { person, checkout } = await begin(yard)
  expect(checkout).toMatchObject({ instructions: 'To Invoice Yard, account 55.', paypal: null })
  const open = await billing.call<OpenInvoice[]>(yard.owner, 'GET', `/api/businesses/${yard.id}/invoice-checkouts`)
  expect(open).toEqual([{ ...checkout, payer: expect.stringMatching(/^Person N/) }])
  expect(await billing.call<OpenInvoice[]>(admin, 'GET', '/api/admin/invoice-checkouts')).toEqual([])
  expect(await billing.call<OpenInvoice[]>(rival.owner, 'GET', `/api/businesses/${rival.id}/invoice-checkouts`)).toEqual([])
  const money = { checkoutId: checkout.id, amount: '9.50', reference: 'bank-1' }
  expect((await test.request('POST', '/api/admin/invoice-payments', admin, { currency: 'USD', ...money })).statusCode).toBe(404)
  expect((await record(rival, rival.owner, money)).statusCode).toBe(404)
  expect((await record(yard, rival.owner, money)).statusCode).toBe(403)
  expect((await record(yard, yard.owner, { ...money, amount: '9.49' })).statusCode).toBe(400)
  expect((await record(yard, yard.owner, { ...money, currency: 'EUR' })).statusCode).toBe(400)
  const recorded = await record(yard, yard.owner, money)
  expect(recorded.statusCode).toBe(201)
  expect(recorded.json()).toMatchObject({ status: 'active', isSubscription: true })
  expect((await record(yard, yard.owner, money)).json()).toEqual(recorded.json())
  expect(await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')).toHaveLength(1)
  expect((await test.request('GET', `/api/businesses/${yard.id}/status`, person)).json().isSubscribed).toBe(true)
  const again = await begin(yard)
  expect((await record(yard, yard.owner, { ...money, checkoutId: again.checkout.id })).statusCode).toBe(409)

  // References are scoped to the payee: another business or the site may use the same one.
  const other = await begin(rival)
  expect((await record(rival, rival.owner, { ...money, checkoutId: other.checkout.id })).statusCode).toBe(201)
  const buyer = await test.signUp()
  const plan = await billing.call<Checkout>(buyer, 'POST', '/api/billing/checkouts', { provider: 'invoice', planId: 'vip' })
  expect(plan.instructions).toBe('To the site.')
  const toSite = { currency: 'USD', checkoutId: plan.id, amount: '39.99', reference: 'bank-1' }
  expect((await test.request('POST', '/api/admin/invoice-payments', admin, toSite)).statusCode).toBe(201)
  const [shown] = await billing.call<OpenInvoice[]>(admin, 'GET', '/api/admin/invoice-checkouts')
  expect(shown).toBeUndefined()
  expect((await billing.call<PlanFigures>(admin, 'GET', '/api/admin/plans')).received).toEqual([{ currency: 'USD', cents: 3999 }])

  // Payments for more months can be recorded with the purchase's ID, but not by a rival.
  const agreementId = (recorded.json() as Agreement).id
  const further = { agreementId, amount: '19.00', months: 2, reference: 'bank-2' }
  expect((await record(rival, rival.owner, further)).statusCode).toBe(404)
  expect((await record(yard, yard.owner, further)).statusCode).toBe(201)
  expect((await record(yard, yard.owner, { ...further, agreementId: newId() })).statusCode).toBe(404)
})

it('subscribes the payer again when a payment arrives after a block was lifted, but not while it stands', async () => {
  const { person, checkout } = await begin(yard)
  const started = await record(yard, yard.owner, { checkoutId: checkout.id, amount: '9.50', reference: 'before-block' })
  const { id: agreementId } = started.json() as Agreement
  const block = (method: 'PUT' | 'DELETE') => test.request(method, `/api/businesses/${yard.id}/block`, person)
  const isSubscribed = async () => (await test.request('GET', `/api/businesses/${yard.id}/status`, person)).json().isSubscribed
  const agreement = async () => (await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements'))[0]
  expect((await block('PUT')).statusCode).toBeLessThan(300)
  await test.runJobs()
  expect((await agreement())?.status).toBe('canceled')
  await record(yard, yard.owner, { agreementId, amount: '9.50', reference: 'during-block' })
  await test.runJobs()
  expect((await agreement())?.status).toBe('canceled')
  await block('DELETE')
  expect(await isSubscribed()).toBe(false)
  await record(yard, yard.owner, { agreementId, amount: '9.50', reference: 'after-block' })
  await test.runJobs()
  expect((await agreement())?.status).toBe('active')
  expect(await isSubscribed()).toBe(true)
  expect(await findWrongCounters(test.db)).toEqual([])
})

it('doesn’t let the site record refunds of payments to a business', async () => {
  const { person, checkout } = await begin(yard)
  await record(yard, yard.owner, { checkoutId: checkout.id, amount: '9.50', reference: 'not-the-site' })
  const [payment] = await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
  const refund = { amount: '9.50', reason: 'Asked for it' }
  const refused = await test.request('POST', `/api/admin/payments/${payment?.id}/refunds`, admin, refund)
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('business’s own account')])
})

it('lets only the owner record refunds of payments to the business, each once and up to the amount paid', async () => {
  const { person, checkout } = await begin(yard)
  await record(yard, yard.owner, { checkoutId: checkout.id, amount: '9.50', reference: 'to-refund' })
  const received = (of: Yard) => billing.call<ReceivedPayment[]>(of.owner, 'GET', `/api/businesses/${of.id}/invoice-payments`)
  const [payment] = await received(yard)
  expect(payment).toMatchObject({ reference: 'to-refund', payer: expect.stringMatching(/^Person N/), status: 'paid', receiptUrl: null })
  expect((await received(rival)).filter(({ id }) => id === payment?.id)).toEqual([])
  expect((await test.request('GET', `/api/businesses/${yard.id}/invoice-payments`, rival.owner)).statusCode).toBe(403)

  const refund = (of: Yard, as: TestPerson, amount: string, key = newId()) =>
    test.app.inject({
      method: 'POST',
      url: `/api/businesses/${of.id}/invoice-payments/${payment?.id}/refunds`,
      headers: { cookie: as.cookie, 'idempotency-key': key },
      payload: { amount, reason: 'Asked for it' },
    })
  expect((await refund(yard, person, '1')).statusCode).toBe(403)
  expect((await refund(rival, rival.owner, '1')).statusCode).toBe(404)
  expect((await refund(yard, yard.owner, '9.51')).statusCode).toBe(400)
  const key = newId()
  const [first, second] = await Promise.all([refund(yard, yard.owner, '4.50', key), refund(yard, yard.owner, '4.50', key)])
  expect(first.json()).toMatchObject({ status: 'partially_refunded', refunded: { amount: '4.50', currency: 'USD' } })
  expect(second.json()).toEqual(first.json())
  // Two different refunds at once: the second would exceed what was paid.
  const answers = await Promise.all([refund(yard, yard.owner, '3.00'), refund(yard, yard.owner, '3.00')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
  expect((await refund(yard, yard.owner, '2.00')).json()).toMatchObject({ status: 'refunded' })
  expect((await received(yard))[0]).toMatchObject({ id: payment?.id, status: 'refunded', refunded: { amount: '9.50', currency: 'USD' } })
  const [own] = await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
  expect(own).toMatchObject({ status: 'refunded' })
  expect((await test.request('GET', `/api/businesses/${yard.id}/status`, person)).json().isSubscribed).toBe(true)
})

it('names the payee on the receipt', async () => {
  const { person, checkout } = await begin(yard)
  await record(yard, yard.owner, { checkoutId: checkout.id, amount: '9.50', reference: 'bank-receipt' })
  const [payment] = await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
  const receipt = await test.request('GET', payment?.receiptUrl as string, person)
  expect(receipt.headers['content-type']).toBe('application/pdf')
  const { makeReceipt } = await import('./confirmations.ts')
  const row = { ...(payment as Payment), receipt_number: '1', plan_id: null, amount_cents: 950, currency: 'USD', refunded_cents: 0 }
  const sizeOf = async (paidTo: string | null) =>
    (await makeReceipt(test.ctx, { ...row, paid_at: new Date(), provider: 'invoice' } as never, { payer: 'P', paidTo })).length
  expect(await sizeOf('Invoice Yard')).toBeGreaterThan(await sizeOf(null))
})

it('accepts no new payers once payment by invoice is removed, but still records payments for running agreements', async () => {
  const { person, checkout } = await begin(rival)
  await record(rival, rival.owner, { checkoutId: checkout.id, amount: '9.50', reference: 'before' })
  const removed = await test.request('DELETE', `/api/businesses/${rival.id}/payment-accounts/invoice`, rival.owner)
  expect(removed.json()).toMatchObject({ invoice: null, former: [{ provider: 'invoice', payingCount: 2 }] })
  const refused = await test.request('POST', '/api/billing/checkouts', await test.signUp(), { provider: 'invoice', subscribeTo: rival.id })
  expect(refused.statusCode).toBe(409)
  const [agreement] = await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements')
  expect((await record(rival, rival.owner, { agreementId: agreement?.id, amount: '9.50', reference: 'after' })).statusCode).toBe(201)
  await billing.call(rival.owner, 'PUT', `/api/businesses/${rival.id}/payment-accounts/invoice`, {
    instructions: 'Again.',
    password: rival.owner.password,
  })
  expect((await begin(rival)).checkout.instructions).toBe('Again.')
})

it('records each later payment once, by the reference that the payer was given first', async () => {
  const { person, checkout } = await begin(yard)
  const pay = (as: Yard, reference: string, key = newId()) =>
    test.app.inject({
      method: 'POST',
      url: `/api/businesses/${as.id}/invoice-payments`,
      headers: { cookie: as.owner.cookie, 'idempotency-key': key },
      payload: { currency: 'USD', agreementId: checkout.id, amount: '9.50', reference },
    })
  const paidUntil = async () => (await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements'))[0]?.paidUntil
  const first = await pay(yard, 'month-1')
  expect(first.json()).toMatchObject({ status: 'active', isSubscription: true })
  expect((await pay(rival, 'month-2')).statusCode).toBe(404)

  const key = newId()
  const [second, retry] = await Promise.all([pay(yard, 'month-2', key), pay(yard, 'month-2', key)])
  expect([second.statusCode, retry.json()]).toEqual([201, second.json()])
  const { id, paidUntil: extended } = second.json() as Agreement
  expect(id).toBe(first.json().id)
  expect(new Date(extended as string) > new Date(first.json().paidUntil)).toBe(true)
  expect(await paidUntil()).toBe(extended)

  // A new request with the same reference may be the next payment, so it must not look as if it had been recorded.
  const repeated = await pay(yard, 'month-2')
  expect([repeated.statusCode, repeated.json().fields]).toEqual([400, { reference: expect.stringContaining('already recorded') }])
  expect(await paidUntil()).toBe(extended)

  const [payment] = await billing.call<ReceivedPayment[]>(yard.owner, 'GET', `/api/businesses/${yard.id}/invoice-payments`)
  expect(payment).toMatchObject({ agreementId: id, price: { amount: '9.50', currency: 'USD' }, reference: 'month-2' })
})

it('deletes only unused checkouts, 30 days after they expire', async () => {
  const { person, checkout } = await begin(yard)
  const bought = await begin(yard)
  await record(yard, yard.owner, { checkoutId: bought.checkout.id, amount: '9.50', reference: 'kept' })
  const stateAfter = async (days: number) => {
    test.clock.advance({ days })
    await billingJobs(test.ctx)['billing.expire']({})
    const both = [checkout.id, bought.checkout.id].map((id, i) =>
      test.request('GET', `/api/billing/checkouts/${id}`, [person, bought.person][i]),
    )
    return (await Promise.all(both)).map((answer) => (answer.statusCode === 200 ? (answer.json() as Checkout).status : answer.statusCode))
  }
  expect(await stateAfter(29)).toEqual(['open', 'approved'])
  expect(await stateAfter(2)).toEqual(['expired', 'approved'])
  expect(await stateAfter(28)).toEqual(['expired', 'approved'])
  expect(await stateAfter(2)).toEqual([404, 'approved'])
})
