import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Agreement, Payment } from '#contracts/billing.ts'
import { billingOf } from '#tests/support/billing.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { billingJobs } from './billing.jobs.ts'
import { longDay, sendConfirmation } from './confirmations.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp({ env: { BILLING_NAME: 'SG Media', PUBLIC_URL: 'https://grove.example' } })
  billing = billingOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  person = await test.signUp()
  await billing.stayIn()
})

const confirmations = async (to = person) =>
  (await mailsTo(test, to.email)).filter(({ subject }) => subject.startsWith('SG Media:')).toReversed()
const subjects = async () => (await confirmations()).map(({ subject }) => subject)
const turn = (id: string, what: 'cancellation' | 'resumption') =>
  billing.call<Agreement>(person, 'POST', `/api/billing/agreements/${id}/${what}`)
const payments = () => billing.call<Payment[]>(person, 'GET', '/api/billing/payments')
const isReceipt = (mail: Awaited<ReturnType<typeof confirmations>>[number] | undefined) => {
  const [file] = mail?.attachments ?? []
  return file && [file.filename, file.contentType, Buffer.from(file.content, 'base64').subarray(0, 5).toString()]
}

it('confirms a purchase with its terms, price, renewal, cancellation, and receipt', async () => {
  // A confirmation isn't a notification, so notification preferences don't apply.
  await billing.call(person, 'PATCH', '/api/notification-preferences', {
    isEmailOn: false,
    emailRhythm: 'weekly',
    quietHours: { from: 0, until: 1439 },
  })
  const bought = await billing.buy(person, { planId: 'vip' })
  const [mail, ...more] = await confirmations()
  expect(more).toEqual([])
  expect(mail?.subject).toBe('SG Media: your receipt')
  for (const words of ['VIP', '$39.99 per month', `renews on ${longDay(new Date(bought.paidUntil as string))}`, 'until you cancel']) {
    expect(mail?.text).toContain(words)
  }
  expect(mail?.text).toContain(
    'You can cancel at any time under Billing. You’ll keep it until the end of the paid period: https://grove.example/billing',
  )
  expect(mail?.text).toContain('Test mode: no money moved.')
  const [payment] = await payments()
  expect(isReceipt(mail)).toEqual([`receipt-${payment?.receiptNumber}.pdf`, 'application/pdf', '%PDF-'])
})

it('confirms a renewal, cancellation, resumption, and refund once each, despite repeated messages', async () => {
  const bought = await billing.buy(person, { planId: 'pro' })
  test.clock.set(new Date(new Date(bought.paidUntil as string).getTime() + 60_000))
  for (let i = 0; i < 3; i++) {
    await billingJobs(test.ctx)['billing.run-test-provider']({})
    await billingJobs(test.ctx)['billing.reconcile']({})
    await test.runJobs()
  }
  for (const what of ['cancellation', 'cancellation', 'resumption', 'resumption'] as const) await turn(bought.id, what)
  await billingJobs(test.ctx)['billing.run-test-provider']({})
  await test.runJobs()
  const admin = await test.signUp()
  await giveRole(test, admin, 'admin')
  await billing.stayIn()
  const [renewal] = await payments()
  await billing.call(admin, 'POST', `/api/admin/payments/${renewal?.id}/refunds`, { amount: '20.00', reason: 'A bad week' })
  await billing.call(admin, 'POST', `/api/admin/payments/${renewal?.id}/refunds`, { amount: '30.00', reason: 'Another one' })
  const mails = await confirmations()
  expect(mails.map(({ subject }) => subject)).toEqual([
    'SG Media: your receipt',
    'SG Media: your renewal receipt',
    'SG Media: your cancellation',
    'SG Media: your plan is resumed',
    'SG Media: your refund',
    'SG Media: your refund',
  ])
  expect(mails[2]?.text).toContain('It stays active until')
  expect(mails[2]?.text).toContain('You won’t be charged again.')
  expect(mails[4]?.text).toContain('$20.00 was refunded for Pro.')
  expect(mails[5]?.text).toContain('$30.00 was refunded for Pro.')
  expect(mails.every((mail) => isReceipt(mail)?.[1] === 'application/pdf')).toBe(true)
  expect(isReceipt(mails[5])?.[0]).toBe(`receipt-${renewal?.receiptNumber}.pdf`)
})

it('offers to resume only what the payer can resume', async () => {
  const old = await billing.buy(person, { planId: 'pro' })
  const bought = await billing.buy(person, { planId: 'vip', replaces: old.id })
  await confirmations()
  await turn(bought.id, 'cancellation')
  const canceled = (await confirmations()).filter(({ subject }) => subject.endsWith('your cancellation'))
  expect(canceled.map(({ text }) => /^(Pro|VIP) is canceled/m.exec(text)?.[1])).toEqual(['Pro', 'VIP'])
  expect(canceled.map(({ text }) => text.includes('you can resume it'))).toEqual([false, true])
})

it('sends a confirmation exactly once after the mail server was down', async () => {
  const { send } = test.ctx.mail
  test.ctx.mail.send = async () => {
    throw new Error('The mail server is away.')
  }
  await billing.buy(person, { planId: 'vip' })
  await test.runJobs().catch(() => {})
  expect(await subjects().catch(() => [])).toEqual([])
  test.ctx.mail.send = send
  const [payment] = await payments()
  const job = {
    agreementId: payment?.agreementId as string,
    at: test.clock.now().toISOString(),
    event: 'paid' as const,
    paymentId: payment?.id as string,
  }
  for (let i = 0; i < 3; i++) await sendConfirmation(test.ctx, job)
  expect(await subjects()).toEqual(['SG Media: your receipt'])
})

it('sends a confirmation exactly once even if the database is lost right after it', async () => {
  const { id: agreementId } = await billing.buy(person, { planId: 'vip' })
  const sent: string[] = []
  let losses = 2
  const db = new Proxy(test.db, {
    get(target, name) {
      if (name === 'insertInto' && losses-- > 0) throw new Error('Connection terminated unexpectedly')
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const mail = { ...test.ctx.mail, send: async ({ subject }: { subject: string }) => void sent.push(subject) }
  const job = { agreementId, at: test.clock.now().toISOString(), event: 'resumed' as const }
  for (let runs = 0; runs < 3; runs++) await sendConfirmation({ ...test.ctx, db, mail }, job).catch(() => {})
  expect(sent).toEqual(['SG Media: your plan is resumed'])
})

it('never emails demo accounts', async () => {
  await billing.buy(person, { planId: 'vip' })
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()
  expect(await confirmations()).toEqual([])
})
