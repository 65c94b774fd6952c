import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from './support/businesses.ts'
import { grantPlan } from './support/entitlements.ts'
import { keyCalls } from './support/fuzz-key-calls.ts'
import { addHunt } from './support/hunts.ts'
import { addMember } from './support/keepers.ts'
import { asKey, makeKey, makePersonKey } from './support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * Tests who may make each call that programs make with keys and that isn't in the contract. The calls' own tests cover which
 * hunts a key opens.
 */

let test: TestApp
let owner: TestPerson
let secrets: Record<'reading' | 'writing' | 'suspended' | 'business' | 'sensor', string>

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  const suspended = await test.signUp()
  const shop = await addBusiness(test.db)
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
  const { id: huntId } = await addHunt(test.db, owner.user.id)
  const sensor = await test.request('POST', `/api/pheno-hunts/${huntId}/sensor-keys`, owner, { sensorName: 'Tent' })
  secrets = {
    reading: (await makePersonKey(test, owner, { name: 'Reads', scopes: ['hunts:read'] })).secret,
    writing: (await makePersonKey(test, owner, { name: 'Writes', scopes: ['hunts:write'] })).secret,
    suspended: (await makePersonKey(test, suspended)).secret,
    business: (await makeKey(test, shop.id, await addMember(test, shop, 'owner'))).secret,
    sensor: (sensor.json() as { secret: string }).secret,
  }
  const until = new Date(test.clock.now().getTime() + 86_400_000)
  await test.db.updateTable('users').set({ suspended_until: until }).where('id', '=', suspended.user.id).execute()
})
afterAll(() => test?.close())

/** Open to everyone, so a program can see what the server offers. */
const open = ['GET /api/brapi/v2/serverinfo', 'GET /api/brapi/v2/commoncropnames']
/** Searches use POST but only read. */
const isWrite = ({ method, service }: (typeof keyCalls)[number]) => method !== 'GET' && !service.startsWith('search/')

describe.each(keyCalls.map((call) => [call.route, call] as const))('%s', (route, call) => {
  const { method, path, service } = call
  const type = service === 'images/imagecontent' ? 'image/jpeg' : 'application/json'
  /** Bodies are malformed, so an admitted call fails with a different status. */
  const request = (headers: Record<string, string> = {}) => ({
    ...{ method, url: path.replace(':id', newId()) },
    ...(method === 'GET' ? { headers } : { payload: '{', headers: { 'content-type': type, ...headers } }),
  })
  const withKey = async (kind: keyof typeof secrets, headers = {}) => (await asKey(test, secrets[kind], request(headers))).statusCode
  const withoutKey = async (headers = {}) => (await test.app.inject(request(headers))).statusCode

  it('is allowed only with the right key, unless it is open to everyone', async () => {
    const refused = {
      visitor: await withoutKey(),
      session: await withoutKey({ cookie: owner.cookie }),
      unknown: await withoutKey({ authorization: 'Bearer sgp_unknown' }),
      business: await withKey('business'),
    }
    if (open.includes(route)) {
      expect(refused).toEqual({ visitor: 200, session: 200, unknown: 200, business: 200 })
      return
    }
    expect(refused).toEqual({ visitor: 401, session: 401, unknown: 401, business: 401 })
    if (path === '/api/sensor-readings') {
      expect([await withKey('reading'), await withKey('writing'), await withKey('sensor')]).toEqual([401, 401, 400])
      return
    }
    const [right, wrong] = isWrite(call) ? (['writing', 'reading'] as const) : (['reading', 'writing'] as const)
    expect([await withKey('sensor'), await withKey('suspended'), await withKey(wrong)]).toEqual([401, 403, 403])
    expect([200, 400, 404]).toContain(await withKey(right))
    if (method !== 'GET') expect(await withKey(right, { origin: 'https://evil.example' })).toBe(403)
  })
})
