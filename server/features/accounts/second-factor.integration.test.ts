import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SecondFactorState } from '#contracts/sign-in.endpoints.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { lockAuditLog, untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { bytesOf, totp } from '#tests/support/totp.ts'
import { resetSecondFactor } from './index.ts'

let t: TestApp
let person: TestPerson
const mails: Mail[] = []
const logged: string[] = []

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line) })
  t.ctx.mail.send = async (mail) => void mails.push(mail)
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})
beforeEach(async () => {
  person = await t.signUp()
  await t.runJobs()
  mails.length = 0
})

const call = (url: string, body: object, as: TestPerson | null = person) => t.request('POST', `/api/second-factor/${url}`, as, body)
const stateOf = async (as = person) => (await t.request('GET', '/api/second-factor', as)).json() as SecondFactorState
const me = async (as = person) => (await t.request('GET', '/api/auth/user', as)).json() as CurrentUser
const codeNow = (secret: string) => totp(secret, t.clock.now())
const nextCode = (secret: string) => {
  t.clock.advance({ seconds: 30 })
  return codeNow(secret)
}
const wrongCode = (secret: string) => String((Number(codeNow(secret)) + 1) % 1_000_000).padStart(6, '0')
const subjects = async () => {
  await t.runJobs()
  return mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
}
const audited = async (userId = person.user.id) => {
  const rows = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', userId).orderBy('sequence').execute()
  return rows.map(({ action }) => action)
}

async function begin(as = person): Promise<string> {
  const begun = await call('begin', { password: as.password }, as)
  expect(begun.statusCode, begun.body).toBe(200)
  return begun.json().secret as string
}

async function turnOn(as = person): Promise<{ secret: string; codes: string[] }> {
  const secret = await begin(as)
  const confirmed = await call('confirm', { code: nextCode(secret) }, as)
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  expect(confirmed.headers['cache-control']).toBe('no-store')
  return { secret, codes: confirmed.json().recoveryCodes as string[] }
}

async function signIn(as = person): Promise<TestPerson> {
  const answer = await t.request('POST', '/api/login', null, { email: as.email, password: as.password })
  expect(answer.statusCode, answer.body).toBe(200)
  const session = answer.cookies.find(({ name }) => name === t.sessionCookieName)
  return { ...as, cookie: `${t.sessionCookieName}=${encodeURIComponent(session?.value ?? '')}` }
}

describe('turning on the second factor', () => {
  it('requires the password and an app code, and returns ten recovery codes once', async () => {
    expect(await stateOf()).toEqual({ isOn: false, isShown: false, recoveryCodesLeft: 0, isRequired: false, hasPassword: true })
    expect((await call('begin', { password: 'not the password' })).json()).toMatchObject({ code: 'invalid_input' })
    const begun = (await call('begin', { password: person.password })).json()
    expect(begun.uri).toContain(`secret=${begun.secret}&issuer=Sungrove`)
    expect(await stateOf()).toMatchObject({ isOn: false })
    expect(await me(await signIn())).toMatchObject({ secondFactor: 'off' })
    expect((await call('confirm', { code: wrongCode(begun.secret) })).statusCode).toBe(400)

    const code = nextCode(begun.secret)
    const confirmed = await call('confirm', { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
    const codes = confirmed.json().recoveryCodes as string[]
    expect(new Set(codes).size).toBe(10)
    for (const each of codes) expect(each).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    expect(await stateOf()).toEqual({ isOn: true, isShown: true, recoveryCodesLeft: 10, isRequired: false, hasPassword: true })
    expect(await subjects()).toEqual(['Sungrove: your second factor is on'])
    expect(await audited()).toEqual(['second_factor.turned_on'])
    expect((await call('confirm', { code: nextCode(begun.secret) })).json().code).toBe('conflict')
  })

  it('keeps the secret and the recovery codes out of the database, emails, and logs', async () => {
    const { secret, codes } = await turnOn()
    await t.runJobs()
    const tables = await Promise.all([
      t.db.selectFrom('second_factors').selectAll().execute(),
      t.db.selectFrom('recovery_codes').selectAll().execute(),
      t.db.selectFrom('audit_log').selectAll().execute(),
    ])
    const kept = JSON.stringify([tables, mails, logged])
    for (const word of [secret, bytesOf(secret).toString('latin1'), ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(word)
  })

  it('requires a fresh session if the account has no password', async () => {
    await t.db.deleteFrom('credentials').where('user_id', '=', person.user.id).execute()
    expect(await stateOf()).toMatchObject({ hasPassword: false })
    expect((await call('begin', {})).statusCode).toBe(200)
    t.clock.advance({ minutes: 11 })
    expect((await call('begin', {})).json()).toMatchObject({ code: 'forbidden' })
  })
})

describe('a session without its second factor', () => {
  it('can only complete the second factor, and reveals nothing of the profile', async () => {
    await t.request('POST', '/api/user/profile', person, { firstName: 'Wilhelmina', lastName: 'Canary', location: 'Yuma, AZ' })
    const { secret } = await turnOn()
    const other = await signIn()
    const user = await me(other)
    expect(user).toMatchObject({ id: person.user.id, secondFactor: 'owed', activeRole: 'member', firstName: null, birthday: null })
    for (const url of ['/', '/profile', '/favorites']) {
      const page = await t.app.inject({ url, headers: { cookie: other.cookie } })
      expect(page.body).toContain('"secondFactor":"owed"')
      expect(page.body).not.toMatch(/Wilhelmina|Canary|Yuma|1990-04-01/)
    }
    // Contract calls, files and the live stream; tests/second-factor.integration.test.ts covers all of them.
    for (const url of ['/api/favorites', '/api/live', '/api/billing/payments/x/receipt.pdf']) {
      const answer = await t.request('GET', url, other)
      expect([answer.statusCode, answer.json().code], url).toEqual([403, 'second_factor_required'])
    }
    expect((await t.request('POST', '/api/user/profile', other, { firstName: 'A', lastName: 'B', location: 'C' })).statusCode).toBe(403)

    expect((await call('show', { code: nextCode(secret) }, other)).statusCode).toBe(204)
    expect(await me(other)).toMatchObject({ secondFactor: 'shown', firstName: 'Wilhelmina' })
    expect((await t.request('GET', '/api/favorites', other)).statusCode).toBe(200)
    expect(await me(await signIn())).toMatchObject({ secondFactor: 'owed' })
  })

  it('counts as a visitor for public calls', async () => {
    await turnOn()
    const other = await signIn()
    const asOther = await t.request('GET', '/api/businesses', other)
    expect(asOther.statusCode).toBe(200)
    expect(asOther.body).toBe((await t.request('GET', '/api/businesses', null)).body)
  })

  it('is what every other session becomes once the factor is turned on or moved to another app', async () => {
    const other = await signIn()
    expect(await me(other)).toMatchObject({ secondFactor: 'off' })
    const { secret, codes } = await turnOn()
    expect(await me(other)).toMatchObject({ secondFactor: 'owed' })
    await call('show', { code: nextCode(secret) }, other)
    const next = await begin()
    expect((await call('show', { code: nextCode(secret) }, other)).statusCode).toBe(204)
    expect((await call('confirm', { code: nextCode(next) })).statusCode).toBe(200)
    expect(await me(other)).toMatchObject({ secondFactor: 'owed' })
    expect(await me()).toMatchObject({ secondFactor: 'shown' })
    for (const old of [nextCode(secret), codes[0] as string]) expect((await call('show', { code: old }, other)).statusCode).toBe(400)
    expect((await call('show', { code: nextCode(next) }, other)).statusCode).toBe(204)
    expect(await audited()).toContain('second_factor.replaced')
  })
})

describe('a code', () => {
  it('works only once, even concurrently', async () => {
    const { secret } = await turnOn()
    const sessions = await Promise.all([signIn(), signIn(), signIn()])
    const code = nextCode(secret)
    const answers = await Promise.all(sessions.map((each) => call('show', { code }, each)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400])
  })

  it('works only once for recovery, in any spelling, even concurrently', async () => {
    const { codes } = await turnOn()
    const sessions = await Promise.all([signIn(), signIn(), signIn(), signIn()])
    const code = codes[3] as string
    const ways = [code, code.toLowerCase(), code.replaceAll('-', ''), code.replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')]
    const answers = await Promise.all(sessions.map((each, index) => call('show', { code: ways[index] }, each)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400, 400])
    expect(await stateOf()).toMatchObject({ recoveryCodesLeft: 9 })
    expect(await audited()).toEqual(['second_factor.turned_on', 'second_factor.recovery_used'])
    expect(await subjects()).toContain('Sungrove: a recovery code was used')
  })

  it('isn’t compared after five wrong codes within 15 minutes, from any session', async () => {
    const { secret, codes } = await turnOn()
    const sessions = await Promise.all(Array.from({ length: 12 }, () => signIn()))
    const answers = await Promise.all(sessions.map((each) => call('show', { code: wrongCode(secret) }, each)))
    // Concurrent guesses are serialized: only five were compared.
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(4)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(8)
    const [other] = sessions as [TestPerson]
    for (const code of [nextCode(secret), codes[0]]) {
      const refused = await call('show', { code }, other)
      expect(refused.statusCode, refused.body).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    }
    expect((await audited()).filter((action) => action === 'second_factor.locked')).toHaveLength(1)
    expect((await subjects()).filter((subject) => subject.includes('wrong codes'))).toHaveLength(1)
    t.clock.advance({ minutes: 15 })
    expect((await call('show', { code: wrongCode(secret) }, other)).statusCode).toBe(400)
    expect((await call('show', { code: codes[0] }, other)).statusCode).toBe(204)
  })

  it('from the app fails under another SESSION_SECRET, but a recovery code works', async () => {
    const { secret, codes } = await turnOn()
    const other = await signIn()
    await t.db
      .updateTable('second_factors')
      .set({ secret: 'A'.repeat(80) })
      .where('user_id', '=', person.user.id)
      .execute()
    expect((await call('show', { code: nextCode(secret) }, other)).json()).toMatchObject({ code: 'unavailable' })
    expect((await call('show', { code: codes[0] }, other)).statusCode).toBe(204)
  })
})

describe('an active second factor', () => {
  it('requires a code before replacing the recovery codes, and voids the old ones', async () => {
    const { secret, codes } = await turnOn()
    expect((await call('recovery-codes', { code: wrongCode(secret) })).statusCode).toBe(400)
    const renewed = (await call('recovery-codes', { code: nextCode(secret) })).json().recoveryCodes as string[]
    expect(renewed).toHaveLength(10)
    const other = await signIn()
    expect((await call('show', { code: codes[0] }, other)).statusCode).toBe(400)
    expect((await call('show', { code: renewed[0] }, other)).statusCode).toBe(204)
    expect(await subjects()).toContain('Sungrove: you have new recovery codes')
  })

  it('can be turned off only with the password and a code, and is mandatory for moderators and admins', async () => {
    const { secret } = await turnOn()
    expect((await call('turn-off', { password: 'wrong', code: nextCode(secret) })).statusCode).toBe(400)
    expect((await call('turn-off', { password: person.password, code: wrongCode(secret) })).statusCode).toBe(400)
    for (const role of ['moderator', 'admin'] as const) {
      await t.db.updateTable('users').set({ role }).where('id', '=', person.user.id).execute()
      expect((await call('turn-off', { password: person.password, code: nextCode(secret) })).statusCode).toBe(403)
    }
    await t.db.updateTable('users').set({ role: 'member' }).where('id', '=', person.user.id).execute()
    expect((await call('turn-off', { password: person.password, code: nextCode(secret) })).statusCode).toBe(204)
    expect(await stateOf()).toMatchObject({ isOn: false, isShown: false, recoveryCodesLeft: 0 })
    expect(await me(await signIn())).toMatchObject({ secondFactor: 'off' })
    expect(await subjects()).toContain('Sungrove: your second factor is off')
    expect(await audited()).toContain('second_factor.turned_off')
  })

  it('activates a role for twelve hours, after which the person is only a member', async () => {
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', person.user.id).execute()
    expect(await me()).toMatchObject({ role: 'admin', activeRole: 'member', secondFactor: 'off' })
    const waiting = () => t.request('GET', '/api/claims/waiting', person)
    expect((await waiting()).json().code).toBe('second_factor_required')
    const { secret } = await turnOn()
    expect((await waiting()).statusCode).toBe(200)
    t.clock.advance({ hours: 12 })
    expect((await waiting()).json().code).toBe('second_factor_required')
    expect(await me()).toMatchObject({ role: 'admin', activeRole: 'member', secondFactor: 'shown' })
    expect(await stateOf()).toMatchObject({ isShown: false, isRequired: true })
    expect((await t.request('GET', '/api/favorites', person)).statusCode).toBe(200)
    expect((await call('show', { code: nextCode(secret) })).statusCode).toBe(204)
    expect((await waiting()).statusCode).toBe(200)
  })

  it('moves to another app for a moderator only after a recent code, never with only the password', async () => {
    await t.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', person.user.id).execute()
    const { secret } = await turnOn()
    t.clock.advance({ hours: 13 })
    expect((await call('begin', { password: person.password })).json()).toMatchObject({ code: 'second_factor_required' })
    expect((await call('show', { code: nextCode(secret) })).statusCode).toBe(204)
    const other = await begin()
    expect((await call('confirm', { code: nextCode(other) })).statusCode).toBe(200)
  })

  it.each(['begin', 'confirm', 'recovery-codes', 'turn-off'])('refuses %s while a password reset ends the session', async (url) => {
    await t.db.updateTable('users').set({ email_verified: true }).where('id', '=', person.user.id).execute()
    const { secret } = await turnOn()
    const next = await begin()
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    await t.runJobs()
    const token = /reset\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
    const factor = () => t.db.selectFrom('second_factors').selectAll().where('user_id', '=', person.user.id).execute()
    const before = await factor()
    const code = nextCode(url === 'confirm' ? next : secret)
    const calls = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const resetting = t.request('POST', '/api/auth/password-resets', null, { token, password: 'eleven small lamps at night' })
      await untilWaiting(t.db)
      const changing = call(url, { password: person.password, code })
      await untilWaiting(t.db, { count: 2 })
      return { resetting, changing }
    })
    expect([(await calls.resetting).statusCode, (await calls.changing).statusCode]).toEqual([204, 401])
    expect(await factor()).toEqual(before)
  })

  it('can be removed by the operator for a person who lost the app and all codes, which ends every session', async () => {
    await turnOn()
    expect(await resetSecondFactor(t.ctx, person.email)).toEqual({ userId: person.user.id, hadOne: true })
    expect((await t.request('GET', '/api/auth/user', person)).statusCode).toBe(401)
    expect(await me(await signIn())).toMatchObject({ secondFactor: 'off' })
    expect(await audited()).toContain('second_factor.reset')
    expect(await resetSecondFactor(t.ctx, person.email)).toMatchObject({ hadOne: false })
    expect(await resetSecondFactor(t.ctx, 'no-one@example.com')).toBeNull()
  })
})
