import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BusinessKey } from '#contracts/keys.ts'
import { maxKeys } from '#contracts/limits.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let shop: TestBusiness
let owner: TestPerson
let manager: TestPerson

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  manager = await addMember(test, shop, 'manager')
})

const keys = (rest = '') => `/api/businesses/${shop.id}/keys${rest}`
const listKeys = async (as = owner) => (await test.request('GET', keys(), as)).json() as BusinessKey[]
const statusWith = async (secret: string) => (await asKey(test, secret, { url: '/api/integrations/menu/status' })).statusCode
const dayMs = 86_400_000

it('shows the secret once and stores only its hash', async () => {
  const { key, secret } = await makeKey(test, shop.id, manager, { name: 'Front register', expiresInDays: 30 })
  expect(secret).toMatch(/^sgk_[\w-]{43}$/)
  expect(key).toMatchObject({ name: 'Front register', state: 'working', secretEnd: secret.slice(-4), lastUsedAt: null })
  expect(Date.parse(key.expiresAt as string) - Date.parse(key.createdAt)).toBe(30 * dayMs)
  const stored = await test.db.selectFrom('business_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
  expect(JSON.stringify([stored, await listKeys()])).not.toContain(secret.slice(4, -4))
  expect(await listKeys()).toEqual([key])
})

it('requires the password, and emails the person who created the key', async () => {
  const key = { name: 'Front register', scopes: ['menu:write'] }
  const wrong = await test.request('POST', keys(), owner, { ...key, password: 'not the password' })
  expect([wrong.statusCode, wrong.json().fields, await listKeys()]).toEqual([400, { password: 'This isn’t your password.' }, []])
  await test.runJobs()
  const mails: Mail[] = []
  test.ctx.mail.send = async (mail) => void mails.push(mail)
  await makeKey(test, shop.id, owner, key)
  await test.runJobs()
  expect(mails.flatMap(({ to, subject }) => (subject === 'Sungrove: an API key was created' ? [to] : []))).toEqual([owner.email])
})

it('lets only owners and managers manage keys', async () => {
  const { key } = await makeKey(test, shop.id, owner)
  const others = [await addMember(test, shop, 'staff'), await addMember(test, await addBusiness(test.db), 'owner'), await test.signUp()]
  for (const person of others) {
    const answers = [
      await test.request('GET', keys(), person),
      await test.request('POST', keys(), person, { name: 'Mine', scopes: ['menu:read'] }),
      await test.request('DELETE', keys(`/${key.id}`), person),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
  }
  expect(await listKeys(manager)).toEqual([key])
})

it('stops a revoked key immediately, and records its creation and revocation in the audit log', async () => {
  const { key, secret } = await makeKey(test, shop.id, owner)
  expect(await statusWith(secret)).toBe(200)
  for (const _ of [1, 2]) expect((await test.request('DELETE', keys(`/${key.id}`), manager)).statusCode).toBe(204)
  expect(await statusWith(secret)).toBe(401)
  expect(await listKeys()).toMatchObject([{ state: 'revoked' }])
  const entries = await test.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'business_id'])
    .where('subject_id', '=', key.id)
    .orderBy('sequence')
    .execute()
  expect(entries).toEqual([
    { action: 'key.created', actor_id: owner.user.id, business_id: shop.id },
    { action: 'key.revoked', actor_id: manager.user.id, business_id: shop.id },
  ])
})

it('stops a key when it expires', async () => {
  const { key, secret } = await makeKey(test, shop.id, owner, { expiresInDays: 1 })
  const now = test.clock.now()
  const end = Date.parse(key.expiresAt as string)
  test.clock.set(new Date(end - 60_000))
  expect(await statusWith(secret)).toBe(200)
  test.clock.set(new Date(end))
  expect([await statusWith(secret), (await listKeys())[0]?.state]).toEqual([401, 'expired'])
  test.clock.set(now)
})

it('stops a key while its creator may not manage keys', async () => {
  const { secret } = await makeKey(test, shop.id, manager)
  const setRole = (role: 'manager' | 'staff') =>
    test.db.updateTable('business_members').set({ role }).where('user_id', '=', manager.user.id).execute()
  await setRole('staff')
  expect([await statusWith(secret), (await listKeys())[0]?.state]).toEqual([401, 'stopped'])
  await setRole('manager')
  expect(await statusWith(secret)).toBe(200)
  const suspend = (until: Date | null) =>
    test.db.updateTable('users').set({ suspended_until: until }).where('id', '=', manager.user.id).execute()
  await suspend(new Date(test.clock.now().getTime() + dayMs))
  expect(await statusWith(secret)).toBe(401)
  await suspend(null)
  await test.request('DELETE', `/api/businesses/${shop.id}/team/members/${manager.user.id}`, owner)
  expect(await statusWith(secret)).toBe(401)
})

it('records when a key was last used', async () => {
  const { secret } = await makeKey(test, shop.id, owner)
  const before = test.clock.now()
  await statusWith(secret)
  const usedAt = Date.parse((await listKeys())[0]?.lastUsedAt as string)
  expect(usedAt).toBeGreaterThanOrEqual(before.getTime())
  expect(usedAt).toBeLessThanOrEqual(test.clock.now().getTime())
})

it('refuses a key that lacks a call’s scope', async () => {
  const { secret } = await makeKey(test, shop.id, owner, { scopes: ['menu:read'] })
  const answer = await asKey(test, secret, { method: 'POST', url: '/api/integrations/menu/items', payload: { items: [] } })
  expect([answer.statusCode, answer.json().message]).toEqual([403, 'This key doesn’t have the scope menu:write. Create one that has it.'])
})

it('requires unique names and limits the number of keys', async () => {
  const { key } = await makeKey(test, shop.id, owner, { name: 'Key 1' })
  const again = await test.request('POST', keys(), owner, { name: 'KEY 1', scopes: ['menu:read'], password: owner.password })
  expect([again.statusCode, again.json().fields]).toEqual([409, { name: 'Another key has this name' }])
  for (let i = 2; i <= maxKeys; i++) await makeKey(test, shop.id, owner, { name: `Key ${i}` })
  expect(
    (await test.request('POST', keys(), owner, { name: 'One more', scopes: ['menu:read'], password: owner.password })).statusCode,
  ).toBe(409)
  await test.request('DELETE', keys(`/${key.id}`), owner)
  await makeKey(test, shop.id, owner, { name: 'Key 1' })
})

it.each([
  ['no name', { name: ' ' }],
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['users:read'] }],
  ['a scope twice', { scopes: ['menu:read', 'menu:read'] }],
  ['a lifetime of zero days', { expiresInDays: 0 }],
  ['a lifetime of three years', { expiresInDays: 1095 }],
])('refuses a key with %s', async (_what, fields) => {
  const answer = await test.request('POST', keys(), owner, { name: 'Register', scopes: ['menu:read'], password: owner.password, ...fields })
  expect(answer.statusCode).toBe(400)
})
