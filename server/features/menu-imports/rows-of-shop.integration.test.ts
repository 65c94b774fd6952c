import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuItem, Product } from '#contracts/menus.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { shopNames } from './rows-of-shop.ts'

let test: TestApp
let owner: TestPerson
let denver: TestBusiness
let boulder: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  denver = await addBusiness(test.db, { name: 'Zips', address: '1 Main St', stated_license_number: '402R-01' })
  boulder = await addBusiness(test.db, { name: 'Zips', city: 'Boulder', address: '2 Pearl St', stated_license_number: '402R-02' })
  owner = await addMember(test, denver, 'owner')
  await test.db.insertInto('business_members').values({ business_id: boulder.id, user_id: owner.user.id, role: 'owner' }).execute()
  for (const { id } of [denver, boulder]) await grantPlan(test.db, { businessId: id, planId: 'business_tools' })
})

async function send(shop: TestBusiness, ...lines: string[]): Promise<MenuImport> {
  const url = `/api/businesses/${shop.id}/menu-imports`
  const payload = Buffer.from(lines.join('\n'))
  const { id } = (await test.request('POST', url, owner, { fileName: 'menu.csv', byteSize: payload.length })).json()
  const headers = { cookie: owner.cookie, 'content-type': 'application/octet-stream' }
  const sent = await test.app.inject({ method: 'PUT', url: `${url}/${id}/bytes?offset=0`, headers, payload })
  expect(sent.statusCode, sent.body).toBe(200)
  return sent.json() as MenuImport
}
async function start(shop: TestBusiness, { id }: MenuImport): Promise<MenuImport> {
  const url = `/api/businesses/${shop.id}/menu-imports/${id}`
  const started = await test.request('POST', `${url}/start`, owner)
  expect(started.statusCode, started.body).toBeLessThan(300)
  await test.runJobs()
  return (await test.request('GET', url, owner)).json() as MenuImport
}
const menu = async (shop: TestBusiness) => {
  const items = (await test.request('GET', `/api/businesses/${shop.id}/menu-items`, owner)).json() as MenuItem[]
  return items.map(({ name, variants }) => `${name} ${variants[0]?.price}`)
}

it('imports into each menu the rows that name its shop in any form', async () => {
  const file = ['Store,Name,Price', '402R-01,A,10', 'Zips - Boulder,A,12', '"Boulder, CO",B,13', '1 Main St.,C,14', 'Aurora,D,15', ',E,16']
  const [here, there] = [await send(denver, ...file), await send(boulder, ...file)]
  expect(here.columns.map(({ field }) => field)).toEqual(['shop', 'name', 'price'])
  expect(here).toMatchObject({ rowsTotal: 3, rowsElsewhere: 3, itemsAdded: 3, rowsRefused: 0 })
  expect(there).toMatchObject({ rowsTotal: 3, rowsElsewhere: 3, itemsAdded: 3 })
  expect(await start(denver, here)).toMatchObject({ status: 'done', rowsElsewhere: 3 })
  await start(boulder, there)
  expect(await menu(denver)).toEqual(['A 10.00', 'C 14.00', 'E 16.00'])
  expect(await menu(boulder)).toEqual(['A 12.00', 'B 13.00', 'E 16.00'])
})

it('doesn’t count items of other shops as missing', async () => {
  await start(denver, await send(denver, 'Store,Name,Price', 'Denver,A,10', 'Boulder,B,10'))
  const second = await send(denver, 'Store,Name,Price', 'Denver,A,11', 'Boulder,B,10')
  expect(second).toMatchObject({ itemsChanged: 1, itemsMissing: 0, rowsElsewhere: 1 })
})

it('ignores a column that names none of the owner’s shops', async () => {
  const entry = await send(denver, 'Location,Name,Price', 'Vault,A,10', 'Shelf 2,B,10')
  expect(entry.columns.map(({ field }) => field)).toEqual([null, 'name', 'price'])
  expect(entry).toMatchObject({ rowsTotal: 2, rowsElsewhere: 0 })
})

it('reports that no row names the shop, and lets the person skip the column', async () => {
  const entry = await send(denver, 'Location,Name,Price', 'Vault,A,10')
  const url = `/api/businesses/${denver.id}/menu-imports/${entry.id}/mapping`
  const map = async (fields: (string | null)[]) => (await test.request('PUT', url, owner, { fields, skipsWrongRows: true })).json()
  expect(await map(['shop', 'name', 'price'])).toMatchObject({
    status: 'ready',
    rowsRefused: 1,
    rowErrors: [{ row: 1, message: expect.stringContaining('No row names this shop') }],
  })
  expect(await map([null, 'name', 'price'])).toMatchObject({ rowsRefused: 0, itemsAdded: 1 })
})

it('imports nothing from a file that names only the owner’s other shops', async () => {
  const entry = await send(denver, 'Location,Name,Price', 'Boulder,A,10')
  expect(entry).toMatchObject({ status: 'ready', rowsRefused: 1, itemsAdded: 0 })
})

it('doesn’t recognize a shop by a name that it shares with the owner’s other shops', async () => {
  expect((await shopNames(test.db, denver.id)).own).toEqual(
    new Set(['denver', 'denverco', '1mainst', 'zipsdenver', 'zipsdenverco', 'zips1mainst', '402r01']),
  )
  const alone = await addBusiness(test.db, { name: 'Alone', city: null, state: null, location: null })
  expect((await shopNames(test.db, alone.id)).own).toEqual(new Set(['alone']))
})

describe('a business with several locations', () => {
  let airport: string
  const file = (...rows: string[]) => ['Location,SKU,Name,Price,Sale Price,Qty', ...rows]
  const at = async (location?: string) => {
    const query = location === undefined ? '' : `?location=${location}`
    const items = (await test.request('GET', `/api/businesses/${denver.id}/products${query}`, owner)).json() as Product[]
    return items.map(({ name, variants: [size] }) => `${name} ${size?.salePrice ?? size?.price}${size?.isAvailable ? '' : ' out'}`)
  }
  beforeEach(async () => {
    const body = { name: 'Airport', location: 'Aurora, CO', timeZone: 'America/Denver' }
    airport = (await test.request('POST', `/api/businesses/${denver.id}/locations`, owner, body)).json().id
  })

  it('gets prices and stock for each location from one file', async () => {
    const lines = file(
      'Denver,1,A,10,,5',
      'Airport,1,A,12,,5',
      'Airport,2,B,20,15,3',
      'Denver,2,B,20,,0',
      'Denver,3,C,30,,1',
      'Boulder,1,A,9,,1',
    )
    const entry = await send(denver, ...lines)
    expect(entry).toMatchObject({ rowsTotal: 5, rowsElsewhere: 1, itemsAdded: 3, rowsRefused: 0 })
    await start(denver, entry)
    expect(await at()).toEqual(['A 10.00', 'B 20.00 out', 'C 30.00'])
    expect(await at(denver.id)).toEqual(await at())
    expect(await at(airport)).toEqual(['A 12.00', 'B 15.00', 'C 30.00'])
  })

  it('shows “Only a few left” for the main location only, because no other location’s stock is counted', async () => {
    await start(denver, await send(denver, ...file('Denver,1,A,10,,2', 'Airport,1,A,12,,300')))
    const isLow = async (query: string) => {
      const [item] = (await test.request('GET', `/api/businesses/${denver.id}/products${query}`, owner)).json() as Product[]
      return item?.variants[0]?.isLow
    }
    expect(await isLow('')).toBe(true)
    expect(await isLow(`?location=${denver.id}`)).toBe(true)
    expect(await isLow(`?location=${airport}`)).toBe(false)
  })

  it('changes nothing the second time, and shows an item as out of stock at a location whose row is missing', async () => {
    const lines = file('Denver,1,A,10,,5', 'Airport,1,A,12,,5')
    await start(denver, await send(denver, ...lines))
    const again = await send(denver, ...lines)
    expect(again).toMatchObject({ itemsChanged: 0, itemsConfirmed: 1 })
    const third = await send(denver, ...file('Denver,1,A,10,,5', 'Airport,9,Z,1,,1'))
    expect(third).toMatchObject({ itemsChanged: 1, itemsAdded: 1 })
    const done = await start(denver, third)
    expect(await at(airport)).toEqual(['A 10.00 out', 'Z 1.00'])
    expect(await at(denver.id)).toEqual(['A 10.00', 'Z 1.00 out'])
    const undone = await test.request('POST', `/api/businesses/${denver.id}/menu-imports/${done.id}/undo`, owner, {})
    expect(undone.statusCode, undone.body).toBeLessThan(300)
    expect(await at(airport)).toEqual(['A 12.00'])
  })

  it('shows an item as out of stock at a location once no location has a row for it', async () => {
    const others = ['Denver,1,A,10,,5', 'Airport,1,A,12,,5']
    await start(denver, await send(denver, ...file('Denver,2,B,20,,0', 'Airport,2,B,20,15,3', ...others)))
    expect(await at(airport)).toEqual(['A 12.00', 'B 15.00'])
    expect(await withMissing(await send(denver, ...file(...others)))).toMatchObject({ itemsMissing: 0, itemsConfirmed: 1 })
    const without = await send(denver, ...file(...others))
    expect(without).toMatchObject({ itemsMissing: 1, itemsConfirmed: 1, itemsChanged: 0 })
    const done = await start(denver, without)
    expect(await at(airport)).toEqual(['A 12.00', 'B 15.00 out'])
    expect(await at(denver.id)).toEqual(['A 10.00', 'B 20.00 out'])
    expect(await send(denver, ...file(...others))).toMatchObject({ itemsMissing: 0, itemsConfirmed: 1 })
    const undone = await test.request('POST', `/api/businesses/${denver.id}/menu-imports/${done.id}/undo`, owner, {})
    expect(undone.statusCode, undone.body).toBeLessThan(300)
    expect(await at(airport)).toEqual(['A 12.00', 'B 15.00'])
  })

  it('shows an item without any published row as out of stock at the locations of its rows', async () => {
    const active = (...rows: string[]) => ['Location,SKU,Name,Price,Qty,Active', ...rows]
    const first = ['Denver,1,A,10,0,yes', 'Airport,1,A,12,3,yes', 'Denver,2,B,20,0,yes', 'Airport,2,B,20,3,yes', 'Denver,3,C,30,1,yes']
    await start(denver, await send(denver, ...active(...first)))
    expect(await at(airport)).toEqual(['A 12.00', 'B 20.00', 'C 30.00'])
    const next = ['Denver,1,A,10,0,no', 'Airport,1,A,12,3,no', 'Denver,2,B,20,0,no', 'Airport,3,C,30,1,yes']
    const entry = await withMissing(await send(denver, ...active(...next)))
    expect(entry).toMatchObject({ rowsInactive: 3, itemsMissing: 1 })
    await start(denver, entry)
    expect(await at(airport)).toEqual(['A 12.00 out', 'B 20.00', 'C 30.00'])
    await start(denver, await withMissing(await send(denver, ...active(...next)), 'remove'))
    expect(await at(airport)).toEqual(['C 30.00'])
  })

  it('shows an item as out of stock at a location whose row isn’t published', async () => {
    const lines = ['Location,SKU,Name,Price,Active', 'Denver,1,A,10,no', 'Airport,1,A,12,yes']
    await start(denver, await send(denver, ...lines))
    expect(await at(denver.id)).toEqual(['A 12.00 out'])
    expect(await at(airport)).toEqual(['A 12.00'])
  })

  it('rejects one location’s row but imports the rest', async () => {
    const entry = await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,12,15,5', 'Airport,1,A,cheap,,5'))
    expect(entry).toMatchObject({ rowsRefused: 2, itemsAdded: 1 })
    expect(entry.rowErrors.map(({ row }) => row).sort()).toEqual([3, 4])
  })

  const withMissing = async (entry: MenuImport, missingItems: 'leave' | 'remove' = 'leave') => {
    const fields = entry.columns.map(({ field }) => field)
    const url = `/api/businesses/${denver.id}/menu-imports/${entry.id}/mapping`
    return (await test.request('PUT', url, owner, { fields, skipsWrongRows: true, missingItems })).json() as MenuImport
  }

  it('keeps a location’s price and stock if its row is rejected', async () => {
    await start(denver, await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,12,,0', 'Airport,2,B,20,,1', 'Denver,2,B,20,,1')))
    expect(await at(airport)).toEqual(['A 12.00 out', 'B 20.00'])
    const next = await send(denver, ...file('Denver,1,A,11,,5', 'Airport,1,A,cheap,,5', 'Airport,2,B,21,,1', 'Denver,2,B,20,,1'))
    expect(next).toMatchObject({ rowsRefused: 1, itemsChanged: 2 })
    await start(denver, next)
    expect(await at(denver.id)).toEqual(['A 11.00', 'B 20.00'])
    expect(await at(airport)).toEqual(['A 12.00 out', 'B 21.00'])
  })

  it('keeps the main location’s price if its row is rejected, and imports the other locations’ prices', async () => {
    await start(denver, await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,12,,5')))
    const rows = file('Denver,1,A,cheap,,5', 'Airport,1,A,13,,5', 'Denver,2,B,cheap,,5', 'Airport,2,B,20,,5')
    const next = await send(denver, ...rows)
    expect(next).toMatchObject({ rowsRefused: 3, itemsChanged: 1, itemsAdded: 0 })
    expect(next.rowErrors).toContainEqual({
      row: 5,
      field: null,
      message: 'Row 4 of this item has an error',
    })
    expect(next.preview.map(({ row, effect, values }) => [row, effect, values.price])).toContainEqual([3, 'change', '13.00'])
    await start(denver, next)
    expect(await at(denver.id)).toEqual(['A 10.00'])
    expect(await at(airport)).toEqual(['A 13.00'])
    expect(await send(denver, ...rows)).toMatchObject({ itemsChanged: 0, itemsConfirmed: 1 })
  })

  it('changes only the location of a corrected row', async () => {
    await start(denver, await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,12,,5')))
    const next = await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,cheap,,5'))
    const url = `/api/businesses/${denver.id}/menu-imports/${next.id}/rejected.csv`
    await start(denver, next)
    const rejected = (await test.request('GET', url, owner)).body
    await start(denver, await send(denver, ...rejected.replace('cheap', '13').trim().split('\r\n')))
    expect(await at(denver.id)).toEqual(['A 10.00'])
    expect(await at(airport)).toEqual(['A 13.00'])
  })

  it('changes nothing at locations without a row if missing items stay as they are', async () => {
    await start(denver, await send(denver, ...file('Denver,1,A,10,,5', 'Airport,1,A,12,,5', 'Denver,2,B,20,,5', 'Airport,2,B,20,,0')))
    const next = await withMissing(await send(denver, ...file('Denver,1,A,10,,5', 'Airport,2,B,22,,5', 'Airport,3,C,5,,1')))
    expect(next).toMatchObject({ itemsConfirmed: 1, itemsChanged: 1, itemsAdded: 1 })
    await start(denver, next)
    expect(await at(denver.id)).toEqual(['A 10.00', 'B 20.00', 'C 5.00'])
    expect(await at(airport)).toEqual(['A 12.00', 'B 22.00', 'C 5.00'])
  })

  it('merges a row that repeats the main location’s', async () => {
    const entry = await send(denver, ...file('Denver,1,A,10,,5', 'Airport,2,B,12,,5', 'Denver,1,A,10,,5'))
    await start(denver, entry)
    const again = await send(denver, ...file('Denver,1,A,10,,5', 'Airport,2,B,12,,5', 'Denver,1,A,10,,5'))
    expect(await start(denver, again)).toMatchObject({ status: 'done', rowsRefused: 0 })
    expect(await at(airport)).toEqual(['A 10.00 out', 'B 12.00'])
  })

  it('doesn’t reject rows of an item that no location publishes', async () => {
    const rows = [
      'Denver,1,A,10,no',
      'Airport,1,A,12,no',
      'Denver,2,B,20,yes',
      'Airport,2,B,cheap,yes',
      'Airport,3,C,cheap,yes',
      'Denver,3,C,5,no',
    ]
    const entry = await send(denver, 'Location,SKU,Name,Price,Active', ...rows)
    expect(entry).toMatchObject({ rowsInactive: 2, rowsRefused: 3, itemsAdded: 1 })
    expect(entry.rowErrors.map(({ row, message }) => [row, message])).toEqual(
      expect.arrayContaining([
        [5, 'Enter a price such as 12.50'],
        [6, 'Enter a price such as 12.50'],
        [7, 'Row 6 of this item has an error'],
      ]),
    )
  })
})
