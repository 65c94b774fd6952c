import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignInSession, SignInState } from '#contracts/sign-in.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { actorOf } from '#tests/support/actors.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { totp } from '#tests/support/totp.ts'
import { signOutEverywhere } from './profile.ts'

let t: TestApp
let person: TestPerson
const mails: Mail[] = []
const signals: LiveSignal[] = []
const logged: string[] = []
const better = 'eleven small lamps at night'

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line) })
  t.ctx.mail.send = async (mail) => void mails.push(mail)
  t.ctx.live.publish = async (signal) => void signals.push(signal)
})
afterAll(() => t.close())
beforeEach(async () => {
  person = await t.signUp()
  await t.runJobs()
  mails.length = 0
  signals.length = 0
})

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, as: TestPerson | null = person, body?: object) =>
  t.request(method, `/api/sign-in${url}`, as, body)
const state = async (as = person) => (await call('GET', '', as)).json() as SignInState
const isSignedIn = async (as: TestPerson) => (await t.request('GET', '/api/auth/user', as)).statusCode === 200

async function signIn({ userAgent = 'none', password = person.password, email = person.email } = {}): Promise<TestPerson> {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'user-agent': userAgent },
    payload: { email, password },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const session = answer.cookies.find(({ name }) => name === t.sessionCookieName)
  return { ...person, cookie: `${session?.name}=${encodeURIComponent(session?.value ?? '')}` }
}
const subjects = async () => {
  await t.runJobs()
  return mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
}
const audited = async () => {
  const rows = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', person.user.id).orderBy('sequence').execute()
  return rows.map(({ action }) => action)
}

describe('changing the password', () => {
  const change = (currentPassword: string, password: string, as = person) => call('POST', '/password', as, { currentPassword, password })

  it('requires the current password, ends every other session, and notifies the owner', async () => {
    const other = await signIn()
    expect((await change('wrong', better)).json().fields).toEqual({ currentPassword: 'This isn’t your password.' })
    expect(await isSignedIn(other)).toBe(true)
    expect((await change(person.password, better)).statusCode).toBe(204)
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false])
    expect(signals).toContainEqual({ kind: 'sessions', userIds: [person.user.id] })
    expect((await t.request('POST', '/api/login', null, { email: person.email, password: person.password })).statusCode).toBe(401)
    expect(await isSignedIn(await signIn({ password: better }))).toBe(true)
    expect(await subjects()).toEqual(['Sungrove: your password was changed'])
    expect(await audited()).toEqual(['password.changed'])
    const kept = JSON.stringify([logged, mails, await t.db.selectFrom('audit_log').selectAll().execute()])
    expect(kept).not.toContain(better)
  })

  it.each([
    ['a weak password', 'password1', 'weak_password'],
    ['the current password', 'seven green terraces at dawn', 'invalid_input'],
    ['a short password', 'short', 'invalid_input'],
  ])('refuses %s', async (_name, password, code) => {
    const refused = await change(person.password, password)
    expect([refused.json().code, Object.keys(refused.json().fields)]).toEqual([code, ['password']])
  })

  it('lets only one of two concurrent changes win', async () => {
    const answers = await Promise.all([change(person.password, better), change(person.password, 'nine quiet boats upstream')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400])
  })

  it('voids password links and a pending email address', async () => {
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    await call('POST', '/email', person, { email: 'elsewhere@example.com', password: person.password })
    await t.runJobs()
    const token = /\/auth\/reset\?token=(\S+)/.exec(mails.map(({ text }) => text).join('\n'))?.[1]
    expect((await change(person.password, better)).statusCode).toBe(204)
    const reset = await t.request('POST', '/api/auth/password-resets', null, { token, password: 'nine quiet boats upstream' })
    expect(reset.json().code).toBe('invalid_token')
    expect((await state()).emailChange).toBeNull()
  })

  it('works through an emailed link if the account has no password yet', async () => {
    await t.db.deleteFrom('credentials').where('user_id', '=', person.user.id).execute()
    expect(await state()).toMatchObject({ hasPassword: false, passwordChangedAt: null })
    expect((await change('anything', better)).json().code).toBe('conflict')
    expect((await call('POST', '/password-link')).statusCode).toBe(204)
    await t.runJobs()
    const token = /\/auth\/reset\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
    expect((await t.request('POST', '/api/auth/password-resets', null, { token, password: better })).statusCode).toBe(204)
    expect(await isSignedIn(person)).toBe(false)
    const again = await signIn({ password: better })
    expect(await state(again)).toMatchObject({ hasPassword: true })
    expect(await audited()).toEqual(['password.reset'])
  })

  it('is rate-limited like a sign-in', async () => {
    const { consume } = t.ctx.rateLimiter
    const counted: string[] = []
    t.ctx.rateLimiter.consume = async (allowance) => {
      counted.push(allowance)
      if (allowance === 'sign-in-email') throw new AppError('too_many_requests')
    }
    try {
      expect((await change(person.password, better)).statusCode).toBe(429)
      expect(counted).toEqual(['sign-in', 'sign-in-email'])
    } finally {
      t.ctx.rateLimiter.consume = consume
    }
    expect((await change(person.password, better)).statusCode).toBe(204)
  })
})

describe('the list of devices', () => {
  const list = async (as = person) => (await call('GET', '/sessions', as)).json() as SignInSession[]

  it('shows each device’s name, when it was last used, and which device is current', async () => {
    t.clock.advance({ hours: 1 })
    await signIn({
      userAgent: 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    })
    const [phone, own, ...more] = await list()
    expect(more).toEqual([])
    expect(phone).toMatchObject({ device: 'Chrome on Android', kind: 'phone', isCurrent: false })
    expect(own).toMatchObject({ isCurrent: true, device: null, kind: 'unknown' })
    // Recorded by the list request itself, an hour after the account was created.
    const noted = own?.lastUsedAt as string
    expect(Date.parse(noted) - Date.parse(own?.signedInAt as string)).toBeGreaterThanOrEqual(3_600_000)
    t.clock.advance({ minutes: 4 })
    expect((await list())[1]?.lastUsedAt).toBe(noted)
    t.clock.advance({ minutes: 2 })
    expect(Date.parse((await list())[1]?.lastUsedAt as string) - Date.parse(noted)).toBeGreaterThanOrEqual(360_000)
  })

  it('paginates', async () => {
    for (let n = 0; n < 4; n++) await signIn()
    const first = await call('GET', '/sessions?limit=3')
    const next = /<([^>]+)>/.exec(first.headers.link as string)?.[1] as string
    const second = await t.request('GET', next, person)
    const ids = [...first.json(), ...second.json()].map(({ id }: SignInSession) => id)
    expect(new Set(ids).size).toBe(5)
    expect(second.headers.link).toBeUndefined()
  })

  it('lets only the owner sign out one or all other devices, immediately', async () => {
    const [lost, kept] = [await signIn(), await signIn()]
    const stranger = await t.signUp()
    const [newest, second] = await list()
    expect((await call('DELETE', `/sessions/${second?.id}`, stranger)).statusCode).toBe(204)
    expect(await isSignedIn(lost)).toBe(true)
    expect((await call('DELETE', `/sessions/${second?.id}`)).statusCode).toBe(204)
    expect((await call('DELETE', `/sessions/${second?.id}`)).statusCode).toBe(204)
    expect([await isSignedIn(lost), await isSignedIn(kept)]).toEqual([false, true])
    expect((await list()).map(({ id }) => id)).toContain(newest?.id)
    expect((await call('POST', '/sessions/end-others')).json()).toEqual({ ended: 1 })
    expect([await isSignedIn(kept), await isSignedIn(person), await isSignedIn(stranger)]).toEqual([false, true, true])
    expect((await call('POST', '/sessions/end-others')).json()).toEqual({ ended: 0 })
    expect(await audited()).toEqual(['session.ended', 'session.others_ended'])
  })

  it('lets an admin sign a person out on all devices, and closes their open pages immediately', async () => {
    const admin = await t.signUp()
    expect(await signOutEverywhere(t.ctx, actorOf(admin.user.id), person.user.id)).toBe(1)
    expect(await isSignedIn(person)).toBe(false)
    expect(signals).toContainEqual({ kind: 'sessions', userIds: [person.user.id] })
  })
})

describe('access', () => {
  it('is denied to visitors', async () => {
    for (const [method, url] of [
      ['GET', ''],
      ['GET', '/sessions'],
      ['POST', '/sessions/end-others'],
      ['POST', '/password-link'],
      ['DELETE', '/email'],
    ] as const) {
      expect((await call(method, url, null)).statusCode, url).toBe(401)
    }
  })

  it('lets a suspended person manage their own account', async () => {
    const until = new Date(t.clock.now().getTime() + 86_400_000)
    await t.db.updateTable('users').set({ suspended_until: until }).where('id', '=', person.user.id).execute()
    expect((await call('GET', '')).statusCode).toBe(200)
    expect((await call('POST', '/password', person, { currentPassword: person.password, password: better })).statusCode).toBe(204)
    expect((await call('POST', '/email', person, { email: 'suspended@example.com', password: better })).statusCode).toBe(204)
    expect((await call('POST', '/sessions/end-others')).statusCode).toBe(200)
  })

  it('is granted to a moderator only after the second factor', async () => {
    await t.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', person.user.id).execute()
    const tries = () =>
      Promise.all([
        call('POST', '/password', person, { currentPassword: person.password, password: better }),
        call('POST', '/email', person, { email: 'moved@example.com', password: person.password }),
        call('POST', '/passkeys/options', person, { password: person.password }),
        call('POST', '/password-link'),
      ])
    expect((await tries()).map((answer) => answer.json().code)).toEqual(Array(4).fill('second_factor_required'))
    expect(await state()).toMatchObject({ mustShowSecondFactor: true })
    const begun = await t.request('POST', '/api/second-factor/begin', person, { password: person.password })
    const code = totp(begun.json().secret, t.clock.now())
    expect((await t.request('POST', '/api/second-factor/confirm', person, { code })).statusCode).toBe(200)
    expect(await state()).toMatchObject({ mustShowSecondFactor: false, hasSecondFactor: true })
    expect((await call('POST', '/password', person, { currentPassword: person.password, password: better })).statusCode).toBe(204)
    // A session that hasn't confirmed its second factor gets none of this.
    const owing = await signIn({ password: better })
    for (const url of ['', '/sessions']) expect((await call('GET', url, owing)).json().code).toBe('second_factor_required')
    t.clock.advance({ hours: 13 })
    expect((await call('POST', '/email', person, { email: 'moved@example.com', password: better })).json().code).toBe(
      'second_factor_required',
    )
  })
})
