import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ env: { SUPPORT_EMAIL: 'help@grove.example' } })
})
afterAll(() => test?.close())

const request = (subject: string) => ({ subject, message: 'My page shows the wrong hours.' })
const ask = (as: TestPerson | null, subject: string) => test.request('POST', '/api/support-requests', as, request(subject))
const inbox = async (subject: string) => (await mailsTo(test, 'help@grove.example')).filter((mail) => mail.subject.includes(subject))

it('prioritizes only requests by VIP members and teams with a support plan', async () => {
  const [plain, vip, pro, staff, lapsed] = (await Promise.all([1, 2, 3, 4, 5].map(() => test.signUp()))) as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ]
  const shop = await addBusiness(test.db)
  await joinBusiness(test.db, staff.user.id, shop.id, 'staff')
  await grantPlan(test.db, { businessId: shop.id, planId: 'verified' })
  await grantPlan(test.db, { userId: vip.user.id, planId: 'vip' })
  await grantPlan(test.db, { userId: pro.user.id, planId: 'pro' })
  await grantPlan(test.db, { userId: lapsed.user.id, planId: 'vip', until: new Date(test.clock.now().getTime() - 1000) })
  for (const [name, person, isPriority] of [
    ['Plain', plain, false],
    ['Pro', pro, false],
    ['Lapsed', lapsed, false],
    ['Vip', vip, true],
    ['Staff', staff, true],
  ] as const) {
    const answer = await ask(person, `${name} asks`)
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json()).toEqual({ isPriority, answerDays: isPriority ? 1 : 3 })
    const [mail, ...more] = await inbox(`${name} asks`)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Sungrove: ${isPriority ? '[Priority] ' : ''}${name} asks`)
    expect(mail?.headers?.['Reply-To']).toBe(person.email)
    expect(mail?.headers?.Importance).toBe(isPriority ? 'high' : undefined)
    expect(mail?.text).toContain('My page shows the wrong hours.')
    expect(mail?.text).toContain(`Reply within ${isPriority ? '1 business day' : '3 business days'}.`)
  }
})

it('sends one email per idempotency key, and refuses visitors and empty requests', async () => {
  const person = await test.signUp()
  const headers = { cookie: person.cookie, 'idempotency-key': 'one', 'sec-fetch-site': 'same-origin' }
  for (let i = 0; i < 2; i++) {
    const answer = await test.app.inject({ method: 'POST', url: '/api/support-requests', headers, payload: request('Asked once') })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  expect(await inbox('Asked once')).toHaveLength(1)
  expect((await ask(null, 'No One')).statusCode).toBe(401)
  expect((await ask(person, ' ')).json().fields).toEqual({ subject: 'Enter a subject' })
})

it('refuses demo accounts, which have no mailbox', async () => {
  const person = await test.signUp()
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()
  expect((await ask(person, 'From the demo')).statusCode).toBe(403)
})
