import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { NewPasskeyOptions, PasskeyOptions, SignInState } from '#contracts/sign-in.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { type Authenticator, createAuthenticator } from '#tests/support/authenticator.ts'
import { makePersonKey } from '#tests/support/keys.ts'
import { lockAuditLog, untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { totp } from '#tests/support/totp.ts'

let t: TestApp
let person: TestPerson
let device: Authenticator
const mails: Mail[] = []
const origin = 'https://grove.example'

beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: origin } })
  t.ctx.mail.send = async (mail) => void mails.push(mail)
})
afterAll(() => t.close())
beforeEach(async () => {
  person = await signUp()
  device = createAuthenticator({ origin })
  await t.runJobs()
  mails.length = 0
})

const signUp = () => t.signUp()
const call = (method: 'GET' | 'POST' | 'PATCH', url: string, as: TestPerson | null = person, body?: object) =>
  t.request(method, `/api/sign-in${url}`, as, body)
const state = async (as = person) => (await call('GET', '', as)).json() as SignInState

async function begin(as = person): Promise<NewPasskeyOptions> {
  const begun = await call('POST', '/passkeys/options', as, { password: as.password })
  expect(begun.statusCode, begun.body).toBe(200)
  return begun.json()
}
const add = (answer: object, as = person, name = 'My phone') => call('POST', '/passkeys', as, { name, answer })

async function addOne(as = person, on = device) {
  const added = await add(on.make(await begin(as)), as)
  expect(added.statusCode, added.body).toBe(201)
  return added.json() as { id: string }
}

async function beginSignIn(): Promise<{ options: PasskeyOptions; cookie: string }> {
  const begun = await t.request('POST', '/api/auth/passkey/options')
  expect(begun.statusCode, begun.body).toBe(200)
  const binding = begun.cookies.find(({ name }) => name.endsWith('.passkey'))
  expect(binding).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth/passkey', secure: true })
  return { options: begun.json(), cookie: `${binding?.name}=${binding?.value}` }
}
const finish = (answer: object, cookie: string) =>
  t.app.inject({
    method: 'POST',
    url: '/api/auth/passkey',
    headers: { cookie, 'user-agent': 'Firefox/144.0 (X11; Linux x86_64)' },
    payload: { answer },
  })

async function signIn(on = device): Promise<TestPerson> {
  const { options, cookie } = await beginSignIn()
  const answer = await finish(on.show(options), cookie)
  expect(answer.statusCode, answer.body).toBe(200)
  const session = answer.cookies.find(({ name }) => name.endsWith('.session_token'))
  return { ...person, cookie: `${session?.name}=${encodeURIComponent(session?.value ?? '')}` }
}
const me = async (as: TestPerson) => (await t.request('GET', '/api/auth/user', as)).json() as CurrentUser
const subjects = async () => {
  await t.runJobs()
  return mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
}
const audited = async () => {
  const rows = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', person.user.id).orderBy('sequence').execute()
  return rows.map(({ action }) => action)
}

describe('adding a passkey', () => {
  it('requires the password, stores no secret, and notifies the owner', async () => {
    expect((await call('POST', '/passkeys/options', person, { password: 'wrong' })).json().fields).toEqual({
      password: 'This isn’t your password.',
    })
    const options = await begin()
    expect(options).toMatchObject({
      rp: { id: 'grove.example', name: 'Sungrove' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const added = await add(device.make(options))
    expect(added.json()).toMatchObject({ name: 'My phone', keeper: 'Bitwarden', isSynced: true, lastUsedAt: null })
    expect((await state()).passkeys).toEqual([added.json()])
    expect(await subjects()).toEqual(['Sungrove: a passkey was added'])
    expect(await audited()).toEqual(['passkey.added'])
  })

  it('accepts each challenge once, from its own session, within five minutes', async () => {
    const options = await begin()
    const other = await signUp()
    expect((await add(device.make(options), other)).json().code).toBe('invalid_token')
    expect((await add(device.make(options))).statusCode).toBe(201)
    expect((await add(device.make(options))).json().code).toBe('invalid_token')
    const late = await begin()
    t.clock.advance({ minutes: 5 })
    expect((await add(device.make(late))).json().code).toBe('invalid_token')
    const first = await begin()
    await begin()
    expect((await add(device.make(first))).json().code).toBe('invalid_token')
  })

  it.each([
    ['from another site', { origin: 'https://grove.example.evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: 'AAAA' }],
    ['that is not a registration', { type: 'webauthn.get' }],
    ['from a device that was not unlocked', { isVerified: false }],
    ['with its own attestation', { fmt: 'fido-u2f' }],
  ])('refuses a response %s', async (_name, wrong) => {
    const answer = await add(device.make(await begin(), wrong))
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_token'])
    expect((await state()).passkeys).toEqual([])
  })

  it('refuses a passkey that any account already has', async () => {
    const answer = device.make(await begin())
    const other = await signUp()
    expect((await add(answer)).statusCode).toBe(201)
    // As if the same device responded to another account's challenge with its existing passkey.
    const options = await begin(other)
    const again = device.make(options)
    await t.db.updateTable('passkeys').set({ credential_id: again.id }).where('user_id', '=', person.user.id).execute()
    expect((await add(again, other)).json().code).toBe('conflict')
  })

  it('lists the existing passkeys so that a device adds only one, and allows at most twenty', async () => {
    await addOne()
    const { excludeCredentials } = await begin()
    expect(excludeCredentials).toEqual([
      { id: device.kept[0]?.id.toString('base64url'), type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
    const late = await begin()
    const [row] = await t.db.selectFrom('passkeys').selectAll().where('user_id', '=', person.user.id).execute()
    if (!row) throw new Error('no passkey')
    const more = Array.from({ length: 19 }, (_, n) => ({
      ...row,
      id: `0190a1b2-0000-7000-8000-${String(n).padStart(12, '0')}`,
      credential_id: `more-${n}`,
    }))
    await t.db.insertInto('passkeys').values(more).execute()
    expect((await add(device.make(late))).json()).toMatchObject({ code: 'conflict' })
    expect((await call('POST', '/passkeys/options', person, { password: person.password })).json()).toMatchObject({ code: 'conflict' })
  })
})

describe('signing in with a passkey', () => {
  it('counts as the second factor, activates a role, and replaces the password for ten minutes', async () => {
    await addOne()
    await t.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', person.user.id).execute()
    const there = await signIn()
    expect(await me(there)).toMatchObject({ id: person.user.id, secondFactor: 'shown', activeRole: 'moderator' })
    expect(await state(there)).toMatchObject({ isProven: true, mustShowSecondFactor: false })
    expect((await state(there)).passkeys[0]?.lastUsedAt).not.toBeNull()
    t.clock.advance({ minutes: 11 })
    expect(await state(there)).toMatchObject({ isProven: false })
  })

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a passkey for another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a registration instead of a sign-in', { type: 'webauthn.create' }],
    ['a device that was not unlocked', { isVerified: false }],
    ['a device that was not touched', { isPresent: false }],
    ['a copy with a lower counter', { counter: 1 }],
    ['another account’s handle', { userHandle: 'AAAA' }],
  ])('refuses %s', async (_name, wrong) => {
    await addOne()
    const { options, cookie } = await beginSignIn()
    const answer = await finish(device.show(options, wrong), cookie)
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'wrong_credentials'])
    expect(answer.cookies.some(({ name, value }) => name.endsWith('.session_token') && value)).toBe(false)
  })

  it('refuses a replay, another browser, and a challenge older than five minutes', async () => {
    await addOne()
    const { options, cookie } = await beginSignIn()
    const answer = device.show(options)
    expect((await finish(answer, (await beginSignIn()).cookie)).statusCode).toBe(401)
    expect((await finish(answer, '')).statusCode).toBe(401)
    const both = await Promise.all([finish(answer, cookie), finish(answer, cookie)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
    const late = await beginSignIn()
    t.clock.advance({ minutes: 5 })
    expect((await finish(device.show(late.options), late.cookie)).statusCode).toBe(401)
  })

  it('refuses a signature by another key or by a deleted passkey', async () => {
    await addOne()
    const thief = createAuthenticator({ origin })
    thief.make(await begin())
    const [stolen] = thief.kept
    const [own] = device.kept
    if (!stolen || !own) throw new Error('no passkey')
    const first = await beginSignIn()
    expect(
      (await finish(thief.show(first.options, { passkey: { ...stolen, id: own.id, userHandle: own.userHandle } }), first.cookie))
        .statusCode,
    ).toBe(401)
    const { id } = (await state()).passkeys[0] as { id: string }
    expect((await call('POST', `/passkeys/${id}/remove`, person, { password: person.password })).statusCode).toBe(204)
    const second = await beginSignIn()
    expect((await finish(device.show(second.options), second.cookie)).statusCode).toBe(401)
  })

  it('works with authenticators without a counter', async () => {
    const calm = createAuthenticator({ origin, counts: false })
    await addOne(person, calm)
    expect(await me(await signIn(calm))).toMatchObject({ id: person.user.id })
    expect(await me(await signIn(calm))).toMatchObject({ id: person.user.id })
  })
})

describe('a passkey instead of the password', () => {
  const prove = async (on = device, as = person) => {
    const begun = await call('POST', '/proof/options', as)
    return begun.statusCode === 200 ? call('POST', '/proof', as, { answer: on.show(begun.json()) }) : begun
  }

  it('unlocks sensitive changes for ten minutes', async () => {
    await addOne()
    expect((await call('POST', '/passkeys/options', person, {})).statusCode).toBe(400)
    expect((await prove()).statusCode).toBe(204)
    expect((await call('POST', '/passkeys/options', person, {})).statusCode).toBe(200)
    t.clock.advance({ minutes: 11 })
    expect((await call('POST', '/passkeys/options', person, {})).statusCode).toBe(400)
  })

  it('must belong to the account', async () => {
    const other = await signUp()
    const theirs = createAuthenticator({ origin })
    await addOne(other, theirs)
    expect((await prove()).json().code).toBe('conflict')
    await addOne()
    expect((await prove(theirs)).json().code).toBe('invalid_token')
  })

  it('activates a role that requires a second factor', async () => {
    await addOne()
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', person.user.id).execute()
    expect((await call('POST', '/passkeys/options', person, { password: person.password })).json().code).toBe('second_factor_required')
    expect((await prove()).statusCode).toBe(204)
    expect(await me(person)).toMatchObject({ activeRole: 'admin' })
  })
})

describe('managing passkeys', () => {
  it('lets only the owner rename and remove a passkey', async () => {
    const { id } = await addOne()
    const other = await signUp()
    expect((await call('PATCH', `/passkeys/${id}`, other, { name: 'Mine' })).statusCode).toBe(404)
    expect((await call('POST', `/passkeys/${id}/remove`, other, { password: other.password })).statusCode).toBe(404)
    expect((await call('PATCH', `/passkeys/${id}`, person, { name: '  Old phone ' })).statusCode).toBe(204)
    expect((await state()).passkeys).toMatchObject([{ id, name: 'Old phone' }])
    expect((await call('POST', `/passkeys/${id}/remove`, person, { password: 'wrong' })).statusCode).toBe(400)
    expect((await call('POST', `/passkeys/${id}/remove`, person, { password: person.password })).statusCode).toBe(204)
    expect((await state()).passkeys).toEqual([])
    expect(await subjects()).toEqual(['Sungrove: a passkey was added', 'Sungrove: a passkey was removed'])
    expect(await audited()).toEqual(['passkey.added', 'passkey.renamed', 'passkey.removed'])
  })

  it('refuses to remove the last way to sign in, even when two are removed concurrently', async () => {
    const first = await addOne()
    const second = await addOne(person, createAuthenticator({ origin }))
    await t.db.deleteFrom('credentials').where('user_id', '=', person.user.id).execute()
    const answers = await Promise.all([first, second].map(({ id }) => call('POST', `/passkeys/${id}/remove`, person, {})))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409])
    expect((await state()).passkeys).toHaveLength(1)
  })
})

describe('a password reset', () => {
  const confirmAddress = () => t.db.updateTable('users').set({ email_verified: true }).where('id', '=', person.user.id).execute()
  const reset = (token: string, removePasskeys: string[]) =>
    t.request('POST', '/api/auth/password-resets', null, { token, password: 'nine quiet boats upstream', removePasskeys })
  const mailedToken = async () => {
    await t.request('POST', '/api/auth/password-reset-requests', null, { email: person.email })
    await t.runJobs()
    return /reset\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
  }
  const listed = (token: string) => t.request('POST', '/api/auth/password-resets/passkeys', null, { token })

  it('removes sign-in methods from before the address was confirmed, because someone else may have signed up with it', async () => {
    await addOne()
    const { secret } = await makePersonKey(t, person)
    const begun = await t.request('POST', '/api/second-factor/begin', person, { password: person.password })
    const code = totp(begun.json().secret, t.clock.now())
    expect((await t.request('POST', '/api/second-factor/confirm', person, { code })).statusCode).toBe(200)
    const token = await mailedToken()
    expect((await listed(token)).json()).toEqual([])
    expect((await reset(token, [])).statusCode).toBe(204)
    const login = await t.request('POST', '/api/login', null, { email: person.email, password: 'nine quiet boats upstream' })
    const cookie = login.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    expect(await me({ ...person, cookie })).toMatchObject({ secondFactor: 'off', isEmailVerified: true })
    expect([(await state({ ...person, cookie })).passkeys, await t.ctx.personKeys.read(`Bearer ${secret}`)]).toEqual([[], null])
    await t.runJobs()
    const text = mails.findLast(({ subject }) => subject === 'Sungrove: your password was changed')?.text
    expect(text).toContain('This address wasn’t confirmed before, so we removed')
  })

  it('shows the passkeys to the link’s holder, removes the chosen ones, and emails the names of remaining passkeys and API keys', async () => {
    await confirmAddress()
    const own = await addOne()
    const intruder = createAuthenticator({ origin })
    const added = await add(intruder.make(await begin()), person, 'Office laptop')
    await makePersonKey(t, person, { name: 'Field Book' })
    const token = await mailedToken()
    expect((await listed(token)).json()).toMatchObject([
      { id: own.id, name: 'My phone' },
      { id: added.json().id, name: 'Office laptop' },
    ])
    expect((await reset(token, [added.json().id])).statusCode).toBe(204)
    expect((await listed(token)).json().code).toBe('invalid_token')
    const { options, cookie } = await beginSignIn()
    expect((await finish(intruder.show(options), cookie)).statusCode).toBe(401)
    await signIn()
    await t.runJobs()
    const mail = mails.findLast(({ subject }) => subject === 'Sungrove: your password was changed')
    expect(mail?.text).toContain('These passkeys can still sign in to your account: My phone. These API keys still work: Field Book.')
    expect(mail?.text).not.toContain('Office laptop')
  })

  it('removes no one else’s passkey and lists none for a forged link', async () => {
    const other = await signUp()
    const theirs = await addOne(other, createAuthenticator({ origin }))
    expect((await reset(await mailedToken(), [theirs.id])).statusCode).toBe(204)
    expect((await state(other)).passkeys).toHaveLength(1)
    expect((await listed(`${other.user.id}.made-up`)).json().code).toBe('invalid_token')
  })

  it('refuses a passkey that is added while the reset ends the session', async () => {
    const token = await mailedToken()
    const answer = device.make(await begin())
    const calls = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const resetting = reset(token, [])
      await untilWaiting(t.db)
      const adding = add(answer)
      await untilWaiting(t.db, { count: 2 })
      return { resetting, adding }
    })
    expect([(await calls.resetting).statusCode, (await calls.adding).statusCode]).toEqual([204, 401])
    expect(await t.db.selectFrom('passkeys').select('id').where('user_id', '=', person.user.id).execute()).toEqual([])
  })
})
