import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maxPersonKeys } from '#contracts/limits.ts'
import type { PersonKey } from '#contracts/sign-in.ts'
import { type MadePersonKey, makePersonKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  person = await test.signUp()
})

const path = '/api/sign-in/keys'
const listKeys = async (as = person) => (await test.request('GET', path, as)).json() as PersonKey[]
const reads = async ({ secret }: MadePersonKey) => (await test.ctx.personKeys.read(`Bearer ${secret}`))?.actor.id ?? null
const dayMs = 86_400_000

it('shows the secret once, stores only its hash, and writes to the audit log', async () => {
  const made = await makePersonKey(test, person, { name: 'Field Book', expiresInDays: 30 })
  const { key, secret } = made
  expect(secret).toMatch(/^sgp_[\w-]{43}$/)
  expect(Date.parse(key.expiresAt as string) - Date.parse(key.createdAt)).toBe(30 * dayMs)
  const stored = await test.db.selectFrom('person_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
  expect(JSON.stringify([stored, await listKeys()])).not.toContain(secret.slice(4, -4))
  expect(await listKeys()).toEqual([key])
  expect(await reads(made)).toBe(person.user.id)
  const { action } = await test.db.selectFrom('audit_log').select('action').orderBy('sequence', 'desc').limit(1).executeTakeFirstOrThrow()
  expect(action).toBe('person_key.created')
})

it('requires the password', async () => {
  const answer = await test.request('POST', path, person, { name: 'Tablet', scopes: ['hunts:read'], password: 'not the password' })
  expect([answer.statusCode, await listKeys()]).toEqual([400, []])
})

it('stops a revoked key immediately, and leaves other people’s keys alone', async () => {
  const made = await makePersonKey(test, person)
  const other = await test.signUp()
  expect((await test.request('DELETE', `${path}/${made.key.id}`, other)).statusCode).toBe(204)
  expect([await reads(made), await listKeys(other)]).toEqual([person.user.id, []])
  for (const _ of [1, 2]) expect((await test.request('DELETE', `${path}/${made.key.id}`, person)).statusCode).toBe(204)
  expect([await reads(made), await listKeys()]).toEqual([null, []])
})

it('stops a key when it expires, and keeps it in the list', async () => {
  const made = await makePersonKey(test, person, { expiresInDays: 1 })
  const now = test.clock.now()
  test.clock.set(new Date(Date.parse(made.key.expiresAt as string)))
  const state = [await reads(made), (await listKeys())[0]?.isExpired]
  test.clock.set(now)
  expect(state).toEqual([null, true])
})

it('records when a key was last used', async () => {
  const made = await makePersonKey(test, person)
  expect(made.key.lastUsedAt).toBeNull()
  const before = test.clock.now()
  await reads(made)
  expect(Date.parse((await listKeys())[0]?.lastUsedAt as string)).toBeGreaterThanOrEqual(before.getTime())
})

it('never gives a key more than a member’s rights', async () => {
  const made = await makePersonKey(test, person)
  await test.db.updateTable('users').set({ role: 'admin' }).where('id', '=', person.user.id).execute()
  const read = await test.ctx.personKeys.read(`Bearer ${made.secret}`)
  expect([read?.actor.role, read?.actor.grantedRole]).toEqual(['member', 'member'])
})

it('refuses keys of demo accounts', async () => {
  const made = await makePersonKey(test, person)
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()
  expect(await reads(made)).toBeNull()
})

it('requires unique names and limits the number of keys', async () => {
  await makePersonKey(test, person, { name: 'Key 1' })
  const again = await test.request('POST', path, person, { name: 'KEY 1', scopes: ['hunts:read'], password: person.password })
  expect([again.statusCode, again.json().fields]).toEqual([409, { name: 'Another key has this name' }])
  for (let i = 2; i <= maxPersonKeys; i++) await makePersonKey(test, person, { name: `Key ${i}` })
  const one = await test.request('POST', path, person, { name: 'One more', scopes: ['hunts:read'], password: person.password })
  expect(one.statusCode).toBe(409)
})

it.each([
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['menu:read'] }],
  ['a scope twice', { scopes: ['hunts:read', 'hunts:read'] }],
  ['a lifetime of three years', { expiresInDays: 1095 }],
])('refuses a key with %s', async (_what, fields) => {
  const answer = await test.request('POST', path, person, { name: 'Tablet', scopes: ['hunts:read'], password: person.password, ...fields })
  expect(answer.statusCode).toBe(400)
})
