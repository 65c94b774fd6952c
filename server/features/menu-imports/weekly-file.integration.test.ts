import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuItem, MenuSettings } from '#contracts/menus.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { menuFileCalls } from '#tests/support/menu-files.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { importMenuFile } from './run-import.ts'

let test: TestApp
let owner: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
})

const { imports, ok, send: sendFile, start } = menuFileCalls(() => ({ test, shop, keeper: owner }))
const send = (...lines: string[]) => sendFile(lines.join('\n'))
const map = (entry: MenuImport, change: object) =>
  ok<MenuImport>('PUT', imports(`/${entry.id}/mapping`), {
    fields: entry.columns.map(({ field }) => field),
    skipsWrongRows: entry.skipsWrongRows,
    ...change,
  })
const undo = ({ id }: MenuImport) => ok<MenuImport>('POST', imports(`/${id}/undo`), {})

const menu = () => ok<MenuItem[]>('GET', `/api/businesses/${shop.id}/menu-items?limit=100`)
const sizes = async () =>
  (await menu()).flatMap(({ name, variants }) =>
    variants.map((each) => `${name} ${each.weight ?? ''}: ${each.price}${each.isAvailable ? '' : ' out'}`),
  )
/** The menu byte for byte, except for the versions, which never decrease. */
const stored = async () =>
  (
    await sql<{ menu: string }>`
      select ((to_jsonb(products) - 'version')::text || (select jsonb_agg(to_jsonb(v) order by position) from product_variants v
        where v.product_id = products.id)::text) as menu
      from products where business_id = ${shop.id}::uuid order by id`.execute(test.db)
  ).rows

const header = 'Product,Category,Size,Unit,Retail,QOH,Note to staff'
const firstWeek = [
  header,
  'Haze,Flower,1/8 oz,Grams,35,12,a',
  'Haze,Flower,1/4 oz,Grams,60,4,b',
  'Kush,Flower,1g,Grams,12,9,c',
  'Pipe,Gear,,,20,3,',
]

it('imports the second week’s file like the first, with one click', async () => {
  const first = await send(...firstWeek)
  expect(first).toMatchObject({ isMappingKnown: false, missingItems: 'leave', rowsGrouped: 1, itemsAdded: 3 })
  await start(
    await map(first, {
      fields: ['name', 'category', 'weight', 'weightUnit', 'price', 'stock', 'description'],
      missingItems: 'out_of_stock',
    }),
  )
  const [before] = [await menu()]
  test.clock.advance({ minutes: 1 })

  // Haze costs more, Kush is unchanged and Pipe is missing; one row is broken.
  const second = await send(header, 'Haze,Flower,1/8 oz,Grams,36,12,a', 'Kush,Flower,1g,Grams,12,9,c', 'New,Flower,1g,Grams,free,1,')
  expect(second).toMatchObject({
    isMappingKnown: true,
    skipsWrongRows: true,
    itemsAdded: 0,
    itemsChanged: 1,
    itemsConfirmed: 1,
    itemsMissing: 1,
    rowsRefused: 1,
  })
  expect(second.columns.at(-1)).toMatchObject({ field: 'description' })
  const done = await start(second)
  expect(done).toMatchObject({ status: 'done', itemsChanged: 1, itemsConfirmed: 1, itemsMissing: 1, rowsRefused: 1 })
  expect(await sizes()).toEqual(['Haze 3.5: 36.00', 'Haze 7: 60.00 out', 'Kush 1: 12.00', 'Pipe : 20.00 out'])
  const kushAt = (items: MenuItem[]) => items.find(({ name }) => name === 'Kush')?.confirmedAt ?? ''
  expect(kushAt(await menu()) > kushAt(before)).toBe(true)
})

it.each(['out_of_stock', 'remove'] as const)('undoes exactly what the import did (missing items: %s)', async (missingItems) => {
  await start(await send(...firstWeek))
  const before = await stored()
  test.clock.advance({ minutes: 1 })
  const second = await map(
    await send(header, 'Haze,Flower,1/8 oz,Grams,36,11,a', 'Kush,Flower,1g,Grams,12,9,c', 'New,Flower,1g,Grams,9,1,'),
    {
      missingItems,
      pricesIncludeTax: true,
    },
  )
  const done = await start(second)
  expect(done).toMatchObject({
    itemsAdded: 1,
    itemsChanged: 1,
    itemsConfirmed: 1,
    ...(missingItems === 'remove' ? { itemsRemoved: 1 } : { itemsMissing: 1 }),
  })
  expect(await stored()).not.toEqual(before)
  const settings = () => ok<MenuSettings>('GET', `/api/businesses/${shop.id}/menu-settings`)
  expect((await settings()).pricesIncludeTax).toBe(true)
  test.clock.advance({ minutes: 1 })
  await undo(done)
  expect(await stored()).toEqual(before)
  expect((await settings()).pricesIncludeTax).toBe(false)
})

it('leaves items of inactive or rejected rows alone, and doesn’t revert later confirmations', async () => {
  await start(await send('Name,Price,Active', 'A,1,yes', 'B,2,yes', 'C,3,yes', 'E,5,yes'))
  const second = await map(await send('Name,Price,Active', 'A,1,yes', 'B,2,no', 'C,free,yes', 'D,4,no', '"E,5,yes'), {
    skipsWrongRows: true,
    missingItems: 'out_of_stock',
  })
  expect(second).toMatchObject({ rowsInactive: 2, rowsRefused: 2, itemsMissing: 1, itemsConfirmed: 1 })
  const done = await start(second)
  expect(await sizes()).toEqual(['A : 1.00', 'B : 2.00 out', 'C : 3.00', 'E : 5.00'])
  test.clock.advance({ minutes: 1 })
  await ok('POST', `/api/businesses/${shop.id}/menu-confirmations`, {})
  const confirmed = (await menu())[0]?.confirmedAt
  await undo(done)
  expect((await menu())[0]?.confirmedAt).toBe(confirmed)
})

it('keeps rows separate on request', async () => {
  const apart = await map(await send(...firstWeek), { keepsRowsApart: true })
  expect(apart).toMatchObject({ rowsGrouped: 0, itemsAdded: 4 })
  await start(apart)
  expect(await send(...firstWeek)).toMatchObject({ keepsRowsApart: true, itemsAdded: 0, itemsConfirmed: 4 })
})

it('returns rejected rows with reasons, so they can be corrected and sent again without touching other items', async () => {
  await start(await send('Name,Price', 'Kept,1'))
  const entry = await map(await send('Name,Price,Batch', '"Good, one",5,x', 'Bad,free,y'), { skipsWrongRows: true, missingItems: 'leave' })
  const rejected = async () => (await test.request('GET', imports(`/${entry.id}/rejected.csv`), owner)).body
  const file = '\uFEFFName,Price,Batch,Rejected because\r\nBad,free,y,Row 3: Price: Enter a price such as 12.50\r\n'
  expect(await rejected()).toBe(file)
  await start(entry)
  expect(await rejected()).toBe(file)
  const again = await send(file.replace('free', '7'))
  expect(again).toMatchObject({ isMappingKnown: true, missingItems: 'leave', itemsAdded: 1, itemsMissing: 0 })
  await start(again)
  expect(await sizes()).toEqual(['Bad : 7.00', 'Good, one : 5.00', 'Kept : 1.00'])
})

it('returns only the rejected weights of a file with a price per weight', async () => {
  const header = 'SKU,Name,PRICE_GRAM,PRICE_EIGHTH,PRICE_OZ'
  const entry = await map(await send(header, 'A1,Haze,12,call us,180', 'A2,Kush,ask,?,150'), { skipsWrongRows: true })
  const rejected = (await test.request('GET', imports(`/${entry.id}/rejected.csv`), owner)).body
  const lines = rejected.trim().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'A1-3.5g,Haze,3.5 g,call us',
    'A2-1g,Kush,1 g,ask',
    'A2-3.5g,Kush,3.5 g,?',
  ])
  await start(entry)
  await start(await send(rejected.replace('call us', '35').replace('ask', '11').replace('?', '30')))
  expect((await sizes()).sort()).toEqual([
    ...['Haze 1: 12.00', 'Haze 28: 180.00', 'Haze 3.5: 35.00', 'Kush 1: 11.00', 'Kush 28: 150.00', 'Kush 3.5: 30.00'],
  ])
})

it('reports whether a price column’s name indicates that prices include tax', async () => {
  expect((await send('Name,priceInclTax', 'A,1')).pricesIncludeTax).toBe(true)
  expect((await send('Name,Price (excl. tax)', 'A,1')).pricesIncludeTax).toBe(false)
  expect((await send('Name,Price', 'A,1')).pricesIncludeTax).toBe(null)
})

it('imports a file that no person uploaded', async () => {
  const take = (text: string) =>
    importMenuFile(test.ctx, {
      businessId: shop.id,
      fileName: 'menu.csv',
      bytes: Buffer.from(text),
      sourceId: null,
      userId: null,
      minRows: 0,
    })
  expect(await take('Name,Price\nA,1\nB,2\n')).toMatchObject({ status: 'done', itemsAdded: 2 })
  expect(await take('Name,Price\nA,1\nC,free\n')).toMatchObject({ status: 'done', itemsConfirmed: 1, itemsMissing: 1, rowsRefused: 1 })
  expect(await take('Name,Amounts\nZ,x\n')).toMatchObject({ status: 'failed', error: expect.stringContaining('Price is required') })
  expect(await take('\0')).toMatchObject({ status: 'failed', error: expect.stringContaining('can’t read this kind of file') })
})
