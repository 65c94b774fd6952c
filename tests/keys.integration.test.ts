import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { addBusiness } from './support/businesses.ts'
import { addMember } from './support/keepers.ts'
import { asKey, makeKey } from './support/keys.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

/** A business's API key isn't a person. Only the calls declared for keys accept it. */

let test: TestApp
let secret: string
let cookie: string

beforeAll(async () => {
  test = await startTestApp()
  const shop = await addBusiness(test.db)
  const owner = await addMember(test, shop, 'owner')
  cookie = owner.cookie
  secret = (await makeKey(test, shop.id, owner)).secret
})
afterAll(() => test?.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const urlOf = ({ path }: Endpoint) => path.replace(/:\w+/g, '0190a1b2-0000-7000-8000-000000000000')
const named = (list: readonly Endpoint[]) => list.map((endpoint) => [nameOf(endpoint), endpoint] as const)

const forKeys = endpoints.filter(({ access }) => access === 'key')
const forPeople = endpoints.filter(({ access }) => access !== 'key' && access !== 'public')

it('declares a scope for every call that accepts API keys, and for no other call', () => {
  expect(forKeys.length).toBeGreaterThan(4)
  expect(forPeople.length).toBeGreaterThan(100)
  expect(endpoints.filter(({ scope }) => scope !== undefined)).toEqual(forKeys)
})

describe.each(named(forPeople))('%s', (_name, endpoint) => {
  it('refuses a key as it refuses a visitor', async () => {
    const answer = await asKey(test, secret, { method: endpoint.method, url: urlOf(endpoint), ...(endpoint.body ? { payload: {} } : {}) })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'signed_out'])
  })
})

describe.each(named(forKeys))('%s', (_name, endpoint) => {
  const send = (headers: Record<string, string>) =>
    test.app.inject({ method: endpoint.method, url: urlOf(endpoint), headers, ...(endpoint.body ? { payload: {} } : {}) })

  it('refuses a person’s session', async () => {
    const answer = await send({ cookie })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'signed_out'])
  })

  it.each(['Bearer', 'Bearer x', `Bearer sgk_${'a'.repeat(43)}`, `Basic ${'a'.repeat(43)}`])('refuses “%s”', async (authorization) => {
    expect((await send({ authorization })).statusCode).toBe(401)
  })

  it('accepts a key and sends no cookie', async () => {
    const answer = await send({ authorization: `Bearer ${secret}` })
    expect([200, 400]).toContain(answer.statusCode)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

it('applies each key’s rate limit before reading a body', async () => {
  const limited = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.2' } })
  try {
    const shop = await addBusiness(limited.db)
    const owner = await addMember(limited, shop, 'owner')
    const [first, second] = [await makeKey(limited, shop.id, owner), await makeKey(limited, shop.id, owner, { name: 'Other' })]
    const send = (key: string, payload: string) =>
      asKey(limited, key, {
        method: 'POST',
        url: '/api/integrations/menu/items',
        payload,
        headers: { 'content-type': 'application/json' },
      })
    for (let i = 0; i < 12; i++) expect((await send(first.secret, '{"items":[]}')).statusCode).toBe(200)
    // Broken JSON would be refused with 400 if it were read.
    const refused = await send(first.secret, '{')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await send(second.secret, '{"items":[]}')).statusCode).toBe(200)
  } finally {
    await limited.close()
  }
})
