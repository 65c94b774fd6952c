import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keyScopes } from '#contracts/choices.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let shop: TestBusiness
let owner: TestPerson
let made: Awaited<ReturnType<typeof makeKey>>

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  made = await makeKey(test, shop.id, owner)
})

const grant = { grant_type: 'client_credentials' }
const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/api/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
const client = () => ({ client_id: made.key.id, client_secret: made.secret })
const statusWith = async (token: string) => (await asKey(test, token, { url: '/api/integrations/menu/status' })).statusCode

it('issues a token that works like its key for an hour', async () => {
  const answer = await post({ ...grant, ...client() })
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  const { access_token: token, ...rest } = answer.json() as { access_token: string }
  expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: keyScopes.join(' ') })
  expect(await statusWith(token)).toBe(200)
  const stored = await test.db.selectFrom('business_key_tokens').selectAll().where('key_id', '=', made.key.id).execute()
  expect(JSON.stringify(stored)).not.toContain(token.slice(4))
  const now = test.clock.now()
  test.clock.advance({ hours: 1, seconds: 1 })
  expect(await statusWith(token)).toBe(401)
  test.clock.set(now)
})

it('accepts the client with Basic authorization', async () => {
  const authorization = `Basic ${Buffer.from(`${made.key.id}:${made.secret}`).toString('base64')}`
  expect((await post(grant, { authorization })).statusCode).toBe(200)
})

it('stops a token when its key is revoked', async () => {
  const { access_token: token } = (await post({ ...grant, ...client() })).json() as { access_token: string }
  await test.request('DELETE', `/api/businesses/${shop.id}/keys/${made.key.id}`, owner)
  expect(await statusWith(token)).toBe(401)
  expect((await post({ ...grant, ...client() })).json().error).toBe('invalid_client')
})

it('limits a token to the requested scopes', async () => {
  const answer = await post({ ...grant, ...client(), scope: 'menu:read' })
  const { access_token: token, scope } = answer.json() as { access_token: string; scope: string }
  const write = await asKey(test, token, { method: 'POST', url: '/api/integrations/menu/items', payload: { items: [] } })
  expect([scope, await statusWith(token), write.statusCode]).toEqual(['menu:read', 200, 403])
})

it.each([
  ['another grant type', 400, 'unsupported_grant_type', () => ({ ...client(), grant_type: 'password' })],
  ['no client', 401, 'invalid_client', () => grant],
  ['a wrong key', 401, 'invalid_client', () => ({ ...grant, ...client(), client_secret: `sgk_${'a'.repeat(43)}` })],
  ['the ID of another key', 401, 'invalid_client', () => ({ ...grant, ...client(), client_id: shop.id })],
  ['an unknown scope', 400, 'invalid_scope', () => ({ ...grant, ...client(), scope: 'menu:read users:read' })],
] as const)('refuses %s', async (_what, status, error, form) => {
  const answer = await post(form())
  expect([answer.statusCode, answer.json().error]).toEqual([status, error])
})

it('refuses browsers on other sites and anything but a form', async () => {
  expect((await post({ ...grant, ...client() }, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  const json = await test.app.inject({ method: 'POST', url: '/api/oauth/token', payload: { ...grant, ...client() } })
  expect(json.statusCode).toBe(415)
})
