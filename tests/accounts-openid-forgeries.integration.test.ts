import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountsApp, sessionCookieOf, startAccountsApp } from './support/accounts-app.ts'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.ts'
import { cookiesOf, createClaims, leave, signInWithOpenId } from './support/openid-walk.ts'

// Responses that an attacker could forge or replay without signing in at the OpenID provider.

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
test('refuses a response in a browser other than the one that started the sign-in', async () => {
  const { finished } = await signInWithOpenId(t, { cookie: 'theme=dark' })
  expect(sessionCookieOf(finished)).toBeUndefined()
  expect(new URL(finished.headers.location as string, 'https://grove.example').pathname).toBe('/auth')
  expect(finished.headers.location).toContain('error=')
})

test('refuses the same response a second time', async () => {
  const { begun, back } = await signInWithOpenId(t)
  const again = await t.get(back.pathname + back.search, { cookie: cookiesOf(begun) })
  expect(sessionCookieOf(again)).toBeUndefined()
  expect(again.headers.location).toContain('error=')
})

test.each([
  ['for another client', { aud: 'someone-else' }],
  ['from another issuer', { iss: 'https://evil.example' }],
  ['that has expired', { exp: 1 }],
  ['with another nonce', { nonce: 'replayed' }],
  ['without a nonce', { nonce: undefined }],
  ['without a subject', { sub: undefined }],
  ['for several clients with another as its authorized party', { aud: ['sungrove', 'someone-else'], azp: 'someone-else' }],
])('refuses an ID token %s', async (_name, claims) => {
  provider.tamper = (original) => ({ ...original, ...claims })
  const { finished } = await signInWithOpenId(t)
  expect(sessionCookieOf(finished)).toBeUndefined()
  expect(finished.headers.location).toMatch(/^\/auth\?.*error=/)
  const email = provider.person.email.toLowerCase()
  expect(await t.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
})

test.each(['none', 'client-secret', 'another-key', 'absent'] as const)('refuses a badly signed ID token: %s', async (signature) => {
  provider.signature = signature
  const { finished } = await signInWithOpenId(t)
  expect(sessionCookieOf(finished)).toBeUndefined()
  expect(finished.headers.location).toBe('/auth?returnTo=%2F&error=openid_failed')
  const email = provider.person.email.toLowerCase()
  expect(await t.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
})

test.each([
  ['another state', { state: 'made-up' }, 'state_mismatch'],
  ['no state', { state: '' }, 'state_mismatch'],
  ['another issuer', { iss: 'https://evil.example' }, 'openid_failed'],
  ['someone else’s code', { code: 'stolen' }, 'openid_failed'],
  ['no code', { code: '' }, 'openid_failed'],
])('refuses a response with %s', async (_name, changes, error) => {
  const { begun, back } = await leave(t)
  for (const [name, value] of Object.entries(changes)) {
    if (value) back.searchParams.set(name, value)
    else back.searchParams.delete(name)
  }
  const finished = await t.get(back.pathname + back.search, { cookie: cookiesOf(begun) })
  expect(sessionCookieOf(finished)).toBeUndefined()
  expect(new URL(finished.headers.location as string, 'https://grove.example').searchParams.get('error')).toBe(error)
})

test('refuses a response with the state of another sign-in in the same browser', async () => {
  const [first, second] = [await leave(t), await leave(t)]
  const finished = await t.get(first.back.pathname + first.back.search, { cookie: cookiesOf(second.begun) })
  expect(sessionCookieOf(finished)).toBeUndefined()
  expect(finished.headers.location).toContain('error=state_mismatch')
})

test('refuses a response after ten minutes', async () => {
  const { begun, back } = await leave(t)
  t.clock.advance({ minutes: 10, seconds: 1 })
  const finished = await t.get(back.pathname + back.search, { cookie: cookiesOf(begun) })
  expect(finished.headers.location).toBe('/auth?error=state_mismatch')
})

test('times out within ten seconds if the provider stops responding', { timeout: 60_000 }, async () => {
  provider.isSilent = true
  const startedAt = performance.now()
  const { finished } = await signInWithOpenId(t, { returnTo: '/favorites' })
  expect(performance.now() - startedAt).toBeLessThan(11_000)
  expect(finished.headers.location).toBe('/auth?returnTo=%2Ffavorites&error=openid_unavailable')
})
