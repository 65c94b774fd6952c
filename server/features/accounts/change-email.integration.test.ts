import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignInState } from '../../../contracts/sign-in.ts'
import { createAuthenticator } from '../../../tests/support/authenticator.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { newId } from '../../kernel/ids.ts'
import type { Mail } from '../../kernel/mail.ts'

let t: TestApp
let person: TestPerson
const mails: Mail[] = []
const logged: string[] = []
let addresses = 0
const newAddress = () => `new-${++addresses}@example.com`

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line) })
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
/** The token of the newest link of a kind in a mailbox. */
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

describe('another address', () => {
  it('counts once its own mailbox has confirmed it; the old one is told twice', async () => {
    const email = newAddress()
    expect((await ask(email, { password: 'wrong' })).json().fields).toEqual({ password: 'This is not your password.' })
    expect((await ask(` ${email.toUpperCase()} `)).statusCode).toBe(204)
    expect(await state()).toMatchObject({ email: person.email, emailChange: { email } })
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(['Sungrove: somebody asked to change your email address'])
    expect((await login(person.email)).statusCode).toBe(200)
    expect((await login(email)).statusCode).toBe(401)

    const token = await tokenIn(email, 'new-email')
    expect((await confirm(token)).statusCode).toBe(204)
    // Mail programs and hasty people open links twice.
    expect((await confirm(token)).statusCode).toBe(204)
    expect(await state()).toMatchObject({ email, emailChange: null })
    expect((await t.request('GET', '/api/auth/user', person)).json()).toMatchObject({ email, isEmailVerified: true })
    expect([(await login(person.email)).statusCode, (await login(email)).statusCode]).toEqual([401, 200])
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'Sungrove: somebody asked to change your email address',
      'Sungrove: your email address was changed',
    ])
    expect(await audited()).toEqual(['email.change_requested', 'email.changed'])
    const kept = JSON.stringify([logged, await t.db.selectFrom('audit_log').selectAll().execute()])
    for (const secret of [token, token.split('.')[1] as string, email]) expect(kept).not.toContain(secret)
  })

  it('is not the one that it has, and the link lasts a day', async () => {
    expect((await ask(person.email.toUpperCase())).json().fields).toEqual({ email: 'This is your address already.' })
    const email = newAddress()
    await ask(email)
    const token = await tokenIn(email, 'new-email')
    t.clock.advance({ hours: 24 })
    expect((await confirm(token)).json().code).toBe('invalid_token')
    expect((await state()).emailChange).toBeNull()
    expect((await confirm('0190a1b2-0000-7000-8000-000000000000.x')).json().code).toBe('invalid_token')
  })

  it('can be given up, and replaced by another one; the links before are good for nothing', async () => {
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

  it('that is taken is answered like any other; its owner is told', async () => {
    const other = await t.signUp()
    const [taken, free] = [await ask(other.email), await ask(newAddress())]
    expect([taken.statusCode, taken.body, Object.keys(taken.headers).sort()]).toEqual([204, free.body, Object.keys(free.headers).sort()])
    await ask(other.email)
    expect((await state()).emailChange?.email).toBe(other.email)
    const told = await mailsTo(other.email)
    expect(told.map(({ subject }) => subject)).toContain('Sungrove: this address has an account')
    expect(told.some(({ text }) => text.includes('kind=new-email'))).toBe(false)
  })

  it('that two accounts confirm at once becomes one’s; the other is told so', async () => {
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
      message: 'This address belongs to another account by now. Yours keeps the address it has.',
    })
    const owners = await t.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(owners).toHaveLength(1)
  })

  it('ends links to set a password that lie in the old mailbox', async () => {
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    const reset = await tokenIn(person.email, 'reset')
    await moveTo(newAddress())
    const refused = await t.request('POST', '/api/auth/password-resets', null, { token: reset, password: 'eleven small lamps at night' })
    expect(refused.json().code).toBe('invalid_token')
  })

  it('stops waiting when somebody sets a new password through the old mailbox', async () => {
    const email = newAddress()
    await ask(email)
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    const token = await tokenIn(person.email, 'reset')
    await t.request('POST', '/api/auth/password-resets', null, { token, password: 'eleven small lamps at night' })
    expect((await confirm(await tokenIn(email, 'new-email'))).json().code).toBe('invalid_token')
  })
})

describe('the link against it', () => {
  it('stops a change that waits, and ends every session', async () => {
    const email = newAddress()
    await ask(email)
    expect((await undo(await tokenIn(person.email, 'undo-email'))).statusCode).toBe(204)
    expect((await confirm(await tokenIn(email, 'new-email'))).json().code).toBe('invalid_token')
    expect((await t.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
    // Whoever asked for it knows the password.
    expect((await login(person.email)).statusCode).toBe(401)
    const password = 'nine quiet boats upstream'
    const reset = await t.request('POST', '/api/auth/password-resets', null, { token: await tokenIn(person.email, 'reset'), password })
    expect([reset.statusCode, (await login(person.email, password)).statusCode]).toEqual([204, 200])
  })

  it('gives the account its address back within 7 days, once, and takes away what was made since', async () => {
    // Somebody who knows the password: another address, another password, a passkey.
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

  it('keeps a connected account that was there before, however often it was used since', async () => {
    const account = { id: newId(), user_id: person.user.id, provider_id: 'openid', account_id: person.user.id }
    await t.db
      .insertInto('credentials')
      .values({ ...account, created_at: t.clock.now(), updated_at: t.clock.now() })
      .execute()
    t.clock.advance({ hours: 1 })
    await ask(newAddress())
    const token = await tokenIn(person.email, 'undo-email')
    t.clock.advance({ hours: 1 })
    // As signing in does.
    await t.db.updateTable('credentials').set({ updated_at: t.clock.now() }).where('id', '=', account.id).execute()
    expect((await undo(token)).statusCode).toBe(204)
    const left = await t.db.selectFrom('credentials').select('provider_id').where('user_id', '=', person.user.id).execute()
    expect(left).toEqual([{ provider_id: 'openid' }])
  })

  it('works through a second change, whose own link is good for nothing then', async () => {
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

  it('is over after 7 days, and until then nobody else can take the old address', async () => {
    const { undoToken } = await moveTo(newAddress())
    const taking = { email: person.email, password: person.password, firstName: 'A', lastName: 'B', birthday: '1990-04-01' }
    expect((await t.request('POST', '/api/register', null, taking)).json().code).toBe('email_taken')
    const other = await t.signUp()
    await ask(person.email, { as: other })
    const theirs = await tokenIn(person.email, 'new-email')
    expect((await confirm(theirs)).json().code).toBe('email_taken')
    t.clock.advance({ days: 7 })
    expect((await undo(undoToken)).json().code).toBe('invalid_token')
    expect((await t.request('POST', '/api/register', null, taking)).statusCode).toBe(201)
  })

  it('is forgotten with its change once it is over', async () => {
    await moveTo(newAddress())
    t.clock.advance({ days: 9 })
    await t.ctx.jobs.enqueue('accounts.purge-expired', {})
    await t.runJobs()
    expect(await t.db.selectFrom('email_changes').select('id').where('user_id', '=', person.user.id).execute()).toEqual([])
  })
})
