import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MenuSource } from '#contracts/menu-sources.ts'
import { createOutside } from '#server/adapters/outside/call-outside.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let shop: TestBusiness
let owner: TestPerson
/** Stands in for a point of sale's server. */
let pos: http.Server
let port: number
let answer: { status: number; body: string | Buffer; headers?: Record<string, string> }
/** If set, the next request waits in the server, and then gets the answer that was set when it arrived. */
let hold: { arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined
const asked: http.IncomingHttpHeaders[] = []

const outside = () => createOutside({ alsoAllowed: [`127.0.0.1:${port}`] })

beforeAll(async () => {
  pos = http.createServer(async ({ headers }, response) => {
    asked.push(headers)
    const { status, body, headers: sent } = answer
    const held = hold
    hold = undefined
    held?.arrived.resolve()
    await held?.released.promise
    const isSame = sent?.etag !== undefined && headers['if-none-match'] === sent.etag
    if (isSame) return response.writeHead(304).end()
    return response.writeHead(status, sent).end(body)
  })
  await new Promise<void>((resolve) => pos.listen(0, '127.0.0.1', resolve))
  port = (pos.address() as AddressInfo).port
  test = await startTestApp({ outside: outside() })
})
afterAll(async () => {
  await test?.close()
  pos?.close()
})
beforeEach(async () => {
  // Addresses from other tests would also be due.
  await test.db.deleteFrom('menu_sources').execute()
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
  asked.length = 0
  answer = { status: 200, body: 'Name,Price,Category\nBlue Dream,35,Flower\nGummies,20,Edibles\n' }
})

const at = (rest = '') => `/api/businesses/${shop.id}/menu-source${rest}`
const url = (path = '/menu.csv') => `http://127.0.0.1:${port}${path}`
const save = (fields: object = {}, as = owner) => test.request('PUT', at(), as, { url: url(), schedule: 'nightly', ...fields })
const read = async () => ((await test.request('GET', at(), owner)).json() as { source: MenuSource }).source
async function saved(fields: object = {}): Promise<MenuSource> {
  const response = await save(fields)
  expect(response.statusCode, response.body).toBe(200)
  await test.runJobs()
  return read()
}
async function later(time: Parameters<TestApp['clock']['advance']>[0]): Promise<MenuSource> {
  test.clock.advance(time)
  await test.ctx.jobs.enqueue('menus.fetch-due', {})
  await test.runJobs()
  return (await test.db.selectFrom('menu_sources').select('id').where('business_id', '=', shop.id).executeTakeFirst())
    ? read()
    : ({} as MenuSource)
}
const names = async () =>
  (await test.db.selectFrom('products').select('name').where('business_id', '=', shop.id).orderBy('name').execute()).map(({ name }) => name)

it('fetches a CSV file immediately and every night, and reports the result', async () => {
  const source = await saved()
  expect(source).toMatchObject({ state: 'working', outcome: 'imported', error: null, isFetching: false })
  expect(source.lastMenu).toMatchObject({ status: 'done', itemsAdded: 2, itemsRejected: 0 })
  expect(await names()).toEqual(['Blue Dream', 'Gummies'])
  answer.body = 'Name,Price,Category\nBlue Dream,30,Flower\nBroken,free,Flower\n'
  const pause = Date.parse(source.nextFetchAt as string) - test.clock.now().getTime()
  expect(pause).toBeGreaterThan(0)
  expect(pause).toBeLessThanOrEqual(26 * 3_600_000)
  const next = await later({ minutes: Math.ceil(pause / 60_000) })
  expect(next.lastMenu).toMatchObject({ itemsChanged: 1, itemsRejected: 1, errors: [{ where: 'Row 3', field: 'Price' }] })
  const imports = (await test.request('GET', `/api/businesses/${shop.id}/menu-imports`, owner)).json()
  expect(imports.map(({ fileName }: { fileName: string }) => fileName)).toEqual(['menu.csv', 'menu.csv'])
})

it('names the columns of rejected rows as the file does', async () => {
  answer.body = 'Product Name,Retail,THC %\nBlue Dream,35,20\nBroken,free,20\n,12,20\n'
  const { lastMenu } = await saved()
  expect(lastMenu?.errors).toEqual([
    { where: 'Row 3', field: 'Retail', message: expect.any(String) },
    { where: 'Row 4', field: 'Product Name', message: 'Name is required' },
  ])
  answer.body = 'Product Name,Retail,THC %\nBroken,free,20\n'
  await test.request('POST', at('/fetches'), owner)
  await test.runJobs()
  expect((await read())?.error).toMatch(/^No row of this file can be imported\. Retail: /)
})

it('fetches at night in the business’s time zone, even if no hours are stored', async () => {
  await test.db.updateTable('businesses').set({ country: 'US', state: 'NY' }).where('id', '=', shop.id).execute()
  const { nextFetchAt } = await saved()
  const hour = new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: 'America/New_York' })
  expect([3, 4]).toContain(Number(hour.format(new Date(nextFetchAt as string))))
})

it('reads JSON like a complete menu sent with a key', async () => {
  const item = (id: number) => ({ id, name: `Item ${id}`, type: 'Flower', variants: [{ id: 'a', price: 35 }] })
  answer = { status: 200, body: JSON.stringify({ items: [item(1), item(2), { id: 3 }] }) }
  const source = await saved({ schedule: 'hourly' })
  expect(source.lastMenu).toMatchObject({ itemsAdded: 2, itemsRejected: 1, errors: [{ where: '3' }, { where: '3' }] })
  answer.body = JSON.stringify([item(2)])
  expect((await later({ hours: 1 })).lastMenu).toMatchObject({ itemsMissing: 1, itemsConfirmed: 1 })
})

it.each(['csv', 'json'])('leaves the menu alone when the %s lacks many items, until a person starts a fetch', async (format) => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `Item ${i}`)
  const menu = (count: number) =>
    format === 'csv'
      ? `Name,Price,Category\n${rows(count)
          .map((name) => `${name},35,Flower\n`)
          .join('')}`
      : JSON.stringify(rows(count).map((name) => ({ id: name, name, type: 'Flower', variants: [{ id: 'a', price: 35 }] })))
  answer.body = menu(30)
  expect((await saved({ schedule: 'hourly' })).lastMenu).toMatchObject({ itemsAdded: 30 })
  answer.body = menu(14)
  const cut = await later({ hours: 1 })
  expect(cut).toMatchObject({ outcome: 'failed', error: expect.stringContaining('may have been cut off') })
  const inStock = () =>
    test.db.selectFrom('products').where('business_id', '=', shop.id).where('is_available', '=', true).select('id').execute()
  expect(await inStock()).toHaveLength(30)
  expect((await test.request('POST', at('/fetches'), owner)).statusCode).toBe(202)
  await test.runJobs()
  expect((await read()).lastMenu).toMatchObject({ status: 'done', itemsMissing: 16 })
  expect(await inStock()).toHaveLength(14)
})

it('uses the columns that a person mapped', async () => {
  const text = 'Artikel,Preis\nBlue Dream,35\n'
  const begin = await test.request('POST', at('').replace('menu-source', 'menu-imports'), owner, {
    fileName: 'a.csv',
    byteSize: text.length,
  })
  const imports = `/api/businesses/${shop.id}/menu-imports/${begin.json().id}`
  await test.app.inject({
    method: 'PUT',
    url: `${imports}/bytes?offset=0`,
    headers: { cookie: owner.cookie, 'content-type': 'application/octet-stream' },
    payload: Buffer.from(text),
  })
  expect((await test.request('PUT', `${imports}/mapping`, owner, { fields: ['name', 'price'] })).statusCode).toBe(200)
  expect((await test.request('POST', `${imports}/start`, owner)).statusCode).toBe(200)
  await test.runJobs()
  answer.body = 'Artikel,Preis\nSour Diesel,40\n'
  expect((await saved()).lastMenu).toMatchObject({ itemsAdded: 1 })
  expect(await names()).toEqual(['Blue Dream', 'Sour Diesel'])
})

it('respects ETag and Last-Modified, and reads an unchanged menu once a day', async () => {
  answer.headers = { etag: '"1"', 'last-modified': 'Sat, 28 Nov 2026 10:00:00 GMT' }
  await saved({ schedule: 'hourly' })
  expect(await later({ hours: 1 })).toMatchObject({ outcome: 'unchanged' })
  expect(asked.at(-1)).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'Sat, 28 Nov 2026 10:00:00 GMT' })
  for (let hour = 0; hour < 20; hour++) await later({ hours: 1 })
  expect(asked.filter((headers) => headers['if-none-match'] === undefined)).toHaveLength(2)
})

it('doesn’t import the same bytes again from a server without ETags', async () => {
  await saved({ schedule: 'hourly' })
  expect(await later({ hours: 1 })).toMatchObject({ outcome: 'unchanged' })
  answer.body += 'New,10,Flower\n'
  expect(await later({ hours: 1 })).toMatchObject({ outcome: 'imported', lastMenu: { itemsAdded: 1 } })
})

it('sends a password or a header, encrypts it, and never sends it to another server', async () => {
  const basic = { auth: 'basic', authName: 'shop', secret: 'a long password' }
  expect(await saved(basic)).toMatchObject({ auth: 'basic', authName: 'shop' })
  expect(asked.at(-1)?.authorization).toBe(`Basic ${Buffer.from('shop:a long password').toString('base64')}`)
  const stored = await test.db.selectFrom('menu_sources').selectAll().where('business_id', '=', shop.id).executeTakeFirstOrThrow()
  expect(JSON.stringify([stored, await read()])).not.toContain('a long password')
  // The password is kept only for another file on the same server.
  await saved({ ...basic, secret: '', url: url('/other.csv') })
  expect(asked.at(-1)?.authorization).toBeDefined()
  const moved = await save({ ...basic, secret: '', url: 'https://93.184.216.34/menu.csv' })
  expect([moved.statusCode, moved.json().fields]).toEqual([400, { secret: 'Enter the password' }])
  await saved({ auth: 'header', authName: 'X-Api-Key', secret: 'abc' })
  expect(asked.at(-1)).toMatchObject({ 'x-api-key': 'abc' })
})

it('shows in the app that the menu couldn’t be fetched, but only until a fetch succeeds', async () => {
  const news = async () =>
    ((await test.request('GET', '/api/notifications', owner)).json() as { type: string }[])
      .map(({ type }) => type)
      .filter((type) => type.startsWith('menu_fetch'))
  await saved({ schedule: 'hourly' })
  answer.status = 500
  await later({ hours: 1 })
  expect(await news()).toEqual(['menu_fetch_failed'])
  answer.status = 200
  await later({ hours: 1 })
  expect(await news()).toEqual([])
})

it('notifies of the first failure, stops after three days, and resumes manually', async () => {
  await saved({ schedule: 'hourly' })
  answer.status = 500
  expect(await later({ hours: 1 })).toMatchObject({ state: 'failing', outcome: 'failed', error: 'The server responded with 500.' })
  for (let hour = 0; hour < 71; hour++) await later({ hours: 1 })
  expect(await read()).toMatchObject({ state: 'failing' })
  expect(await later({ hours: 1 })).toMatchObject({ state: 'stopped', stopReason: 'failing', nextFetchAt: null })
  const calls = asked.length
  await later({ days: 1 })
  expect(asked).toHaveLength(calls)
  const news = await test.db.selectFrom('notifications').select(['type', 'reason']).where('user_id', '=', owner.user.id).execute()
  expect(news.filter(({ type }) => type.startsWith('menu_fetch')).sort((one, other) => (one.type < other.type ? -1 : 1))).toEqual([
    { type: 'menu_fetch_failed', reason: `127.0.0.1:${port}` },
    { type: 'menu_fetch_stopped', reason: `127.0.0.1:${port}` },
  ])
  answer.status = 200
  owner = await addMember(test, shop, 'manager')
  expect((await test.request('POST', at('/fetches'), owner)).statusCode).toBe(202)
  await test.runJobs()
  expect(await read()).toMatchObject({ state: 'working', error: null })
})

it.each([
  ['a page', '<!doctype html><html><body>Sign in</body></html>'],
  ['broken JSON', '{"items": [1,'],
  ['JSON without items', '{"menu": []}'],
  ['JSON nested too deeply', `[{"id": 1, "name": "A", "more": ${'['.repeat(100_000)}${']'.repeat(100_000)}}]`],
  ['nothing', ''],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1])],
])('fails with a reason for %s and changes nothing', async (_what, body) => {
  answer.body = body
  const source = await saved()
  expect([source.state, source.error]).toEqual(['failing', expect.stringMatching(/\w.*\.$/)])
  expect(await names()).toEqual([])
})

it('waits for a running import without counting the wait as a failure', async () => {
  await test.db
    .insertInto('menu_imports')
    .values({ id: shop.id, business_id: shop.id, file_name: 'a.csv', byte_size: 1, status: 'running' })
    .execute()
  expect(await saved()).toMatchObject({ state: 'working', outcome: null, nextFetchAt: expect.any(String) })
  await test.db.updateTable('menu_imports').set({ status: 'done' }).where('id', '=', shop.id).execute()
  expect(await later({ minutes: 5 })).toMatchObject({ outcome: 'imported' })
})

it('keeps a person’s request to fetch a shrunken menu while it waits for a running import', async () => {
  const menu = (count: number) => `Name,Price,Category\n${Array.from({ length: count }, (_, i) => `Item ${i},35,Flower\n`).join('')}`
  answer.body = menu(30)
  await saved({ schedule: 'manual' })
  answer.body = menu(14)
  await test.db
    .insertInto('menu_imports')
    .values({ id: shop.id, business_id: shop.id, file_name: 'a.csv', byte_size: 1, status: 'running' })
    .execute()
  expect((await test.request('POST', at('/fetches'), owner)).statusCode).toBe(202)
  await test.runJobs()
  await test.db.updateTable('menu_imports').set({ status: 'done' }).where('id', '=', shop.id).execute()
  expect(await later({ minutes: 5 })).toMatchObject({ outcome: 'imported', lastMenu: { itemsMissing: 16 } })
})

it('fetches a saved address again after the process that fetched it died', async () => {
  expect((await save({ schedule: 'manual' })).statusCode).toBe(200)
  const leased = { fetching_until: new Date(test.clock.now().getTime() + 10 * 60_000) }
  await test.db.updateTable('menu_sources').set(leased).where('business_id', '=', shop.id).execute()
  await test.runJobs()
  expect(await names()).toEqual([])
  expect(await later({ minutes: 10 })).toMatchObject({ outcome: 'imported', nextFetchAt: null })
  expect(await names()).toEqual(['Blue Dream', 'Gummies'])
})

it.each(['a menu', 'an error'])('ignores %s from an address that was corrected during the fetch', async (what) => {
  const slow = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
  hold = slow
  if (what === 'an error') answer.status = 500
  expect((await save({ url: url('/wrong.csv') })).statusCode).toBe(200)
  const fetching = test.runJobs()
  await slow.arrived.promise
  test.clock.advance({ seconds: 1 })
  answer = { status: 200, body: 'Name,Price,Category\nSour Diesel,40,Flower\n', headers: { etag: '"right"' } }
  await saved({ url: url('/right.csv') })
  slow.released.resolve()
  await fetching
  expect(await read()).toMatchObject({ state: 'working', outcome: 'imported', lastMenu: { itemsAdded: 1 } })
  expect(await names()).toEqual(['Sour Diesel'])
  const { etag } = await test.db.selectFrom('menu_sources').select('etag').where('business_id', '=', shop.id).executeTakeFirstOrThrow()
  expect(etag).toBe('"right"')
})

it('fetches nothing once the person who set up the address has left', async () => {
  const manager = await addMember(test, shop, 'manager')
  expect((await save({ schedule: 'hourly' }, manager)).statusCode).toBe(200)
  await test.runJobs()
  await test.request('DELETE', `/api/businesses/${shop.id}/team/members/${manager.user.id}`, owner)
  expect(await later({ hours: 1 })).toMatchObject({ state: 'stopped', stopReason: 'creator' })
  expect(asked).toHaveLength(1)
})

it('fetches on schedule again once the person who set up the address is a manager again', async () => {
  const manager = await addMember(test, shop, 'manager')
  expect((await save({ schedule: 'hourly' }, manager)).statusCode).toBe(200)
  await test.runJobs()
  const become = (role: 'staff' | 'manager') =>
    test.db.updateTable('business_members').set({ role }).where('user_id', '=', manager.user.id).execute()
  await become('staff')
  expect(await later({ hours: 1 })).toMatchObject({ state: 'stopped', stopReason: 'creator', nextFetchAt: null })
  expect(asked).toHaveLength(1)
  await become('manager')
  expect(await later({ hours: 1 })).toMatchObject({ state: 'working', nextFetchAt: expect.any(String) })
  expect(asked).toHaveLength(2)
})

it('lets only owners and managers set up and remove an address', async () => {
  const staff = await addMember(test, shop, 'staff')
  expect((await save({}, staff)).statusCode).toBe(403)
  await saved()
  for (const _ of [1, 2]) expect((await test.request('DELETE', at(), owner)).statusCode).toBe(204)
  expect(await read()).toBeNull()
  expect(await names()).toHaveLength(2)
})

it.each([
  ['a private address', { url: 'https://10.0.0.1/menu.csv' }, 'url'],
  ['plain http', { url: 'http://93.184.216.34/menu.csv' }, 'url'],
  ['a header that the connection needs', { auth: 'header', authName: 'Host', secret: 'x' }, 'authName'],
  ['a header with a line break', { auth: 'header', authName: 'X-Key', secret: 'x\r\nHost: y' }, 'secret'],
  ['no password', { auth: 'basic', authName: 'shop' }, 'secret'],
])('refuses %s', async (_what, fields, field) => {
  const response = await save(fields)
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]])
})
