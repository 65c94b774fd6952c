import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AccountsApp,
  confirmingEnv,
  goodPassword,
  linkToken,
  registration,
  sessionCookieOf,
  startAccountsApp,
} from './support/accounts-app.ts'
import { lockAuditLog, untilWaiting } from './support/locks.ts'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.ts'
import { cookiesOf, createClaims, signInWithOpenId } from './support/openid-walk.ts'

let provider: OpenIdProvider
let t: AccountsApp

const env = () => ({
  PUBLIC_URL: 'https://grove.example',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Acme',
})

beforeAll(async () => {
  provider = await startOpenIdProvider()
  t = await startAccountsApp(env())
})
afterAll(async () => {
  await t.close()
  await provider.close()
})

beforeEach(() => {
  provider.tamper = (claims) => claims
  provider.signature = 'right'
  provider.isSilent = false
  provider.person = createClaims()
})
const userOf = async (response: Awaited<ReturnType<AccountsApp['get']>>, app: AccountsApp = t) =>
  (await app.get('/api/auth/user', { cookie: sessionCookieOf(response) ?? '' })).json()

describe('signing in with OpenID', () => {
  test('redirects to the provider with state, PKCE, and nonce, and back to the site’s own address', async () => {
    const response = await t.get('/api/login', { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    const location = new URL(response.headers.location as string)
    expect(location.origin).toBe(provider.issuer)
    const query = Object.fromEntries(location.searchParams)
    expect(query).toMatchObject({
      client_id: 'sungrove',
      response_type: 'code',
      redirect_uri: 'https://grove.example/api/auth/callback/openid',
      code_challenge_method: 'S256',
    })
    expect(query.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]?.length).toBeGreaterThan(20)
  })

  test('skips the provider if the person is signed in', async () => {
    const { finished } = await signInWithOpenId(t)
    expect((await t.get('/api/login?returnTo=/favorites', { cookie: sessionCookieOf(finished) as string })).headers.location).toBe(
      '/favorites',
    )
  })

  test('redirects to the auth page while the provider is down and recovers afterward', async () => {
    const issuer = new URL(provider.issuer)
    const away = await startOpenIdProvider()
    const port = Number(new URL(away.issuer).port)
    await away.close()
    const app = await startAccountsApp({ ...env(), OIDC_ISSUER: `http://127.0.0.1:${port}` })
    try {
      const response = await app.get('/api/login?returnTo=/favorites')
      expect(response.headers.location).toBe('/auth?error=openid_unavailable&returnTo=%2Ffavorites')
      // Other sign-in methods don't depend on the provider.
      expect((await app.post('/api/register', registration())).statusCode).toBe(201)
      const back = await startOpenIdProvider({ port })
      expect(new URL((await app.get('/api/login')).headers.location as string).port).toBe(`${port}`)
      await back.close()
      expect(issuer.port).not.toBe(`${port}`)
    } finally {
      await app.close()
    }
  })

  test('times out within ten seconds if the provider accepts a connection but never responds', { timeout: 60_000 }, async () => {
    const silent = net.createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const app = await startAccountsApp({ ...env(), OIDC_ISSUER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
    try {
      const askedAt = performance.now()
      const response = await app.get('/api/login')
      expect(performance.now() - askedAt).toBeLessThan(11_000)
      expect(response.headers.location).toMatch(/^\/auth\?error=openid_unavailable/)
    } finally {
      await app.close()
      silent.close()
    }
  })
})

describe('returning from the provider', () => {
  test('creates an account without a birthday and signs it in', async () => {
    provider.person = createClaims({ family_name: 'Gardener', name: 'Ann Gardener', picture: 'https://pictures.example/ann.png' })
    const { finished } = await signInWithOpenId(t, { returnTo: '/business/green-leaf' })
    expect([finished.statusCode, finished.headers.location]).toEqual([302, '/business/green-leaf'])
    const user = await userOf(finished)
    expect(user).toMatchObject({
      email: provider.person.email.toLowerCase(),
      isEmailVerified: true,
      firstName: 'Ann',
      lastName: 'Gardener',
      birthday: null,
      profileImageUrl: null,
      userType: 'consumer',
      role: 'member',
      hasCompletedOnboarding: false,
    })
    expect(user.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('finds the same account again', async () => {
    const first = await userOf((await signInWithOpenId(t)).finished)
    const second = await userOf((await signInWithOpenId(t)).finished)
    expect(second.id).toBe(first.id)
  })

  test('sets the site’s own cookie and stores neither it nor the provider’s tokens', async () => {
    const { finished } = await signInWithOpenId(t)
    const cookie = sessionCookieOf(finished) as string
    expect(cookie).toMatch(/^__Host-sungrove\.session_token=/)
    const { id } = await userOf(finished)
    const [session] = await t.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
    const token = decodeURIComponent(cookie).split('=')[1]?.split('.')[0] as string
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect(JSON.stringify(session)).not.toContain(token)
    expect(session).toMatchObject({ ip_address: null })
    const [credential] = await t.db.selectFrom('credentials').selectAll().where('user_id', '=', id).execute()
    expect(credential?.provider_id).toBe(`openid ${provider.issuer}`)
    expect(credential).toMatchObject({ access_token: null, refresh_token: null, id_token: null, password: null })
  })

  test('requires a missing birthday in the first form and deletes the accounts of minors', async () => {
    const { finished } = await signInWithOpenId(t)
    const cookie = sessionCookieOf(finished) as string
    const form = { firstName: 'Ann', lastName: 'Gardener', location: 'Denver, CO' }
    expect((await t.post('/api/user/profile', form, { cookie })).json().code).toBe('birthday_required')
    const year = new Date().getUTCFullYear() - 17
    const refused = await t.post('/api/user/profile', { ...form, birthday: `${year}-01-01` }, { cookie })
    expect(refused.json().code).toBe('underage')
    expect((await t.get('/api/auth/user', { cookie })).statusCode).toBe(401)
    const email = provider.person.email.toLowerCase()
    expect(await t.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
    // The person may return but must provide a birthday again.
    expect(await userOf((await signInWithOpenId(t)).finished)).toMatchObject({ birthday: null })
  })

  test('requests the address from the provider if the ID token lacks it', async () => {
    provider.tamper = ({ email: _email, email_verified: _verified, ...claims }) => claims
    const { finished } = await signInWithOpenId(t)
    expect(await userOf(finished)).toMatchObject({ email: provider.person.email.toLowerCase(), isEmailVerified: true })
  })

  test('redirects a person who cancels at the provider to the auth page', async () => {
    const begun = await t.get('/api/login?returnTo=/favorites')
    const state = new URL(begun.headers.location as string).searchParams.get('state') as string
    const finished = await t.get(`/api/auth/callback/openid?error=access_denied&state=${state}`, { cookie: cookiesOf(begun) })
    expect(finished.headers.location).toBe('/auth?returnTo=%2Ffavorites&error=access_denied')
  })

  test('never redirects to another site', async () => {
    for (const returnTo of ['//evil.example', 'https://evil.example/', '/\\evil.example']) {
      provider.person = createClaims()
      const { finished } = await signInWithOpenId(t, { returnTo })
      expect(finished.headers.location).toBe('/')
    }
    const stray = await t.get('/api/auth/callback/openid?state=nothing&code=x', {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    })
    expect(new URL(stray.headers.location as string, 'https://grove.example').origin).toBe('https://grove.example')
  })
})

describe('an address with an existing account', () => {
  const password = async (verified: boolean) => {
    const details = registration()
    await t.post('/api/register', details)
    await t.db.updateTable('users').set({ email_verified: verified }).where('email', '=', details.email).execute()
    return details
  }

  test('is linked to that account if both the provider and the site have confirmed it', async () => {
    const details = await password(true)
    provider.person = createClaims({ email: details.email })
    const user = await userOf((await signInWithOpenId(t)).finished)
    expect(user).toMatchObject({ email: details.email, firstName: 'Robin', birthday: '1990-04-01' })
    expect((await t.post('/api/login', details)).statusCode).toBe(200)
  })

  test('isn’t linked while a previous owner can still restore it', async () => {
    const details = await password(true)
    const { id } = await t.db.selectFrom('users').select('id').where('email', '=', details.email).executeTakeFirstOrThrow()
    const now = t.clock.now()
    const times = { requested_at: now, confirmed_at: now, expires_at: new Date(now.getTime() + 86_400_000) }
    const change = { id: crypto.randomUUID(), user_id: id, old_email: details.email, new_email: `new-${details.email}`, ...times }
    await t.db.updateTable('users').set({ email: change.new_email }).where('id', '=', id).execute()
    await t.db.insertInto('email_changes').values(change).execute()
    provider.person = createClaims({ email: details.email })
    expect((await signInWithOpenId(t)).finished.headers.location).toContain('error=account_not_linked')
  })

  test.each([
    ['the provider did not confirm it', true, false],
    ['the site did not confirm it, because the account’s creator may not own it', false, true],
  ])('isn’t linked when %s', async (_name, isOurs, isTheirs) => {
    const details = await password(false)
    await t.runJobs()
    const token = linkToken(t.mails)
    await t.db.updateTable('users').set({ email_verified: isOurs }).where('email', '=', details.email).execute()
    provider.person = createClaims({ email: details.email, email_verified: isTheirs })
    const { finished } = await signInWithOpenId(t)
    expect(sessionCookieOf(finished)).toBeUndefined()
    expect(finished.headers.location).toMatch(/^\/auth\?.*error=account_not_linked/)
    expect((await t.post('/api/login', { email: details.email, password: goodPassword })).statusCode).toBe(200)
    if (isOurs) return
    // The provider's user owns the address, so an earlier link must not confirm the password of someone else.
    expect((await t.post('/api/auth/email-verifications', { token })).json().code).toBe('invalid_token')
  })

  test('loses the provider account of an unconfirmed sign-up when its owner sets a password by email', async () => {
    provider.person = createClaims({ email_verified: false })
    await signInWithOpenId(t)
    const email = provider.person.email.toLowerCase()
    await t.post('/api/auth/password-reset-requests', { email })
    await t.runJobs()
    const reset = { token: linkToken(t.mails), password: 'another set of seven terraces' }
    expect((await t.post('/api/auth/password-resets', reset)).statusCode).toBe(204)
    const { finished } = await signInWithOpenId(t)
    expect(finished.headers.location).toMatch(/error=account_not_linked/)
    expect((await t.post('/api/login', { email, password: reset.password })).statusCode).toBe(200)
  })
})

describe('connecting an account', () => {
  async function newPerson() {
    const details = registration()
    const registered = await t.post('/api/register', details)
    const cookie = sessionCookieOf(registered) as string
    const { id } = (await t.get('/api/auth/user', { cookie })).json()
    return { ...details, cookie, id: id as string }
  }
  type NewPerson = Awaited<ReturnType<typeof newPerson>>
  const stateOf = async ({ cookie }: NewPerson) => (await t.get('/api/sign-in', { cookie })).json()

  /** Goes from the settings to the provider. Returns the address that the provider redirects to, and the browser's cookies. */
  async function leave({ cookie }: NewPerson, password = goodPassword) {
    const begun = await t.post('/api/sign-in/openid/connect', { password }, { cookie })
    expect(begun.statusCode, begun.body).toBe(200)
    const atProvider = await fetch(begun.json().location as string, { redirect: 'manual' })
    const back = new URL(atProvider.headers.get('location') as string)
    return { back, kept: cookiesOf(begun) }
  }
  const comeBack = ({ back, kept }: Awaited<ReturnType<typeof leave>>, { cookie }: { cookie: string }) =>
    t.get(back.pathname + back.search, { cookie: [kept, cookie].filter(Boolean).join('; ') })

  test('requires the password and a sign-in at the provider, whatever email address it reports, and then allows sign-ins through it', async () => {
    const ann = await newPerson()
    expect((await t.post('/api/sign-in/openid/connect', { password: 'wrong' }, ann)).statusCode).toBe(400)
    expect(await stateOf(ann)).toMatchObject({ openId: { name: 'Acme', connectedAt: null } })
    const finished = await comeBack(await leave(ann), ann)
    expect(finished.headers.location).toBe('/settings?openid=connected#sign-in')
    expect(sessionCookieOf(finished)).toBeUndefined()
    expect((await stateOf(ann)).openId.connectedAt).not.toBeNull()
    expect(await userOf((await signInWithOpenId(t)).finished)).toMatchObject({ id: ann.id, email: ann.email })
    await t.runJobs()
    expect(t.mails.filter(({ to }) => to === ann.email).map(({ subject }) => subject)).toContain('Sungrove: an account was connected')
    const audited = await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', ann.id).execute()
    expect(audited).toEqual([{ action: 'openid.connected' }])
    expect((await t.post('/api/sign-in/openid/connect', { password: goodPassword }, ann)).json().code).toBe('conflict')
  })

  test('is refused for another session, another account, a visitor, and a replay', async () => {
    const [ann, ben] = [await newPerson(), await newPerson()]
    const other = { ...ann, cookie: sessionCookieOf(await t.post('/api/login', ann)) as string }
    for (const wrong of [ben, other, { cookie: '' }]) {
      const finished = await comeBack(await leave(ann), wrong)
      expect(finished.headers.location).toBe('/settings?openid=another_session#sign-in')
      expect(sessionCookieOf(finished)).toBeUndefined()
    }
    const left = await leave(ann)
    await comeBack(left, ann)
    expect((await comeBack(left, ann)).headers.location).toContain('error=')
    expect(await stateOf(ben)).toMatchObject({ openId: { connectedAt: null } })
  })

  test('connects a provider account to only one person', async () => {
    const [ann, ben] = [await newPerson(), await newPerson()]
    await comeBack(await leave(ann), ann)
    const finished = await comeBack(await leave(ben), ben)
    expect(finished.headers.location).toBe('/settings?openid=account_already_linked_to_different_user#sign-in')
    expect(await stateOf(ben)).toMatchObject({ openId: { connectedAt: null } })
  })

  test('is refused if a password reset ends the session before the browser comes back', async () => {
    const ann = await newPerson()
    const left = await leave(ann)
    await t.post('/api/auth/password-reset-requests', { email: ann.email })
    await t.runJobs()
    const reset = { token: linkToken(t.mails), password: 'eleven small lamps at night' }
    const calls = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const resetting = t.post('/api/auth/password-resets', reset)
      await untilWaiting(t.db)
      const connecting = comeBack(left, ann)
      await untilWaiting(t.db, { count: 2 })
      return { resetting, connecting }
    })
    expect((await calls.resetting).statusCode).toBe(204)
    expect((await calls.connecting).headers.location).toBe('/settings?openid=another_session#sign-in')
    const providers = await t.db.selectFrom('credentials').select('provider_id').where('user_id', '=', ann.id).execute()
    expect(providers).toEqual([{ provider_id: 'credential' }])
  })

  test('connects only one provider account to a person', async () => {
    const ann = await newPerson()
    const [first, second] = [await leave(ann), await leave(ann)]
    expect((await comeBack(first, ann)).headers.location).toBe('/settings?openid=connected#sign-in')
    provider.person = createClaims()
    expect((await comeBack(second, ann)).headers.location).toBe('/settings?openid=already_connected#sign-in')
    const found = t.db.selectFrom('credentials').select('id').where('user_id', '=', ann.id).where('provider_id', 'like', 'openid%')
    expect(await found.execute()).toHaveLength(1)
  })

  test('notifies the person only once when two tabs connect the same provider account', async () => {
    const ann = await newPerson()
    for (const left of [await leave(ann), await leave(ann)]) {
      expect((await comeBack(left, ann)).headers.location).toBe('/settings?openid=connected#sign-in')
    }
    await t.runJobs()
    const subjects = t.mails.filter(({ to }) => to === ann.email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('connected'))).toHaveLength(1)
    expect(await t.db.selectFrom('audit_log').select('action').where('subject_id', '=', ann.id).execute()).toHaveLength(1)
  })

  test('can be undone unless it is the only way to sign in', async () => {
    const ann = await newPerson()
    await comeBack(await leave(ann), ann)
    const disconnect = () => t.post('/api/sign-in/openid/disconnect', { password: goodPassword }, ann)
    expect((await disconnect()).statusCode).toBe(204)
    expect((await disconnect()).statusCode).toBe(204)
    expect(await stateOf(ann)).toMatchObject({ openId: { connectedAt: null } })
    await comeBack(await leave(ann), ann)
    await t.db.deleteFrom('credentials').where('user_id', '=', ann.id).where('provider_id', '=', 'credential').execute()
    expect((await disconnect()).json()).toMatchObject({ code: 'conflict' })
    expect((await stateOf(ann)).openId.connectedAt).not.toBeNull()
  })
})

test('asks for confirmation by email if the provider has not confirmed the address', async () => {
  const confirming = await startAccountsApp({ ...env(), ...confirmingEnv })
  try {
    provider.person = createClaims({ email_verified: false })
    const { finished } = await signInWithOpenId(confirming)
    expect(sessionCookieOf(finished)).toBeUndefined()
    expect(finished.headers.location).toMatch(/error=email_not_verified/)
    await confirming.runJobs()
    expect(confirming.mails.map(({ to }) => to)).toEqual([provider.person.email.toLowerCase()])
    await confirming.post('/api/auth/email-verifications', { token: linkToken(confirming.mails) })
    expect(await userOf((await signInWithOpenId(confirming)).finished, confirming)).toMatchObject({ isEmailVerified: true })
  } finally {
    await confirming.close()
  }
})

test('exposes no sign-in routes that are not in the contract', async () => {
  for (const url of [
    '/api/auth/sign-up/email',
    '/api/auth/sign-in/email',
    '/api/auth/sign-in/social',
    '/api/auth/request-password-reset',
    '/api/auth/callback/other',
    '/api/auth/get-session',
    '/api/auth/delete-user',
    '/api/auth/error',
    '/api/auth/ok',
  ]) {
    expect((await t.post(url, { email: 'a@example.com', password: goodPassword, name: 'A' })).statusCode, url).toBe(404)
    expect((await t.get(url)).statusCode, url).toBe(404)
  }
  expect((await t.post('/api/auth/callback/openid', {})).statusCode).toBe(404)
})
