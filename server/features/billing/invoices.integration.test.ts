import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agreement, Checkout, Payment } from '../../../contracts/billing.ts'
import { formatCents } from '../../../contracts/money.ts'
import { billingOf } from '../../../tests/support/billing.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { newId } from '../../kernel/ids.ts'
import { billingJobs } from './billing.jobs.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let admin: TestPerson

beforeAll(async () => {
  test = await startTestApp({ env: { BILLING_INVOICE_INSTRUCTIONS: 'Send it to account 12-34, with the number of the purchase.' } })
  billing = billingOf(test)
  admin = await test.signUp()
  await test.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.user.id).execute()
})
afterAll(() => test?.close())

const newPerson = async () => {
  const person = await test.signUp()
  await billing.stayIn()
  return person
}
const begin = (person: TestPerson, planId: string) =>
  billing.call<Checkout>(person, 'POST', '/api/billing/checkouts', { provider: 'invoice', planId })
const record = (payload: object, as = admin) => test.request('POST', '/api/admin/invoice-payments', as, { currency: 'USD', ...payload })
const runExpiry = async () => {
  await billingJobs(test.ctx)['billing.expire']({})
  await test.runJobs()
}

it('is offered in the place of the test provider, and begins when an admin has the money', async () => {
  const person = await newPerson()
  const { providers } = await billing.call<{ providers: { name: string }[] }>(person, 'GET', '/api/plans')
  expect(providers.map(({ name }) => name)).toEqual(['invoice'])
  const checkout = await begin(person, 'vip')
  expect(checkout).toMatchObject({ status: 'open', instructions: expect.stringContaining('account 12-34'), paypal: null })
  expect((await test.request('POST', `/api/billing/checkouts/${checkout.id}/approval`, person, { subscriptionID: 'I-1' })).statusCode).toBe(
    409,
  )
  const waiting = await billing.call<Checkout[]>(admin, 'GET', '/api/admin/invoice-checkouts')
  expect(waiting.map(({ id }) => id)).toContain(checkout.id)

  const money = { checkoutId: checkout.id, amount: '39.99', reference: 'bank-1' }
  expect((await record({ ...money, amount: '39.98' })).statusCode).toBe(400)
  expect((await record({ ...money, currency: 'EUR' })).statusCode).toBe(400)
  const recorded = await record(money)
  expect(recorded.statusCode).toBe(201)
  expect(recorded.json()).toMatchObject({ status: 'active', planId: 'vip', provider: 'invoice' })
  // The same reference again is the same money.
  expect((await record(money)).json()).toEqual(recorded.json())
  expect((await billing.ownStanding(person)).planNames).toEqual(['VIP'])
  const payments = await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
  expect(payments).toHaveLength(1)
  expect((await billing.call<Checkout[]>(admin, 'GET', '/api/admin/invoice-checkouts')).map(({ id }) => id)).not.toContain(checkout.id)
  const other = await begin(await newPerson(), 'vip')
  expect((await record({ ...money, checkoutId: other.id })).statusCode).toBe(409)

  const agreementId = recorded.json().id as string
  const longer = (await record({ agreementId, amount: '79.98', months: 2, reference: 'bank-2' })).json() as Agreement
  const months = (new Date(longer.paidUntil as string).getTime() - new Date(recorded.json().paidUntil as string).getTime()) / 86_400_000
  expect(months).toBeGreaterThanOrEqual(59)
  expect(months).toBeLessThanOrEqual(62)
  expect((await record({ agreementId: newId(), amount: '39.99', reference: 'bank-3' })).statusCode).toBe(404)
  expect((await record({ amount: '39.99', reference: 'bank-3' })).statusCode).toBe(400)
})

it('nobody charges an invoice by themselves: what is not paid again is kept for 30 days and ends', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'pro')
  const agreement = (await record({ checkoutId: checkout.id, amount: '150', reference: `bank-${checkout.id}` })).json() as Agreement
  test.clock.set(new Date(new Date(agreement.paidUntil as string).getTime() + 1000))
  await runExpiry()
  expect((await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements'))[0]).toMatchObject({
    status: 'past_due',
    graceUntil: expect.any(String),
  })
  expect((await billing.ownStanding(person)).planNames).toEqual(['Pro'])
  test.clock.advance({ days: 30 })
  await runExpiry()
  expect((await billing.ownStanding(person)).planNames).toEqual([])
  // Money that comes late begins anew, from that day.
  const again = (await record({ agreementId: agreement.id, amount: '150.00', reference: `late-${checkout.id}` })).json() as Agreement
  expect(again.status).toBe('active')
  expect((await billing.ownStanding(person)).planNames).toEqual(['Pro'])
})

it('two admins who record the same money at once record it once', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'vip')
  const money = { checkoutId: checkout.id, amount: '39.99', reference: 'twice' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => record(money)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
  expect(await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')).toHaveLength(1)
})

it('what is given back is never more than what was paid, in whatever parts', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'vip')
  await record({ checkoutId: checkout.id, amount: '39.99', reference: `refund-${checkout.id}` })
  const [payment] = await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
  const id = payment?.id as string
  const refund = (cents: number) =>
    test.request('POST', `/api/admin/payments/${id}/refunds`, admin, { amount: formatCents(cents), reason: 'Asked for it' })
  expect((await refund(0)).statusCode).toBe(400)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 4500 }), { minLength: 1, maxLength: 6 }), async (parts) => {
      await test.db.updateTable('payments').set({ refunded_cents: 0, status: 'paid' }).where('id', '=', id).execute()
      let back = 0
      for (const part of parts) {
        const answer = await refund(part)
        expect(answer.statusCode).toBe(back + part <= 3999 ? 200 : 400)
        if (answer.statusCode !== 200) continue
        back += part
        expect(answer.json()).toMatchObject({
          status: back === 3999 ? 'refunded' : 'partially_refunded',
          refunded: { amount: formatCents(back), currency: 'USD' },
        })
      }
    }),
    { numRuns: 15 },
  )
})
