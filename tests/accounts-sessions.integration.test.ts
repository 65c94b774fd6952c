import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountsApp, registration, sessionCookieOf, startAccountsApp } from './support/accounts-app.ts'

let t: AccountsApp

beforeAll(async () => {
  t = await startAccountsApp()
})
afterAll(() => t.close())

async function signUp(details: object = {}) {
  const response = await t.post('/api/register', registration(details))
  const cookie = sessionCookieOf(response) as string
  const { id } = (await t.get('/api/auth/user', { cookie })).json()
  return { cookie, id: id as string, response }
}

const isSignedIn = async (cookie: string) => (await t.get('/api/auth/user', { cookie })).statusCode === 200
const tokenOf = (cookie: string) => decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)).split('.')[0] as string
const sessionsOf = (userId: string) => t.db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()

describe('session storage', () => {
  test('contains only a hash of the token', async () => {
    const { cookie, id } = await signUp()
    const [row] = await sessionsOf(id)
    const token = tokenOf(cookie)
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect(row?.token).toBe(createHash('sha256').update(token).digest('base64url'))
    expect(JSON.stringify(row)).not.toContain(token)
    // The stored token doesn't open a session, even in a correctly signed cookie.
    const stolen = t.auth.cookie.set(row?.token as string).split(';')[0] as string
    expect(await isSignedIn(stolen)).toBe(false)
  })

  test('contains no IP address and only a short browser name', async () => {
    const response = await t.post('/api/register', registration(), { 'user-agent': 'B'.repeat(2000), 'x-forwarded-for': '203.0.113.9' })
    const { id } = (await t.get('/api/auth/user', { cookie: sessionCookieOf(response) as string })).json()
    const [row] = await sessionsOf(id)
    expect(row?.user_agent).toBe('B'.repeat(300))
    expect(JSON.stringify(row)).not.toContain('203.0.113.9')
  })
})

describe('the session cookie', () => {
  test('is inaccessible to scripts and other sites', async () => {
    const { response } = await signUp()
    const cookie = response.cookies.find(({ name }) => name === 'sungrove.session_token')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 30 * 24 * 3600 })
    expect(cookie?.secure).toBeUndefined()
  })

  test('is restricted to HTTPS if the site uses it', async () => {
    const secure = await startAccountsApp({ PUBLIC_URL: 'https://grove.example' })
    try {
      const response = await secure.post('/api/register', registration())
      const cookie = response.cookies.find(({ name }) => name.endsWith('session_token'))
      expect(cookie).toMatchObject({ name: '__Host-sungrove.session_token', secure: true, httpOnly: true, sameSite: 'Lax' })
      expect((await secure.get('/api/auth/user', { cookie: sessionCookieOf(response) as string })).statusCode).toBe(200)
    } finally {
      await secure.close()
    }
  })

  test.each([
    ['no cookie', undefined],
    ['an empty value', 'sungrove.session_token='],
    ['a forged value', 'sungrove.session_token=forged.c2lnbmF0dXJl'],
    ['a value that is not text', 'sungrove.session_token=%00%ff'],
  ])('signs no one in and queries nothing with %s', async (_name, cookie) => {
    let asked = 0
    const pool = { query: async () => void asked++ }
    const { createSessionReader } = await import('#server/features/accounts/index.ts')
    const reader = createSessionReader({ pool: pool as never, cookie: t.auth.cookie, clock: t.clock, config: t.ctx.config })
    expect(await reader.read(cookie)).toBeNull()
    expect(asked).toBe(0)
    const response = await t.get('/api/auth/user', cookie ? { cookie } : {})
    expect([response.statusCode, response.json().code]).toEqual([401, 'signed_out'])
  })
})

describe('a session', () => {
  const at = async (days: number, check: () => Promise<void>) => {
    t.clock.advance({ days })
    try {
      await check()
    } finally {
      t.clock.set(new Date())
    }
  }

  test('ends after 30 days without use', async () => {
    const { cookie } = await signUp()
    await at(30, async () => expect(await isSignedIn(cookie)).toBe(false))
    await at(29.9, async () => expect(await isSignedIn(cookie)).toBe(true))
  })

  test('is extended at most once a day, along with its cookie', async () => {
    const { cookie, id } = await signUp()
    const read = async () => (await sessionsOf(id))[0]?.expires_at.getTime() as number
    const first = await read()
    await at(0.9, async () => {
      const response = await t.get('/api/auth/user', { cookie })
      expect(sessionCookieOf(response)).toBeUndefined()
      expect(await read()).toBe(first)
    })
    await at(1.1, async () => {
      const response = await t.get('/api/auth/user', { cookie })
      expect(sessionCookieOf(response)).toBe(cookie)
      expect(response.cookies.find(({ name }) => name === 'sungrove.session_token')?.maxAge).toBe(30 * 24 * 3600)
      const extended = await read()
      expect(extended - first).toBeGreaterThan(24 * 3600 * 1000)
      expect(sessionCookieOf(await t.get('/api/auth/user', { cookie }))).toBeUndefined()
      expect(await read()).toBe(extended)
    })
    await at(31, async () => expect(await isSignedIn(cookie)).toBe(true))
  })

  test('is purged only once it has expired, as are links and idempotency keys', async () => {
    const [old, young] = [await signUp(), await signUp()]
    const long = new Date(Date.now() - 1000)
    await t.db.updateTable('sessions').set({ expires_at: long }).where('user_id', '=', old.id).execute()
    const verification = (id: string, expires_at: Date) => ({ id, identifier: 'verify-email:x', value: 'y', expires_at })
    await t.db
      .insertInto('verifications')
      .values([
        verification('0190a1b2-0000-7000-8000-00000000000a', long),
        verification('0190a1b2-0000-7000-8000-00000000000b', new Date(Date.now() + 60_000)),
      ])
      .execute()
    const key = (name: string, hours: number) => ({
      user_id: young.id,
      key: name,
      fingerprint: 'f',
      created_at: new Date(Date.now() - hours * 3_600_000),
    })
    await t.db
      .insertInto('idempotency_keys')
      .values([key('old', 25), key('young', 23)])
      .execute()

    await t.jobs.enqueue('accounts.purge-expired', {})
    await t.runJobs()

    expect(await sessionsOf(old.id)).toHaveLength(0)
    expect(await sessionsOf(young.id)).toHaveLength(1)
    const left = await t.db.selectFrom('verifications').select('id').where('identifier', '=', 'verify-email:x').execute()
    expect(left.map(({ id }) => id)).toEqual(['0190a1b2-0000-7000-8000-00000000000b'])
    expect((await t.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)).toEqual(['young'])
  })
})

describe('GET /api/login', () => {
  test('redirects to the auth page with the return address', async () => {
    const plain = await t.get('/api/login')
    expect([plain.statusCode, plain.headers.location]).toEqual([302, '/auth'])
    const deep = await t.get(`/api/login?returnTo=${encodeURIComponent('/business/green-leaf?tab=posts')}`)
    expect(deep.headers.location).toBe('/auth?returnTo=%2Fbusiness%2Fgreen-leaf%3Ftab%3Dposts')
    expect(deep.headers['cache-control']).toBe('no-store')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/%2f/evil.example', '/api/logout', '/\r\nSet-Cookie:a=b'])(
    'ignores the return address %j',
    async (returnTo) => {
      const response = await t.get(`/api/login?returnTo=${encodeURIComponent(returnTo)}`)
      expect(response.headers.location).toBe('/auth')
      const { cookie } = await signUp()
      expect((await t.get(`/api/login?returnTo=${encodeURIComponent(returnTo)}`, { cookie })).headers.location).toBe('/')
    },
  )

  test('ignores a list of return addresses', async () => {
    expect((await t.get('/api/login?returnTo=/discover&returnTo=//evil.example')).headers.location).toBe('/auth')
  })

  test('signs a person out to switch accounts, but never at the request of another site', async () => {
    const { cookie } = await signUp()
    const foreign = await t.get('/api/login?switch=true', { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
    expect([foreign.headers.location, await isSignedIn(cookie)]).toEqual(['/', true])
    const own = await t.get('/api/login?switch=true', { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' })
    expect([own.headers.location, await isSignedIn(cookie)]).toEqual(['/auth', false])
    expect(String(own.headers['set-cookie'])).toContain('Max-Age=0')
  })

  test('redirects a signed-in person immediately', async () => {
    const { cookie } = await signUp()
    expect((await t.get('/api/login?returnTo=/favorites', { cookie })).headers.location).toBe('/favorites')
  })
})

describe('GET /api/logout', () => {
  test('ends the session in the database, clears the cookie, and redirects home', async () => {
    const { cookie, id } = await signUp()
    const response = await t.get('/api/logout', { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/'])
    expect(response.headers['set-cookie']).toMatch(/^sungrove\.session_token=; Max-Age=0; Path=\/; HttpOnly/)
    expect(await sessionsOf(id)).toHaveLength(0)
    expect(await isSignedIn(cookie)).toBe(false)
  })

  test('ends only this session', async () => {
    const details = registration()
    const first = sessionCookieOf(await t.post('/api/register', details)) as string
    const second = sessionCookieOf(await t.post('/api/login', details)) as string
    await t.get('/api/logout', { cookie: first })
    expect(await isSignedIn(first)).toBe(false)
    expect(await isSignedIn(second)).toBe(true)
  })

  test('redirects a visitor home', async () => {
    const response = await t.get('/api/logout')
    expect([response.statusCode, response.headers.location]).toEqual([302, '/'])
  })

  test.each([
    ['another site (fetch metadata)', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
    ['an image on one of our own pages', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ['another site (Origin)', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['another site (Referer)', { referer: 'https://evil.example/page' }],
    ['a referrer that only looks like ours', { referer: 'https://localhost.evil.example/localhost:3000' }],
  ] as [string, Record<string, string>][])('ignores requests triggered by %s', async (_name, headers) => {
    const { cookie } = await signUp()
    const response = await t.get('/api/logout', { cookie, ...headers })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/'])
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(await isSignedIn(cookie)).toBe(true)
  })

  test.each([
    ['a typed address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['our own page, in an old browser', { referer: 'http://localhost:3000/settings' }],
    ['a client that is not a browser', {}],
  ] as [string, Record<string, string>][])('accepts requests from %s', async (_name, headers) => {
    const { cookie } = await signUp()
    await t.get('/api/logout', { cookie, ...headers })
    expect(await isSignedIn(cookie)).toBe(false)
  })
})

test('deletes all sessions of a deleted account', async () => {
  const { cookie, id } = await signUp()
  await t.db.deleteFrom('users').where('id', '=', id).execute()
  expect(await isSignedIn(cookie)).toBe(false)
})
