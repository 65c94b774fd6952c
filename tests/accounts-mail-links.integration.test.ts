import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { unpackPath } from '#contracts/addresses.ts'
import {
  type AccountsApp,
  confirmingEnv,
  goodPassword,
  linkToken,
  registration,
  sessionCookieOf,
  startAccountsApp,
} from './support/accounts-app.ts'

let t: AccountsApp

beforeAll(async () => {
  t = await startAccountsApp({ ...confirmingEnv, PUBLIC_URL: 'https://grove.example' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.runJobs()
  t.mails.length = 0
})

const newPassword = 'another morning on the terraces'

async function register(details: object = {}) {
  const person = registration(details)
  await t.post('/api/register', person)
  await t.runJobs()
  return { ...person, token: linkToken(t.mails) }
}

async function registerConfirmed() {
  const person = await register()
  expect((await t.post('/api/auth/email-verifications', { token: person.token })).statusCode).toBe(204)
  t.mails.length = 0
  return person
}

async function requestReset(email: string): Promise<string> {
  expect((await t.post('/api/auth/password-reset-requests', { email })).statusCode).toBe(204)
  await t.runJobs()
  return linkToken(t.mails)
}

const signIn = (email: string, password: string) => t.post('/api/login', { email, password })
const reset = (token: string, password = newPassword) => t.post('/api/auth/password-resets', { token, password })

describe('confirming an address', () => {
  test('unlocks the account through the emailed link without signing the person in', async () => {
    const { email, token } = await register()
    expect((await signIn(email, goodPassword)).json().code).toBe('email_unverified')
    const response = await t.post('/api/auth/email-verifications', { token })
    expect(response.statusCode).toBe(204)
    expect(sessionCookieOf(response)).toBeUndefined()
    const signedIn = await signIn(email, goodPassword)
    expect(signedIn.statusCode).toBe(200)
    const user = await t.get('/api/auth/user', { cookie: sessionCookieOf(signedIn) as string })
    expect(user.json().isEmailVerified).toBe(true)
  })

  test('accepts a link twice, because some email apps open links first', async () => {
    const { token } = await register()
    for (let times = 0; times < 2; times++) expect((await t.post('/api/auth/email-verifications', { token })).statusCode).toBe(204)
  })

  test('refuses the link after 24 hours', async () => {
    const { email, token } = await register()
    t.clock.advance({ hours: 24, seconds: 1 })
    const late = await t.post('/api/auth/email-verifications', { token })
    t.clock.set(new Date())
    expect([late.statusCode, late.json().code]).toEqual([400, 'invalid_token'])
    expect((await signIn(email, goodPassword)).statusCode).toBe(403)
  })

  test('resends the link, responding the same for every address', async () => {
    const [waiting, confirmed] = [await register(), await registerConfirmed()]
    const answers = []
    for (const email of [waiting.email, confirmed.email, 'no-one@example.com']) {
      const { statusCode, body } = await t.post('/api/auth/email-verification-requests', { email })
      answers.push([statusCode, body])
    }
    expect(answers).toEqual([
      [204, ''],
      [204, ''],
      [204, ''],
    ])
    await t.runJobs()
    expect(t.mails.map(({ to }) => to)).toEqual([waiting.email])
    expect((await t.post('/api/auth/email-verifications', { token: linkToken(t.mails) })).statusCode).toBe(204)
  })

  test('includes the requested page in the link if it is on this site', async () => {
    const nextIn = (text = '') => unpackPath(/&next=(\S+)/.exec(text)?.[1])
    const person = await register({ returnTo: '/business/register' })
    expect(nextIn(t.mails.at(-1)?.text)).toBe('/business/register')
    await t.post('/api/auth/email-verification-requests', { email: person.email, returnTo: '/invitations/abc#ann@example.com' })
    await t.runJobs()
    expect(nextIn(t.mails.at(-1)?.text)).toBe('/invitations/abc#ann@example.com')
    for (const returnTo of ['//evil.example', 'https://evil.example', '/api/logout']) {
      await register({ returnTo })
      expect(t.mails.at(-1)?.text).not.toContain('next=')
    }
  })

  test('ignores a link to a previous address of the account', async () => {
    const { email, token } = await register()
    await t.db.updateTable('users').set({ email: 'changed@example.com' }).where('email', '=', email).execute()
    expect((await t.post('/api/auth/email-verifications', { token })).statusCode).toBe(400)
  })

  test('doesn’t accept a confirmation link as a password link, or the reverse', async () => {
    const { email, token } = await register()
    expect((await reset(token)).json().code).toBe('invalid_token')
    const resetToken = await requestReset(email)
    expect((await t.post('/api/auth/email-verifications', { token: resetToken })).json().code).toBe('invalid_token')
  })
})

describe('resetting the password', () => {
  test('replaces the old password, ends every session, and notifies the owner', async () => {
    const person = await registerConfirmed()
    const cookies = await Promise.all([1, 2].map(async () => sessionCookieOf(await signIn(person.email, goodPassword)) as string))
    const token = await requestReset(person.email)
    t.mails.length = 0
    const response = await reset(token)
    expect(response.statusCode, response.body).toBe(204)
    expect(sessionCookieOf(response)).toBeUndefined()
    for (const cookie of cookies) expect((await t.get('/api/auth/user', { cookie })).statusCode).toBe(401)
    expect((await signIn(person.email, goodPassword)).statusCode).toBe(401)
    expect((await signIn(person.email, newPassword)).statusCode).toBe(200)
    await t.runJobs()
    expect(t.mails.map(({ to, subject }) => [to, subject])).toEqual([[person.email, 'Sungrove: your password was changed']])
  })

  test('refuses a sign-in with the old password that began before the reset', async () => {
    const person = await registerConfirmed()
    const token = await requestReset(person.email)
    const { verifyPassword } = t.auth
    t.auth.verifyPassword = async (password, hash) => {
      const isRight = await verifyPassword(password, hash)
      expect((await reset(token)).statusCode).toBe(204)
      return isRight
    }
    const late = await signIn(person.email, goodPassword).finally(() => {
      t.auth.verifyPassword = verifyPassword
    })
    expect([late.statusCode, sessionCookieOf(late)]).toEqual([401, undefined])
    const sessions = t.db.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id').select('sessions.id')
    expect(await sessions.where('users.email', '=', person.email).execute()).toEqual([])
  })

  test('leaves other people’s sessions alone', async () => {
    const [person, other] = [await registerConfirmed(), await registerConfirmed()]
    const cookie = sessionCookieOf(await signIn(other.email, goodPassword)) as string
    await reset(await requestReset(person.email))
    expect((await t.get('/api/auth/user', { cookie })).statusCode).toBe(200)
  })

  test('accepts the link only once, even concurrently', async () => {
    const person = await registerConfirmed()
    const token = await requestReset(person.email)
    const responses = await Promise.all([1, 2, 3].map((number) => reset(token, `${newPassword} ${number}`)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400])
    expect((await reset(token)).json().code).toBe('invalid_token')
    const winner = responses.findIndex(({ statusCode }) => statusCode === 204) + 1
    expect((await signIn(person.email, `${newPassword} ${winner}`)).statusCode).toBe(200)
  })

  test('voids all other links when one is used', async () => {
    const person = await registerConfirmed()
    const [first, second] = [await requestReset(person.email), await requestReset(person.email)]
    expect((await reset(second)).statusCode).toBe(204)
    expect((await reset(first)).json().code).toBe('invalid_token')
  })

  test('refuses the link after an hour', async () => {
    const person = await registerConfirmed()
    const token = await requestReset(person.email)
    t.clock.advance({ hours: 1, seconds: 1 })
    const late = await reset(token)
    t.clock.set(new Date())
    expect(late.json().code).toBe('invalid_token')
    expect((await reset(token)).statusCode).toBe(204)
  })

  test('refuses a weak password with a reason and keeps the link valid', async () => {
    const person = await registerConfirmed()
    const token = await requestReset(person.email)
    const weak = await reset(token, 'RobinMeadows')
    expect([weak.statusCode, weak.json().code, weak.json().fields.password]).toEqual([
      400,
      'weak_password',
      expect.stringContaining('name'),
    ])
    expect((await reset(token)).statusCode).toBe(204)
  })

  test('confirms the address of an unconfirmed account', async () => {
    const person = await register()
    expect((await reset(await requestReset(person.email))).statusCode).toBe(204)
    expect((await signIn(person.email, newPassword)).statusCode).toBe(200)
  })

  test('responds the same for every address and emails only known ones', async () => {
    const person = await registerConfirmed()
    const answers = []
    for (const email of [person.email, 'no-one@example.com']) {
      const { statusCode, body } = await t.post('/api/auth/password-reset-requests', { email })
      answers.push([statusCode, body])
    }
    expect(answers[0]).toEqual(answers[1])
    // Both jobs are queued, so nothing is looked up before the response.
    expect(t.jobs.waiting.map(({ name, data }) => [name, data])).toEqual([
      ['accounts.mail-reset-link', { email: person.email }],
      ['accounts.mail-reset-link', { email: 'no-one@example.com' }],
    ])
    await t.runJobs()
    expect(t.mails.map(({ to }) => to)).toEqual([person.email])
  })

  test.each(['forged', 'a.b', '0190a1b2-0000-7000-8000-000000000000.secret', '.', '0190a1b2-0000-7000-8000-000000000000', "'; --.x"])(
    'refuses the token %j',
    async (token) => {
      for (const url of ['/api/auth/password-resets', '/api/auth/email-verifications']) {
        const response = await t.post(url, { token, password: newPassword })
        expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_token'])
      }
    },
  )

  test('refuses a token that combines one person’s ID with another person’s secret', async () => {
    const [mine, theirs] = [await registerConfirmed(), await registerConfirmed()]
    const myToken = await requestReset(mine.email)
    const theirToken = await requestReset(theirs.email)
    const mixed = `${theirToken.split('.')[0]}.${myToken.split('.')[1]}`
    expect((await reset(mixed)).json().code).toBe('invalid_token')
  })
})

describe('an emailed link', () => {
  test('includes the requested page in the link if it is on this site', async () => {
    const { email } = await registerConfirmed()
    const nextAfter = async (returnTo: string) => {
      await t.post('/api/auth/password-reset-requests', { email, returnTo })
      await t.runJobs()
      return unpackPath(/&next=(\S+)/.exec(t.mails.at(-1)?.text ?? '')?.[1])
    }
    expect(await nextAfter('/invitations/abc#ann@example.com')).toBe('/invitations/abc#ann@example.com')
    expect(await nextAfter('https://evil.example')).toBeNull()
  })

  test('leaves no token in the database or the queue', async () => {
    const person = await registerConfirmed()
    await t.post('/api/auth/password-reset-requests', { email: person.email })
    expect(JSON.stringify(t.jobs.waiting)).not.toMatch(/token|secret/i)
    await t.runJobs()
    const [, secret] = linkToken(t.mails).split('.') as [string, string]
    const rows = await t.db.selectFrom('verifications').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('never uses the host in a request header', async () => {
    const person = await registerConfirmed()
    const hostile = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'host=evil.example;proto=http',
      'x-original-url': 'https://evil.example/',
      'x-host': 'evil.example',
    }
    expect((await t.post('/api/auth/password-reset-requests', { email: person.email }, hostile)).statusCode).toBe(204)
    expect((await t.post('/api/register', registration(), hostile)).statusCode).toBe(201)
    expect((await t.post('/api/auth/email-verification-requests', { email: person.email }, hostile)).statusCode).toBe(204)
    await t.runJobs()
    expect(t.mails.length).toBe(2)
    for (const { text } of t.mails) {
      expect(text).not.toContain('evil')
      for (const link of text.match(/https?:\/\/\S+/g) ?? []) expect(new URL(link).origin).toBe('https://grove.example')
    }
  })
})
