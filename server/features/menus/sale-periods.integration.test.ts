import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MenuItem, Product } from '#contracts/menus.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let shopper: TestPerson
let shop: TestBusiness

/** Noon on December 1 in Denver. */
const noon = new Date('2026-12-01T19:00:00Z')
const lastMinute = new Date('2026-12-24T06:59:59Z')
const midnight = new Date('2026-12-24T07:00:00Z')

beforeAll(async () => {
  test = await startTestApp({ startsAt: noon })
  shopper = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  test.clock.set(noon)
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
})

const path = (rest: string) => `/api/businesses/${shop.id}/${rest}`
const send = (variant: object) => test.request('POST', path('menu-items'), owner, { name: 'A', variants: [{ price: '20', ...variant }] })
async function add(variant: object): Promise<MenuItem> {
  const answer = await send(variant)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as MenuItem
}
const change = (item: MenuItem, variant: object) =>
  test.request('PATCH', path('menu-items'), owner, {
    changes: [{ id: item.id, version: item.version, variants: [{ id: item.variants[0]?.id, ...variant }] }],
  })
const products = async (query = '') => (await test.request('GET', path(`products${query}`), shopper)).json() as Product[]
async function shown(query = ''): Promise<string[]> {
  return (await products(query)).map(({ price, isOnSale, variants: [size] }) => `${price} ${isOnSale} ${size?.salePrice} ${size?.saleEnds}`)
}
async function turn(at: Date): Promise<void> {
  test.clock.set(at)
  await test.ctx.jobs.enqueue('sales.start-and-end', {})
  await test.runJobs()
}
const onSale = async () => (await products('?onSale=true')).length

it('shows a sale from its first day through its last, in the shop’s time zone', async () => {
  await add({ salePrice: '15', saleStarts: '2026-12-24', saleEnds: '2026-12-24' })
  expect(await shown()).toEqual(['20.00 false null null'])
  test.clock.set(lastMinute)
  expect(await shown()).toEqual(['20.00 false null null'])
  test.clock.set(midnight)
  expect(await shown()).toEqual(['15.00 true 15.00 2026-12-24'])
  test.clock.set(new Date('2026-12-25T06:59:59Z'))
  expect(await shown()).toEqual(['15.00 true 15.00 2026-12-24'])
  test.clock.set(new Date('2026-12-25T07:00:00Z'))
  expect(await shown()).toEqual(['20.00 false null null'])
})

it('filters by a sale and its price only while it lasts', async () => {
  await add({ salePrice: '15', saleStarts: '2026-12-24', saleEnds: '2026-12-24' })
  expect(await onSale()).toBe(0)
  await turn(midnight)
  expect(await onSale()).toBe(1)
  expect(await products('?maxPrice=15')).toHaveLength(1)
  const { rows: due } = await sql`
    select from products where business_id = ${shop.id}::uuid and sale_changes_at = '2026-12-25T07:00:00Z'`.execute(test.db)
  expect(due).toHaveLength(1)
  await turn(new Date('2026-12-25T07:00:00Z'))
  expect(await onSale()).toBe(0)
  expect(await products('?maxPrice=15')).toHaveLength(0)
  const { rows: idle } = await sql`select from products where business_id = ${shop.id}::uuid and sale_changes_at is null`.execute(test.db)
  expect(idle).toHaveLength(1)
})

it('announces a sale when it starts, not when it is entered', async () => {
  const published: string[] = []
  const { publish } = test.ctx.events
  test.ctx.events.publish = async (tx, name, data) => {
    published.push(name)
    await publish(tx, name, data)
  }
  try {
    const item = await add({})
    published.length = 0
    await change(item, { salePrice: '15', saleStarts: '2026-12-24' })
    expect(published).toEqual([])
    await turn(midnight)
    expect(published).toEqual(['menu.product-changed'])
  } finally {
    test.ctx.events.publish = publish
  }
})

it('uses the same sale days at every location, even for a location’s own sale price', async () => {
  const body = { name: 'North', location: 'Boulder, CO', timeZone: 'America/Denver' }
  const locationId = (await test.request('POST', path('locations'), owner, body)).json().id
  await add({ salePrice: '15', saleStarts: '2026-12-24', offers: [{ locationId, salePrice: '12' }] })
  expect(await shown(`?location=${locationId}`)).toEqual(['20.00 false null null'])
  test.clock.set(midnight)
  expect(await shown(`?location=${locationId}`)).toEqual(['12.00 true 12.00 null'])
  expect(await shown()).toEqual(['15.00 true 15.00 null'])
})

it('starts a sale according to the main location’s new time zone', async () => {
  await add({ salePrice: '15', saleStarts: '2026-12-24' })
  await turn(lastMinute)
  expect(await onSale()).toBe(0)
  const main = { name: 'Main', location: 'Denver, CO', timeZone: 'America/New_York' }
  const saved = await test.request('PUT', path(`locations/${shop.id}`), owner, main)
  expect(saved.statusCode, saved.body).toBe(200)
  await test.runJobs()
  expect(await onSale()).toBe(1)
  expect(await shown()).toEqual(['15.00 true 15.00 null'])
})

it('removes a sale period with its sale price, and refuses one without a sale price or with its end before its start', async () => {
  const item = await add({ salePrice: '15', saleStarts: '2026-12-01', saleEnds: '2026-12-24' })
  expect((await send({ saleEnds: '2026-12-24' })).json().fields).toEqual({ 'variants.0.salePrice': 'Enter the price during the sale' })
  const backwards = { salePrice: '15', saleStarts: '2026-12-02', saleEnds: '2026-12-01' }
  expect((await send(backwards)).json().fields).toEqual({ 'variants.0.saleEnds': 'Can’t be before the first day' })
  for (const saleEnds of ['2026-02-30', '0000-01-01', 'soon']) {
    expect((await send({ salePrice: '15', saleEnds })).json().fields).toEqual({ 'variants.0.saleEnds': 'Enter a date such as 2026-12-24' })
  }
  const [ended] = (await change(item, { salePrice: null })).json() as [MenuItem]
  expect(ended.variants).toMatchObject([{ salePrice: null, saleStarts: null, saleEnds: null }])
})

it('lets the database reject a sale period without a price or with its end before its start', async () => {
  await add({ salePrice: '15', saleStarts: '2026-12-01' })
  const set = (change: string) => sql`update product_variants set ${sql.raw(change)} where business_id = ${shop.id}::uuid`.execute(test.db)
  await expect(set(`sale_ends_on = '2026-11-30'`)).rejects.toThrow('sales_end_after_they_start')
  await expect(set('sale_price_cents = null')).rejects.toThrow('sales_have_a_price')
})
