import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#server/features/accounts/index.ts'
import {
  type AccountsApp,
  confirmingEnv,
  goodPassword,
  linkToken,
  registration,
  sessionCookieOf,
  startAccountsApp,
} from './support/accounts-app.ts'
import { hashEveryTime } from './support/password-hash.ts'

let open: AccountsApp
let confirming: AccountsApp

beforeAll(async () => {
  ;[open, confirming] = [await startAccountsApp(), await startAccountsApp(confirmingEnv)]
})
afterAll(() => Promise.all([open.close(), confirming.close()]))

const countOf = async (t: AccountsApp, email: string) =>
  (await t.db.selectFrom('users').select('id').where('email', '=', email).execute()).length

describe('registering', () => {
  test('creates an account with all fields and signs it in', async () => {
    const response = await open.post('/api/register', registration({ email: '  Robin.Meadows@Example.com ' }))
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({ accountType: 'consumer', confirmEmail: false })
    const cookie = sessionCookieOf(response) as string
    const user = await open.get('/api/auth/user', { cookie })
    expect(user.statusCode).toBe(200)
    expect(user.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'robin.meadows@example.com',
      isEmailVerified: false,
      displayName: null,
      firstName: 'Robin',
      lastName: 'Meadows',
      profileImageUrl: null,
      userType: 'consumer',
      role: 'member',
      activeRole: 'member',
      secondFactor: 'off',
      businessType: null,
      runsBusiness: false,
      licenseNumber: null,
      birthday: '1990-04-01',
      interests: [],
      followingCount: 0,
      followersCount: 0,
      postsCount: 0,
      subscriptionTier: null,
      subscriptionEndsAt: null,
      location: null,
      isLocationKnown: false,
      bio: null,
      isProfilePublic: false,
      isProfileHidden: false,
      allowLocationSharing: true,
      preferences: { region: null, temperature: null, length: null, mass: null, distance: null },
      hasConfirmedAge: true,
      hasCompletedOnboarding: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      mutedUntil: null,
      suspendedUntil: null,
      leavesAt: null,
    })
  })

  test('stores a type and license number only for a business', async () => {
    const details = { businessType: 'dispensary', licenseNumber: ' 402R-00123 ' }
    const business = registration({ accountType: 'business', ...details })
    const person = registration(details)
    expect((await open.post('/api/register', business)).json()).toMatchObject({ accountType: 'business' })
    await open.post('/api/register', person)
    const read = (email: string) =>
      open.db.selectFrom('users').select(['user_type', 'business_type', 'license_number']).where('email', '=', email).executeTakeFirst()
    expect(await read(business.email)).toEqual({ user_type: 'business', business_type: 'dispensary', license_number: '402R-00123' })
    expect(await read(person.email)).toEqual({ user_type: 'consumer', business_type: null, license_number: null })
  })

  test('names every missing field', async () => {
    const response = await open.post('/api/register', { email: '', password: 'short', birthday: '2023-02-29', accountType: 'admin' })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('invalid_input')
    expect(response.json().fields).toMatchObject({
      email: 'Email is required',
      password: 'At least 8 characters',
      firstName: 'First name is required',
      lastName: 'Last name is required',
      birthday: 'Enter a date as YYYY-MM-DD',
      accountType: expect.any(String),
    })
  })

  test('never sets a role or a plan', async () => {
    const details = registration({
      role: 'admin',
      isDemo: true,
      subscriptionTier: 'vip',
      hasCompletedOnboarding: true,
      emailVerified: true,
    })
    const cookie = sessionCookieOf(await open.post('/api/register', details)) as string
    expect((await open.get('/api/auth/user', { cookie })).json()).toMatchObject({
      role: 'member',
      subscriptionTier: null,
      subscriptionEndsAt: null,
      hasCompletedOnboarding: false,
      isEmailVerified: false,
    })
  })

  test.each([
    ['password', 'common'],
    ['RobinMeadows1', 'name'],
    ['sungrove2026', 'name'],
  ])('refuses the weak password %s with a reason next to the field', async (password, reason) => {
    const details = registration({ password })
    const response = await open.post('/api/register', details)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'weak_password', fields: { password: expect.stringContaining(reason) } })
    expect(await countOf(open, details.email)).toBe(0)
  })

  test('refuses characters that the database can’t store', async () => {
    const response = await open.post('/api/register', registration({ firstName: 'Ro\0bin' }))
    expect(response.statusCode).toBe(400)
    expect(response.json().fields.firstName).toBeDefined()
  })
})

describe('the age check', () => {
  test.each([
    ['2026-11-21T00:00:00Z', '2008-11-21', 201, 'eighteen today'],
    ['2026-11-21T23:59:59Z', '2008-11-22', 400, 'eighteen tomorrow'],
    ['2026-02-28T12:00:00Z', '2008-02-29', 400, 'born on February 29, on February 28'],
    ['2026-03-01T00:00:00Z', '2008-02-29', 201, 'born on February 29, on March 1'],
    ['2028-02-29T12:00:00Z', '2010-03-01', 400, 'born on March 1, on February 29'],
  ])('responds at %s to someone born on %s with %i (%s)', async (now, birthday, status, _why) => {
    open.clock.set(now)
    try {
      const details = registration({ birthday })
      const response = await open.post('/api/register', details)
      expect(response.statusCode, response.body).toBe(status)
      expect(await countOf(open, details.email)).toBe(status === 201 ? 1 : 0)
      if (status === 201) {
        expect((await open.get('/api/auth/user', { cookie: sessionCookieOf(response) as string })).statusCode).toBe(200)
      } else {
        const message = 'You must be 18 years or older to access this platform.'
        expect(response.json()).toEqual({ code: 'underage', message, fields: { birthday: message } })
        expect(sessionCookieOf(response)).toBeUndefined()
      }
    } finally {
      open.clock.set(new Date())
    }
  })

  test.each(['2999-01-01', '1850-01-01', '0001-01-01'])('refuses a birthday on %s', async (birthday) => {
    const response = await open.post('/api/register', registration({ birthday }))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input', fields: { birthday: 'Check the year of this date' } })
  })
})

describe('a known address', () => {
  test('is reported if addresses need no confirmation', async () => {
    const details = registration()
    await open.post('/api/register', details)
    await open.runJobs()
    const token = linkToken(open.mails)
    const again = await open.post('/api/register', { ...details, email: details.email.toUpperCase() })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ code: 'email_taken', fields: { email: expect.any(String) } })
    expect(sessionCookieOf(again)).toBeUndefined()
    // The two may be different people, and the link would confirm the first one's password.
    expect((await open.post('/api/auth/email-verifications', { token })).json().code).toBe('invalid_token')
  })

  test('gets only one account from concurrent registrations', async () => {
    for (const [t, statuses] of [
      [open, [201, 409, 409, 409, 409]],
      [confirming, [201, 201, 201, 201, 201]],
    ] as const) {
      const details = registration()
      const responses = await Promise.all(Array.from({ length: 5 }, () => t.post('/api/register', details)))
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual(statuses)
      expect(await countOf(t, details.email)).toBe(1)
      const { credentials } = await t.db
        .selectFrom('credentials')
        .innerJoin('users', 'users.id', 'credentials.user_id')
        .select((eb) => eb.fn.countAll().as('credentials'))
        .where('email', '=', details.email)
        .executeTakeFirstOrThrow()
      expect(credentials).toBe(1)
    }
  })

  test('is indistinguishable from an unknown one if addresses must be confirmed', async () => {
    const known = registration()
    await confirming.post('/api/register', known)
    await confirming.runJobs()
    confirming.mails.length = 0
    const seen = ({ statusCode, body, headers }: Awaited<ReturnType<typeof confirming.post>>) => {
      const { date: _date, 'set-cookie': cookie, ...rest } = headers
      // The cookie's value contains the time in seconds, which may differ between the two responses.
      return { statusCode, body, headers: rest, cookie: String(cookie).replace(/=[^;]*/, '') }
    }
    const unknown = registration()
    const answers = [await confirming.post('/api/register', known), await confirming.post('/api/register', unknown)].map(seen)
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ statusCode: 201, body: '{"accountType":"consumer","confirmEmail":true}' })
  })

  test('notifies its owner by email and changes nothing about the account', async () => {
    const known = registration({ firstName: 'First' })
    await confirming.post('/api/register', known)
    await confirming.db.updateTable('users').set({ email_verified: true }).where('email', '=', known.email).execute()
    await confirming.runJobs()
    confirming.mails.length = 0
    await confirming.post('/api/register', { ...known, firstName: 'Second', password: 'another set of seven terraces' })
    await confirming.runJobs()
    expect(confirming.mails.map(({ to, subject }) => [to, subject])).toEqual([[known.email, 'Sungrove: you already have an account']])
    const user = await confirming.db.selectFrom('users').select('first_name').where('email', '=', known.email).executeTakeFirstOrThrow()
    expect(user.first_name).toBe('First')
    expect((await confirming.post('/api/login', { email: known.email, password: known.password })).statusCode).toBe(200)
  })

  test('gets a link to choose a password if it was never confirmed, because someone else may have chosen the first one', async () => {
    const known = registration()
    await confirming.post('/api/register', known)
    await confirming.runJobs()
    confirming.mails.length = 0
    const chosen = 'another set of seven terraces'
    await confirming.post('/api/register', { ...known, password: chosen })
    await confirming.runJobs()
    expect(confirming.mails.map(({ to, subject }) => [to, subject])).toEqual([[known.email, 'Sungrove: finish signing up']])
    const reset = { token: linkToken(confirming.mails), password: chosen }
    expect((await confirming.post('/api/auth/password-resets', reset)).statusCode).toBe(204)
    const signIn = (password: string) => confirming.post('/api/login', { email: known.email, password })
    expect((await signIn(known.password)).statusCode).toBe(401)
    expect((await signIn(chosen)).statusCode).toBe(200)
  })

  test.each(['an earlier link', 'a link requested since'])(
    'isn’t confirmed by %s, which would confirm the first password',
    async (link) => {
      const known = registration()
      await confirming.post('/api/register', known)
      await confirming.runJobs()
      const earlier = linkToken(confirming.mails)
      await confirming.post('/api/register', { ...known, password: 'another set of seven terraces' })
      await confirming.post('/api/auth/email-verification-requests', { email: known.email })
      await confirming.runJobs()
      const since = confirming.mails.slice(-2)
      expect(since.map(({ to, subject }) => [to, subject])).toEqual(Array(2).fill([known.email, 'Sungrove: finish signing up']))
      const token = link === 'an earlier link' ? earlier : linkToken(confirming.mails)
      expect((await confirming.post('/api/auth/email-verifications', { token })).json().code).toBe('invalid_token')
      expect((await confirming.post('/api/login', known)).statusCode).toBe(403)
    },
  )
})

describe('signing in', () => {
  test('returns a session and the account data that the web app needs', async () => {
    const details = registration({ accountType: 'business', businessType: 'farm' })
    await open.post('/api/register', details)
    const response = await open.post('/api/login', { email: ` ${details.email.toUpperCase()} `, password: goodPassword })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ accountType: 'business', hasCompletedOnboarding: false })
    const user = await open.get('/api/auth/user', { cookie: sessionCookieOf(response) as string })
    expect(user.json().email).toBe(details.email)
  })

  test('responds the same to a wrong password and an unknown address', async () => {
    const { email } = registration()
    await open.post('/api/register', registration({ email }))
    const [wrong, unknown] = [
      await open.post('/api/login', { email, password: 'not this one' }),
      await open.post('/api/login', { email: 'no-one@example.com', password: 'not this one' }),
    ]
    expect(wrong.statusCode).toBe(401)
    expect(wrong.json().code).toBe('wrong_credentials')
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body])
  })

  test('refuses a password for an account without one', async () => {
    const { email } = registration()
    await open.db.insertInto('users').values({ id: '0190a1b2-0000-7000-8000-000000000001', email }).execute()
    for (const password of ['', 'null', 'undefined', '0'.repeat(64)]) {
      const { statusCode } = await open.post('/api/login', { email, password })
      expect(statusCode).toBe(password === '' ? 400 : 401)
    }
  })

  test('ends the browser’s previous session', async () => {
    const details = registration()
    const first = sessionCookieOf(await open.post('/api/register', details)) as string
    const second = sessionCookieOf(await open.post('/api/login', details, { cookie: first })) as string
    expect((await open.get('/api/auth/user', { cookie: first })).statusCode).toBe(401)
    expect((await open.get('/api/auth/user', { cookie: second })).statusCode).toBe(200)
  })

  test('reveals a missing confirmation only with the right password', async () => {
    const details = registration()
    const registered = await confirming.post('/api/register', details)
    expect(sessionCookieOf(registered)).toBeUndefined()
    const wrong = await confirming.post('/api/login', { email: details.email, password: 'not this one' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'wrong_credentials'])
    const right = await confirming.post('/api/login', details)
    expect([right.statusCode, right.json().code]).toEqual([403, 'email_unverified'])
    expect(sessionCookieOf(right)).toBeUndefined()
    const sessions = confirming.db.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id').select('sessions.id')
    expect(await sessions.where('users.email', '=', details.email).execute()).toEqual([])
  })
})

describe('the response time', () => {
  /** The fastest of several alternating runs, in milliseconds, because other load on the machine only adds time. */
  async function quickest(known: () => Promise<unknown>, unknown: () => Promise<unknown>, runs = 8): Promise<[number, number]> {
    const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let run = 0; run < runs * 2; run++) {
      const started = performance.now()
      await (run % 2 ? known : unknown)()
      best[run % 2 ? 0 : 1] = Math.min(best[run % 2 ? 0 : 1], performance.now() - started)
    }
    return best
  }

  test('does not reveal whether an address has an account', async () => {
    const { auth } = confirming
    const remembered = auth.hashPassword
    // Uses the real, slow implementation.
    auth.hashPassword = hashPassword
    const rememberAgain = hashEveryTime()
    onTestFinished(() => {
      auth.hashPassword = remembered
      rememberAgain()
    })
    const details = registration()
    await confirming.post('/api/register', details)
    let address = 0
    const fresh = () => `no-one-${++address}@example.com`
    const login = await quickest(
      () => confirming.post('/api/login', { email: details.email, password: 'not this one' }),
      () => confirming.post('/api/login', { email: fresh(), password: 'not this one' }),
    )
    const register = await quickest(
      () => confirming.post('/api/register', details),
      () => confirming.post('/api/register', { ...details, email: fresh() }),
    )
    for (const [known, unknown] of [login, register]) {
      // If one of the two skipped hashing, it would take a tenth of the other's time.
      expect(Math.max(known, unknown)).toBeGreaterThan(15)
      expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(4)
    }
  })

  test('includes the time of exactly one hash, with or without an account', async () => {
    const details = registration()
    await confirming.post('/api/register', details)
    const { auth } = confirming
    const original = { hashPassword: auth.hashPassword, verifyPassword: auth.verifyPassword }
    const counts = { hashed: 0, verified: 0 }
    auth.hashPassword = (password) => {
      counts.hashed++
      return original.hashPassword(password)
    }
    auth.verifyPassword = (password, hash) => {
      counts.verified++
      return original.verifyPassword(password, hash)
    }
    try {
      for (const email of [details.email, 'someone-else@example.com']) {
        Object.assign(counts, { hashed: 0, verified: 0 })
        await confirming.post('/api/register', { ...details, email })
        await confirming.post('/api/login', { email: email === details.email ? email : 'no-one@example.com', password: 'not this one' })
        expect(counts).toEqual({ hashed: 1, verified: 1 })
      }
    } finally {
      Object.assign(auth, original)
    }
  })
})
