import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignInState } from '#contracts/sign-in.ts'
import { OutsideRefused } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { createAuthenticator } from '#tests/support/authenticator.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { makeKey, makePersonKey } from '#tests/support/keys.ts'
import { lockAuditLog, untilWaiting } from '#tests/support/locks.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { issueChangeToken } from './change-email.ts'

let t: TestApp
let person: TestPerson
const mails: Mail[] = []
const logged: string[] = []
let addresses = 0
const outside = {
  check: async () => {},
  call: async (): Promise<never> => {
    throw new OutsideRefused('It doesn’t respond.')
  },
}
const newAddress = () => `new-${++addresses}@example.com`

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line), outside })
  t.ctx.mail.send = async (mail) => void mails.push(mail)
})
afterAll(() => t.close())
beforeEach(async () => {
  person = await t.signUp()
  await t.runJobs()
  mails.length = 0
})

const ask = (email: string, { as = person, password }: { as?: TestPerson; password?: string } = {}) =>
  t.request('POST', '/api/sign-in/email', as, { email, password: password ?? as.password })
const state = async (as = person) => (await t.request('GET', '/api/sign-in', as)).json() as SignInState
const confirm = (token: string) => t.request('POST', '/api/auth/email-changes', null, { token })
const undo = (token: string) => t.request('POST', '/api/auth/email-change-undos', null, { token })
const mailsTo = async (address: string) => {
  await t.runJobs()
  return mails.filter(({ to }) => to === address)
}
async function tokenIn(address: string, kind: 'new-email' | 'undo-email' | 'reset'): Promise<string> {
  const texts = (await mailsTo(address)).map(({ text }) => text).reverse()
  const pattern = kind === 'reset' ? /\/auth\/reset\?token=(\S+)/ : new RegExp(`/auth/verify\\?token=(\\S+)&kind=${kind}`)
  const found = texts.map((text) => pattern.exec(text)?.[1]).find((token) => token !== undefined)
  if (!found) throw new Error(`no ${kind} link for ${address} in ${JSON.stringify(texts)}`)
  return found
}
async function moveTo(email: string, as = person): Promise<{ undoToken: string }> {
  expect((await ask(email, { as })).statusCode).toBe(204)
  expect((await confirm(await tokenIn(email, 'new-email'))).statusCode).toBe(204)
  return { undoToken: await tokenIn(as.email, 'undo-email') }
}
const login = (email: string, password = person.password) => t.request('POST', '/api/login', null, { email, password })
const audited = async () => {
  const rows = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', person.user.id).orderBy('sequence').execute()
  return rows.map(({ action }) => action)
}

describe('changing the email address', () => {
  it('takes effect once the new address is confirmed, with two notices to the old one', async () => {
    const email = newAddress()
    expect((await ask(email, { password: 'wrong' })).json().fields).toEqual({ password: 'This isn’t your password.' })
    expect((await ask(` ${email.toUpperCase()} `)).statusCode).toBe(204)
    expect(await state()).toMatchObject({ email: person.email, emailChange: { email } })
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(['Sungrove: someone asked to change your email address'])
    expect((await login(person.email)).statusCode).toBe(200)
    expect((await login(email)).statusCode).toBe(401)

    const token = await tokenIn(email, 'new-email')
    expect((await confirm(token)).statusCode).toBe(204)
    // Mail clients and impatient people open links twice.
    expect((await confirm(token)).statusCode).toBe(204)
    expect(await state()).toMatchObject({ email, emailChange: null })
    expect((await t.request('GET', '/api/auth/user', person)).json()).toMatchObject({ email, isEmailVerified: true })
    expect([(await login(person.email)).statusCode, (await login(email)).statusCode]).toEqual([401, 200])
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'Sungrove: someone asked to change your email address',
      'Sungrove: your email address was changed',
    ])
    expect(await audited()).toEqual(['email.change_requested', 'email.changed'])
    const kept = JSON.stringify([logged, await t.db.selectFrom('audit_log').selectAll().execute()])
    for (const secret of [token, token.split('.')[1] as string, email]) expect(kept).not.toContain(secret)
  })

  it('refuses the current address and expires after a day', async () => {
    expect((await ask(person.email.toUpperCase())).json().fields).toEqual({ email: 'This is already your address.' })
    const email = newAddress()
    await ask(email)
    const token = await tokenIn(email, 'new-email')
    t.clock.advance({ hours: 24 })
    expect((await confirm(token)).json().code).toBe('invalid_token')
    expect((await state()).emailChange).toBeNull()
    expect((await confirm('0190a1b2-0000-7000-8000-000000000000.x')).json().code).toBe('invalid_token')
  })

  it('can be canceled or replaced, which voids earlier links', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await ask(first)
    const firstToken = await tokenIn(first, 'new-email')
    await ask(second)
    expect((await confirm(firstToken)).json().code).toBe('invalid_token')
    const secondToken = await tokenIn(second, 'new-email')
    expect((await t.request('DELETE', '/api/sign-in/email', person)).statusCode).toBe(204)
    expect((await t.request('DELETE', '/api/sign-in/email', person)).statusCode).toBe(204)
    expect((await confirm(secondToken)).json().code).toBe('invalid_token')
    expect(await state()).toMatchObject({ email: person.email, emailChange: null })
    expect(await audited()).toEqual(['email.change_requested', 'email.change_requested', 'email.change_cancelled'])
  })

  it('responds to a taken address as to any other and notifies its owner', async () => {
    const other = await t.signUp()
    const [taken, free] = [await ask(other.email), await ask(newAddress())]
    expect([taken.statusCode, taken.body, Object.keys(taken.headers).sort()]).toEqual([204, free.body, Object.keys(free.headers).sort()])
    await ask(other.email)
    expect((await state()).emailChange?.email).toBe(other.email)
    const received = await mailsTo(other.email)
    expect(received.map(({ subject }) => subject)).toContain('Sungrove: this address already has an account')
    expect(received.some(({ text }) => text.includes('kind=new-email'))).toBe(false)
  })

  it('succeeds for only one of two accounts that confirm the same address, and gives the other the reason', async () => {
    const other = await t.signUp()
    const email = newAddress()
    await ask(email)
    const first = await tokenIn(email, 'new-email')
    await ask(email, { as: other })
    const second = await tokenIn(email, 'new-email')
    const answers = await Promise.all([confirm(first), confirm(second)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      code: 'email_taken',
      message: 'This address now belongs to another account. Your account keeps its current address.',
    })
    const owners = await t.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(owners).toHaveLength(1)
  })

  it('voids password links in the old mailbox', async () => {
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    const reset = await tokenIn(person.email, 'reset')
    await moveTo(newAddress())
    const refused = await t.request('POST', '/api/auth/password-resets', null, { token: reset, password: 'eleven small lamps at night' })
    expect(refused.json().code).toBe('invalid_token')
  })

  it('is dropped when a new password is set through the old mailbox', async () => {
    const email = newAddress()
    await ask(email)
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    const token = await tokenIn(person.email, 'reset')
    await t.request('POST', '/api/auth/password-resets', null, { token, password: 'eleven small lamps at night' })
    expect((await confirm(await tokenIn(email, 'new-email'))).json().code).toBe('invalid_token')
  })

  it('is refused if a password reset ends the session after the password is checked', async () => {
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    const reset = { token: await tokenIn(person.email, 'reset'), password: 'eleven small lamps at night' }
    const calls = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const resetting = t.request('POST', '/api/auth/password-resets', null, reset)
      await untilWaiting(t.db)
      const asking = ask(newAddress())
      await untilWaiting(t.db, { count: 2 })
      return { resetting, asking }
    })
    expect([(await calls.resetting).statusCode, (await calls.asking).statusCode]).toEqual([204, 401])
    expect(await t.db.selectFrom('email_changes').select('id').where('user_id', '=', person.user.id).execute()).toEqual([])
  })
})

describe('the link to undo a change', () => {
  it('cancels a pending change and ends every session', async () => {
    const email = newAddress()
    await ask(email)
    expect((await undo(await tokenIn(person.email, 'undo-email'))).statusCode).toBe(204)
    expect((await confirm(await tokenIn(email, 'new-email'))).json().code).toBe('invalid_token')
    expect((await t.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
    // The person who requested the change knows the password.
    expect((await login(person.email)).statusCode).toBe(401)
    const password = 'nine quiet boats upstream'
    const reset = await t.request('POST', '/api/auth/password-resets', null, { token: await tokenIn(person.email, 'reset'), password })
    expect([reset.statusCode, (await login(person.email, password)).statusCode]).toEqual([204, 200])
  })

  it('restores the address once within 7 days and removes sign-in methods added since', async () => {
    // An attacker who knows the password sets another address, another password and a passkey.
    const { undoToken } = await moveTo(newAddress())
    const device = createAuthenticator({ origin: new URL(t.ctx.config.publicUrl).origin })
    const options = await t.request('POST', '/api/sign-in/passkeys/options', person, { password: person.password })
    const added = await t.request('POST', '/api/sign-in/passkeys', person, { name: 'Thief', answer: device.make(options.json()) })
    expect(added.statusCode, added.body).toBe(201)
    const stolen = 'eleven small lamps at night'
    await t.request('POST', '/api/sign-in/password', person, { currentPassword: person.password, password: stolen })

    t.clock.advance({ days: 6 })
    const both = await Promise.all([undo(undoToken), undo(undoToken)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400])
    expect((await t.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
    expect((await login(person.email, stolen)).statusCode).toBe(401)
    expect(await t.db.selectFrom('passkeys').select('id').where('user_id', '=', person.user.id).execute()).toEqual([])
    const password = 'nine quiet boats upstream'
    const reset = await t.request('POST', '/api/auth/password-resets', null, { token: await tokenIn(person.email, 'reset'), password })
    expect(reset.statusCode).toBe(204)
    expect((await login(person.email, password)).statusCode).toBe(200)
    expect(await audited()).toContain('email.change_undone')
  })

  it('keeps an account that was connected before the change, even if it has been used since', async () => {
    const account = { id: newId(), user_id: person.user.id, provider_id: 'openid https://id.example', account_id: person.user.id }
    await t.db
      .insertInto('credentials')
      .values({ ...account, created_at: t.clock.now(), updated_at: t.clock.now() })
      .execute()
    t.clock.advance({ hours: 1 })
    await ask(newAddress())
    const token = await tokenIn(person.email, 'undo-email')
    t.clock.advance({ hours: 1 })
    await t.db.updateTable('credentials').set({ updated_at: t.clock.now() }).where('id', '=', account.id).execute()
    expect((await undo(token)).statusCode).toBe(204)
    const left = await t.db.selectFrom('credentials').select('provider_id').where('user_id', '=', person.user.id).execute()
    expect(left).toEqual([{ provider_id: 'openid https://id.example' }])
  })

  it('ends access given to programs since, and lists the keys that still work in the email after the next password', async () => {
    const shop = await addBusiness(t.db)
    await joinBusiness(t.db, person.user.id, shop.id)
    const hunt = await addHunt(t.db, person.user.id)
    await makeKey(t, shop.id, person, { name: 'Front register' })
    t.clock.advance({ minutes: 1 })
    const { undoToken } = await moveTo(newAddress())
    await makeKey(t, shop.id, person, { name: 'Not theirs' })
    const made = [
      await t.request('POST', `/api/businesses/${shop.id}/webhooks`, person, { url: 'https://a.example', events: ['review.created'] }),
      await t.request('PUT', `/api/businesses/${shop.id}/menu-source`, person, { url: 'https://a.example', schedule: 'nightly' }),
      await t.request('POST', `/api/pheno-hunts/${hunt.id}/sensor-keys`, person, { sensorName: 'Tent' }),
    ]
    for (const { statusCode, body } of made) expect(statusCode, body).toBeLessThan(300)
    t.clock.advance({ minutes: 1 })
    expect((await undo(undoToken)).statusCode).toBe(204)
    const password = 'nine quiet boats upstream'
    await t.request('POST', '/api/auth/password-resets', null, { token: await tokenIn(person.email, 'reset'), password })
    const text = (await mailsTo(person.email)).findLast(({ subject }) => subject === 'Sungrove: your password was changed')?.text
    expect(text).toContain('These API keys for your businesses still work: Front register.')
    const manager = await t.signUp()
    await joinBusiness(t.db, manager.user.id, shop.id, 'manager')
    const read = async (path: string) => (await t.request('GET', `/api/businesses/${shop.id}${path}`, manager)).json()
    expect(await read('/keys')).toMatchObject([{ name: 'Not theirs', state: 'revoked' }, { state: 'working' }])
    expect(await read('/webhooks')).toMatchObject([{ state: 'stopped' }])
    expect((await read('/menu-source')).source).toMatchObject({ state: 'stopped' })
    expect(await t.db.selectFrom('sensor_keys').select('id').where('created_by', '=', person.user.id).execute()).toEqual([])
  })

  it('deletes API keys created since, and keeps earlier ones', async () => {
    const earlier = await makePersonKey(t, person, { name: 'Field Book' })
    t.clock.advance({ minutes: 1 })
    const { undoToken } = await moveTo(newAddress())
    await makePersonKey(t, person, { name: 'Not theirs' })
    expect((await undo(undoToken)).statusCode).toBe(204)
    const left = await t.db.selectFrom('person_keys').select('id').where('user_id', '=', person.user.id).execute()
    expect(left).toEqual([{ id: earlier.key.id }])
  })

  it('works after a second change, and voids the second change’s link', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const { undoToken } = await moveTo(first)
    expect((await ask(second)).statusCode).toBe(204)
    expect((await confirm(await tokenIn(second, 'new-email'))).statusCode).toBe(204)
    const thiefs = await tokenIn(first, 'undo-email')
    expect((await undo(undoToken)).statusCode).toBe(204)
    expect((await undo(thiefs)).json().code).toBe('invalid_token')
    const { email } = await t.db.selectFrom('users').select('email').where('id', '=', person.user.id).executeTakeFirstOrThrow()
    expect(email).toBe(person.email)
  })

  const registration = () => ({ email: person.email, password: person.password, firstName: 'A', lastName: 'B', birthday: '1990-04-01' })
  const register = () => t.request('POST', '/api/register', null, registration())

  it('reserves the old address, and emails people who sign up with it the date it becomes available', async () => {
    t.clock.set('2027-01-04T10:00:00Z')
    person = await t.signUp()
    await moveTo(newAddress())
    await t.ctx.jobs.enqueue('accounts.mail-existing-account', { email: person.email })
    await t.request('POST', '/api/auth/email-verification-requests', null, { email: person.email })
    const isReserved = ({ subject }: Mail) => subject === 'Sungrove: this address isn’t available yet'
    const found = (await mailsTo(person.email)).filter(isReserved)
    expect(found.map(({ text }) => /Starting (.+), you/.exec(text)?.[1])).toEqual(Array(2).fill('January 12, 2027'))
    t.clock.advance({ days: 8 })
    expect((await register()).statusCode).toBe(201)
  })

  it('expires after 7 days and reserves the old address until then', async () => {
    const { undoToken } = await moveTo(newAddress())
    expect((await register()).json().code).toBe('email_taken')
    const other = await t.signUp()
    await ask(person.email, { as: other })
    const theirs = await tokenIn(person.email, 'new-email')
    expect((await confirm(theirs)).json().code).toBe('email_taken')
    t.clock.advance({ days: 7 })
    expect((await undo(undoToken)).json().code).toBe('invalid_token')
    expect((await register()).statusCode).toBe(201)
  })

  async function confirmOther() {
    const other = await t.signUp()
    await ask(person.email, { as: other })
    const change = await t.db.selectFrom('email_changes').select('id').where('user_id', '=', other.user.id).executeTakeFirstOrThrow()
    // As if the link had been emailed before the address had an account.
    const token = await issueChangeToken(t.ctx, 'confirm', change.id)
    return () => confirm(token)
  }
  it.each([
    ['registers the old address', async () => register],
    ['confirms the old address as their new one', confirmOther],
  ])('still works if someone %s during the change', async (_name, prepare) => {
    const email = newAddress()
    await ask(email)
    const token = await tokenIn(email, 'new-email')
    const take = await prepare()
    const calls = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const confirming = confirm(token)
      await untilWaiting(t.db)
      const taking = take()
      await untilWaiting(t.db, { count: 2 })
      return { confirming, taking }
    })
    expect((await calls.confirming).statusCode).toBe(204)
    expect((await calls.taking).json().code).toBe('email_taken')
    expect((await undo(await tokenIn(person.email, 'undo-email'))).statusCode).toBe(204)
  })

  it('leaves no record of the change once it expires', async () => {
    await moveTo(newAddress())
    t.clock.advance({ days: 9 })
    await t.ctx.jobs.enqueue('accounts.purge-expired', {})
    await t.runJobs()
    expect(await t.db.selectFrom('email_changes').select('id').where('user_id', '=', person.user.id).execute()).toEqual([])
  })
})
