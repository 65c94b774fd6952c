import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeIssuers } from '#server/features/accounts/index.ts'
import { type AccountsApp, sessionCookieOf, startAccountsApp } from './support/accounts-app.ts'
import { createTestDatabase } from './support/database.ts'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.ts'
import { createClaims, signInWithOpenId } from './support/openid-walk.ts'

let provider: OpenIdProvider
let t: AccountsApp

const envOf = ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
  PUBLIC_URL: 'https://grove.example',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
})

beforeAll(async () => {
  provider = await startOpenIdProvider()
  t = await startAccountsApp(envOf(provider))
})
afterAll(async () => {
  await t.close()
  await provider.close()
})
beforeEach(() => {
  provider.person = createClaims()
})

const userOf = async (response: Awaited<ReturnType<AccountsApp['get']>>, app: AccountsApp = t) =>
  (await app.get('/api/auth/user', { cookie: sessionCookieOf(response) ?? '' })).json()

test('doesn’t sign in to the account of a person with the same subject at another provider', async () => {
  const database = await createTestDatabase()
  const shared = { ...database, drop: async () => {} }
  const former = await startOpenIdProvider()
  former.person = createClaims({ sub: '1' })
  provider.person = createClaims({ sub: '1' })
  const before = await startAccountsApp(envOf(former), shared)
  const owner = await userOf((await signInWithOpenId(before)).finished, before)
  const after = await startAccountsApp(envOf(provider), shared)
  try {
    const other = await userOf((await signInWithOpenId(after)).finished, after)
    expect(other.email).toBe(provider.person.email.toLowerCase())
    expect(other.id).not.toBe(owner.id)
    // The owner has the same confirmed address at the new provider.
    provider.person = { ...former.person, sub: '2' }
    expect((await userOf((await signInWithOpenId(after)).finished, after)).id).toBe(owner.id)
  } finally {
    await before.close()
    await after.close()
    await former.close()
    await database.drop()
  }
})

test('finds accounts that were connected before issuers were stored', async () => {
  const first = await userOf((await signInWithOpenId(t)).finished)
  const provider_id = 'openid'
  await t.db.updateTable('credentials').set({ provider_id }).where('user_id', '=', first.id).execute()
  for (let start = 0; start < 2; start++) await storeIssuers(t.ctx)
  provider.person = { ...provider.person, email: 'moved@provider.example' }
  expect((await userOf((await signInWithOpenId(t)).finished)).id).toBe(first.id)
})
