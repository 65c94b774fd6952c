import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agreement, Checkout, Payment } from '#contracts/billing.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { billingOf } from '#tests/support/billing.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { recordPayments } from './sync-agreement.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let admin: TestPerson

beforeAll(async () => {
  test = await startTestApp({ env: { BILLING_INVOICE_INSTRUCTIONS: 'Send it to account 12-34, with the number of the purchase.' } })
  billing = billingOf(test)
  admin = await test.signUp()
  await giveRole(test, admin, 'admin')
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

it('replaces the test provider, and starts a plan once an admin records the payment', async () => {
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
  expect((await record(money)).json()).toEqual(recorded.json())
  expect(await billing.ownPlans(person)).toEqual(['VIP'])
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

it('resumes an invoiced plan with the same paid period', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'pro')
  const bought = (await record({ checkoutId: checkout.id, amount: '150.00', reference: 'bank-resumed' })).json() as Agreement
  const turn = (what: string) => billing.call<Agreement>(person, 'POST', `/api/billing/agreements/${bought.id}/${what}`)
  expect(await turn('cancellation')).toMatchObject({ status: 'canceled', abilities: { resume: true } })
  expect(await turn('resumption')).toMatchObject({
    status: 'active',
    paidUntil: bought.paidUntil,
    abilities: { resume: false, cancel: true },
  })
})

it('never charges for an invoiced plan automatically, and ends the plan 30 days after a missed payment', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'pro')
  const agreement = (await record({ checkoutId: checkout.id, amount: '150', reference: `bank-${checkout.id}` })).json() as Agreement
  test.clock.set(new Date(new Date(agreement.paidUntil as string).getTime() + 1000))
  const mails: Mail[] = []
  test.ctx.mail.send = async (mail) => void mails.push(mail)
  await runExpiry()
  // No payment was attempted, so none failed.
  const [reminder, ...others] = mails.filter(({ to, subject }) => to === person.email && subject.includes('payment'))
  expect(others).toEqual([])
  expect(reminder).toMatchObject({
    subject: 'Sungrove: your payment is due',
    text: expect.stringContaining('no payment for the next one has arrived'),
  })
  expect((await billing.call<Agreement[]>(person, 'GET', '/api/billing/agreements'))[0]).toMatchObject({
    status: 'past_due',
    graceUntil: expect.any(String),
  })
  expect(await billing.ownPlans(person)).toEqual(['Pro'])
  test.clock.advance({ days: 30 })
  await runExpiry()
  expect(await billing.ownPlans(person)).toEqual([])
  const again = (await record({ agreementId: agreement.id, amount: '150.00', reference: `late-${checkout.id}` })).json() as Agreement
  expect(again.status).toBe('active')
  expect(await billing.ownPlans(person)).toEqual(['Pro'])
})

it('records the same payment only once, even concurrently', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'vip')
  const money = { checkoutId: checkout.id, amount: '39.99', reference: 'twice' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => record(money)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
  expect(await billing.call<Payment[]>(person, 'GET', '/api/billing/payments')).toHaveLength(1)
})

it('applies a payment reference to only one purchase, even concurrently', async () => {
  const checkouts = await Promise.all([newPerson(), newPerson(), newPerson()].map(async (person) => begin(await person, 'vip')))
  const answers = await Promise.all(checkouts.map(({ id }) => record({ checkoutId: id, amount: '39.99', reference: 'one-transfer' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
})

it('never refunds more than was paid, in any number of parts', async () => {
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

it('never takes real money from the shared demo account', async () => {
  const person = await newPerson()
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()
  const refused = await test.request('POST', '/api/billing/checkouts', person, { provider: 'invoice', planId: 'vip' })
  expect(refused.statusCode).toBe(403)
  expect(refused.json().message).toContain('Demo')
})

it('keeps a refund recorded while the provider is being queried', async () => {
  const person = await newPerson()
  const checkout = await begin(person, 'vip')
  const { id: agreementId } = (await record({ checkoutId: checkout.id, amount: '39.99', reference: `race-${checkout.id}` })).json()
  const agreement = await test.db.selectFrom('agreements').selectAll().where('id', '=', agreementId).executeTakeFirstOrThrow()
  const payment = await test.db.selectFrom('payments').selectAll().where('agreement_id', '=', agreementId).executeTakeFirstOrThrow()
  const heard = {
    id: payment.provider_payment_id,
    amountCents: 3999,
    currency: 'USD',
    status: 'partially_refunded' as const,
    refundedCents: null,
    madeAt: payment.paid_at,
  }
  let hearing: Promise<unknown> = Promise.resolve()
  // The admin's refund is written but not committed when the provider's response is applied.
  await test.db.transaction().execute(async (tx) => {
    const note = { refunded_cents: 1000, status: 'partially_refunded' as const, refund_reason: 'Broken' }
    await tx.updateTable('payments').set(note).where('id', '=', payment.id).execute()
    hearing = inTransaction(test.db, (other) => recordPayments(test.ctx, other, agreement, [heard], []))
    await sleep(100)
  })
  await hearing
  const after = await test.db.selectFrom('payments').select(['refunded_cents', 'status']).where('id', '=', payment.id).executeTakeFirst()
  expect(after).toEqual({ refunded_cents: 1000, status: 'partially_refunded' })
  // The payment has been fully refunded in two parts. A provider's “partially refunded” without an amount doesn't undo that.
  await test.db.updateTable('payments').set({ refunded_cents: 3999, status: 'refunded' }).where('id', '=', payment.id).execute()
  await inTransaction(test.db, (tx) => recordPayments(test.ctx, tx, agreement, [heard], []))
  const whole = await test.db.selectFrom('payments').select('status').where('id', '=', payment.id).executeTakeFirst()
  expect(whole).toEqual({ status: 'refunded' })
})
