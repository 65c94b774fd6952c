import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addKeepers, addMember } from '#tests/support/keepers.ts'
import { addProduct, withOneVariant } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { maxItems } from './menu-lock.ts'

let test: TestApp
let keeper: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  keeper = await addMember(test, shop, 'owner')
})

const path = (rest: string) => `/api/businesses/${shop.id}/${rest}`
const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', rest: string, body?: object, as: TestPerson | null = keeper) =>
  test.request(method, path(rest), as, body)
async function add(fields: object): Promise<MenuItem> {
  const answer = await call('POST', 'menu-items', withOneVariant(fields))
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as MenuItem
}
const change = (...changes: object[]) => call('PATCH', 'menu-items', { changes })
const priced = (item: MenuItem, fields: object) => ({ id: item.id, version: 1, variants: [{ id: item.variants[0]?.id, ...fields }] })
const items = async () => (await call('GET', 'menu-items?limit=100')).json() as MenuItem[]
const unlimited = () => grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })

async function addUpload(kind: 'image' | 'document', owner = keeper): Promise<string> {
  const id = newId()
  const file = { id, owner_id: owner.user.id, kind, status: 'ready' as const, byte_size: 10, received_bytes: 10, alt: '' }
  const size =
    kind === 'image' ? { width: 640, height: 480, widths: [480, 640, 640] } : { width: 1, height: 1, extension: 'pdf', page_count: 1 }
  await test.db
    .insertInto('media')
    .values({ ...file, ...size })
    .execute()
  return id
}

it('reindexes an item only if a search result would change', async () => {
  const item = await add({ name: 'Blue Dream', price: '5' })
  let version = 1
  const marks = async (fields: object) => {
    await test.db.deleteFrom('search_changes').execute()
    expect((await change({ id: item.id, version: version++, ...fields })).statusCode).toBe(200)
    return (await test.db.selectFrom('search_changes').select('subject_id').execute()).length
  }
  const size = (fields: object) => marks({ variants: [{ id: item.variants[0]?.id, ...fields }] })
  expect([await size({ price: '6', salePrice: '4', sku: 'B1' }), await size({ stock: 3 })]).toEqual([0, 0])
  expect([await size({ isAvailable: false }), await size({ isAvailable: true, stock: 0 })]).toEqual([1, 0])
  expect([await marks({ name: 'Blue' }), await marks({ brand: 'Wana' }), await marks({ description: 'Sweet.' })]).toEqual([1, 1, 1])
})

it('filters the menu for its editors by stock, category, and confirmation', async () => {
  await add({ name: 'In', price: '1', category: 'Flower' })
  await add({ name: 'Out', price: '1', category: 'Flower', isAvailable: false })
  const old = await add({ name: 'Old', price: '1' })
  const eightDaysAgo = new Date(test.clock.now().getTime() - 8 * 86_400_000)
  await test.db.updateTable('products').set({ confirmed_at: eightDaysAgo }).where('id', '=', old.id).execute()
  const namesOf = async (part: string) => ((await call('GET', `menu-items?part=${part}`)).json() as MenuItem[]).map(({ name }) => name)
  expect(await namesOf('in_stock')).toEqual(['In', 'Old'])
  expect(await namesOf('out_of_stock')).toEqual(['Out'])
  expect(await namesOf('no_category')).toEqual(['Old'])
  expect(await namesOf('unconfirmed')).toEqual(['Old'])
  expect((await call('GET', 'menu-items?part=none')).statusCode).toBe(400)
  expect((await call('GET', 'menu-settings')).json()).toMatchObject({ confirmedAt: eightDaysAgo.toISOString() })
})

it('pages through the least recently confirmed items first, without skipping items confirmed at the same moment', async () => {
  await unlimited()
  for (const name of ['C', 'A', 'B']) await add({ name, price: '1' })
  await test.db
    .updateTable('products')
    .set({ confirmed_at: new Date('2026-11-01T00:00:00.123Z') })
    .where('business_id', '=', shop.id)
    .where('name', '<>', 'A')
    .execute()
  const names: string[] = []
  for (let url: string | null = `/api/businesses/${shop.id}/menu-items?sort=oldest&limit=1`; url; ) {
    const answer = await test.request('GET', url, keeper)
    names.push(...(answer.json() as MenuItem[]).map(({ name }) => name))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(names).toEqual(['B', 'C', 'A'])
})

describe('adding an item', () => {
  it('stores trimmed values, and empty fields as null', async () => {
    const image = await addUpload('image')
    const certificate = await addUpload('document')
    const item = await add({
      name: '  Blue Dream ',
      price: '12.5',
      memberPrice: '10',
      description: '',
      category: 'Flower',
      thc: 22.5,
      thcMax: 24.1,
      thcUnit: 'percent',
      strainType: 'hybrid',
      subcategory: 'Smalls',
      weight: 3.5,
      weightUnit: 'g',
      imageId: image,
      certificateId: certificate,
    })
    expect(item).toMatchObject({
      name: 'Blue Dream',
      description: null,
      category: 'Flower',
      subcategory: 'Smalls',
      strainType: 'hybrid',
      thc: 22.5,
      thcMax: 24.1,
      thcUnit: 'percent',
      cbdUnit: null,
      version: 1,
      certificateUrl: `/media/${certificate}/document.pdf`,
      image: { id: image },
      variants: [
        {
          price: '12.50',
          salePrice: null,
          memberPrice: '10.00',
          weight: 3.5,
          weightUnit: 'g',
          stock: null,
          isAvailable: true,
          offers: [],
        },
      ],
    })
    expect(await items()).toEqual([item])
  })

  it('names uploads that don’t exist, are of the wrong kind, or belong to someone else', async () => {
    const other = await addMember(test, shop, 'staff')
    const fields = async (imageId: string, certificateId: string) =>
      (await call('POST', 'menu-items', withOneVariant({ name: 'X', price: '1', imageId, certificateId }))).json().fields
    expect(await fields(await addUpload('document'), await addUpload('image'))).toEqual({
      imageId: expect.any(String),
      certificateId: expect.any(String),
    })
    expect(await fields(await addUpload('image', other), newId())).toEqual({
      imageId: expect.any(String),
      certificateId: expect.any(String),
    })
    expect(await items()).toEqual([])
  })

  it('refuses a used SKU, and percentages above 100', async () => {
    await add({ name: 'A', price: '1', sku: 'S1' })
    expect((await call('POST', 'menu-items', withOneVariant({ name: 'B', price: '1', sku: 'S1' }))).json().fields).toEqual({
      'variants.0.sku': 'Another item or size on this menu has this SKU',
    })
    expect(
      (await call('POST', 'menu-items', withOneVariant({ name: 'B', price: '1', thc: 101, thcUnit: 'percent' }))).json().fields,
    ).toEqual({
      thc: 'At most 100 percent',
    })
  })

  it('is limited to five items without a plan, even concurrently or after a larger plan ended', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => call('POST', 'menu-items', withOneVariant({ name: `Item ${i}`, price: '1' }))),
    )
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(5)
    const refused = answers.filter((answer) => answer.statusCode === 409)
    expect(refused).toHaveLength(95)
    expect(refused[0]?.json()).toMatchObject({ code: 'plan_limit', message: expect.stringMatching(/can have 5 menu items/) })
    expect(await items()).toHaveLength(5)
    expect((await call('GET', 'menu-settings')).json()).toMatchObject({ itemCount: 5, itemLimit: 5 })

    await unlimited()
    await add({ name: 'Sixth', price: '1' })
    expect((await call('GET', 'menu-settings')).json()).toMatchObject({ itemCount: 6, itemLimit: null })
    await test.db.deleteFrom('agreements').where('business_id', '=', shop.id).execute()
    expect((await call('POST', 'menu-items', withOneVariant({ name: 'Seventh', price: '1' }))).json().message).toMatch(
      /You can keep the 6 on this menu/,
    )
    expect(await items()).toHaveLength(6)
  })

  it('is limited to 20,000 items on every plan', async () => {
    await unlimited()
    await sql`insert into products (id, business_id, name)
      select gen_random_uuid(), ${shop.id}::uuid, 'Item ' || n from generate_series(1, ${maxItems - 1}::integer) as n`.execute(test.db)
    await add({ name: 'The last one', price: '1' })
    expect((await call('POST', 'menu-items', withOneVariant({ name: 'One more', price: '1' }))).json()).toMatchObject({
      code: 'conflict',
      message: 'A menu can have up to 20,000 items; this one has 20,000.',
    })
  })

  it('stores half a surrogate pair as the replacement character', async () => {
    expect(await add({ name: 'Leaf \ud83c', price: '1' })).toMatchObject({ name: 'Leaf \ufffd' })
  })

  it('happens once per idempotency key', async () => {
    const headers = { cookie: keeper.cookie, 'idempotency-key': 'one' }
    const send = () =>
      test.app.inject({ method: 'POST', url: path('menu-items'), headers, payload: withOneVariant({ name: 'A', price: '1' }) })
    const [first, second] = [await send(), await send()]
    expect(second.json()).toEqual(first.json())
    expect(await items()).toHaveLength(1)
  })
})

describe('changing items', () => {
  it('changes many items in one call and swaps SKUs', async () => {
    const [a, b] = [await add({ name: 'A', price: '1', sku: 'S1' }), await add({ name: 'B', price: '2', sku: 'S2' })]
    const answer = await change(priced(a, { sku: 'S2', price: '3' }), priced(b, { sku: 'S1', isAvailable: false }))
    expect(answer.json()).toMatchObject([
      { id: a.id, variants: [{ sku: 'S2', price: '3.00' }], version: 2 },
      { id: b.id, variants: [{ sku: 'S1', isAvailable: false }], version: 2 },
    ])
  })

  it('is all or nothing, and names invalid values and edit conflicts', async () => {
    const [a, b] = [await add({ name: 'A', price: '1' }), await add({ name: 'B', price: '2', sku: 'S2' })]
    const before = await items()
    const wrong = await change(priced(a, { price: '5', sku: 'S2' }), { id: b.id, version: 1, thc: 200, thcUnit: 'percent' })
    expect(wrong.json().fields).toEqual({ 'changes.0.variants.0.sku': expect.any(String), 'changes.1.thc': 'At most 100 percent' })
    expect((await change(priced(a, { price: 'x' }))).json().fields).toEqual({ 'changes.0.variants.0.price': expect.any(String) })
    const stale = await change(priced(a, { price: '5' }), { ...priced(b, { price: '5' }), version: 9 })
    expect(stale.statusCode).toBe(409)
    expect(stale.json().message).toMatch(/^“B” was changed by someone else/)
    const elsewhere = await addBusiness(test.db)
    const other = await addProduct(test.db, elsewhere.id, { name: 'Secret' })
    const foreign = await change(priced(a, { price: '5' }), { id: other, version: 1, name: 'Mine' })
    expect(foreign.statusCode).toBe(409)
    expect(foreign.json().message).toMatch(/^One item is no longer on the menu/)
    expect(await items()).toEqual(before)
  })

  it('lets only one of ten concurrent edits of the same version win', async () => {
    const a = await add({ name: 'A', price: '1' })
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change(priced(a, { price: String(i + 2) }))))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })

  it('confirms items when their price changes, and confirms all or only the given items when the menu is confirmed', async () => {
    const [a, b] = [await add({ name: 'A', price: '1' }), await add({ name: 'B', price: '1' })]
    test.clock.advance({ hours: 3 })
    const [changed, renamed] = (await change(priced(a, { price: '2' }), { id: b.id, version: 1, name: 'B2' })).json() as MenuItem[]
    expect(Date.parse(changed?.confirmedAt ?? '') - Date.parse(a.confirmedAt)).toBeGreaterThanOrEqual(3 * 3_600_000)
    expect(renamed?.confirmedAt).toBe(b.confirmedAt)
    const confirmed = (await call('POST', 'menu-confirmations', {})).json()
    expect(confirmed.confirmedCount).toBe(2)
    expect((await items()).map((item) => item.confirmedAt)).toEqual([confirmed.confirmedAt, confirmed.confirmedAt])
    expect((await call('POST', 'menu-confirmations', { ids: [a.id, newId()] })).json()).toMatchObject({ confirmedCount: 1 })
  })

  it('removes items idempotently', async () => {
    const a = await add({ name: 'A', price: '1' })
    for (let i = 0; i < 2; i++) expect((await call('POST', 'menu-items/removals', { ids: [a.id] })).statusCode).toBe(204)
    expect(await items()).toEqual([])
  })
})

describe('the shoppers’ view', () => {
  const products = async (query = '', as: TestPerson | null = keeper) => (await call('GET', `products${query}`, undefined, as)).json()

  it('includes tax, shows everyone the subscriber prices, and states whether the viewer pays them', async () => {
    await unlimited()
    await add({ name: 'A', price: '10', memberPrice: '8' })
    const subscriber = await test.signUp()
    await test.db.insertInto('subscriptions').values({ user_id: subscriber.user.id, business_id: shop.id }).execute()
    const premium = await test.signUp()
    await grantPlan(test.db, { userId: premium.user.id, planId: 'pro' })
    expect(await products()).toMatchObject([
      { price: '10.00', isTaxIncluded: false, hasMemberPrices: false, variants: [{ memberPrice: '8.00' }] },
    ])
    expect((await call('PUT', 'menu-settings', { currency: 'CAD', taxRate: 8.875, pricesIncludeTax: false })).json()).toMatchObject({
      taxRate: 8.875,
    })
    expect((await call('PUT', 'menu-settings', { currency: 'CAD', taxRate: 8.8751, pricesIncludeTax: false })).statusCode).toBe(400)
    for (const person of [subscriber, premium]) {
      expect(await products('', person)).toMatchObject([
        { price: '10.89', currency: 'CAD', isTaxIncluded: true, hasMemberPrices: true, variants: [{ memberPrice: '8.71' }] },
      ])
    }
    expect(await products()).toMatchObject([{ price: '10.89', hasMemberPrices: false }])
    // If subscribing costs money, a plan no longer includes the subscriber prices.
    await test.db.insertInto('subscription_offers').values({ business_id: shop.id, price_cents: 900, title: 'Club' }).execute()
    expect(await products('', premium)).toMatchObject([{ hasMemberPrices: false }])
    expect(await products('', subscriber)).toMatchObject([{ hasMemberPrices: true }])
    await call('PUT', 'menu-settings', { currency: 'CAD', taxRate: 8.875, pricesIncludeTax: true })
    expect(await products()).toMatchObject([{ price: '10.00', isTaxIncluded: true }])
  })

  it('is sorted by category and name, searchable by text and category, and specific to the location', async () => {
    await unlimited()
    const location = (await call('POST', 'locations', { name: 'North', location: 'Boulder, CO', timeZone: 'America/Denver' })).json().id
    const offers = (offer: object) => [{ locationId: location, ...offer }]
    await add({ name: 'gummies', category: 'Edibles', price: '5', offers: offers({ isOffered: false }) })
    await add({ name: 'zkittlez', category: 'Flower', price: '5', brand: 'Bouffée', offers: offers({ price: '4', isAvailable: false }) })
    await add({ name: 'Apple', category: 'Flower', price: '5', offers: [{ locationId: shop.id, price: '6' }] })
    await add({ name: 'Loose', price: '5' })
    const names = async (query: string) =>
      (await products(query)).map(
        ({ name, price, isAvailable }: { name: string; price: string; isAvailable: boolean }) =>
          `${name} ${price}${isAvailable ? '' : ' out'}`,
      )
    expect(await names('')).toEqual(['Apple 5.00', 'zkittlez 5.00', 'gummies 5.00', 'Loose 5.00'])
    expect(await names(`?location=${location}`)).toEqual(['Apple 5.00', 'zkittlez 4.00 out', 'Loose 5.00'])
    expect(await names(`?location=${shop.id}`)).toEqual(['Apple 6.00', 'zkittlez 5.00', 'gummies 5.00', 'Loose 5.00'])
    expect(await names('?q=bouffee')).toEqual(['zkittlez 5.00'])
    expect(await names('?q=bouffe+zkitlez')).toEqual(['zkittlez 5.00'])
    expect(await names('?q=nothing')).toEqual([])
    expect(await names('?category=Flower&q=ap')).toEqual(['Apple 5.00'])
    expect(await names('?category=Other')).toEqual(['Loose 5.00'])
    expect((await call('GET', `products?location=${newId()}`)).statusCode).toBe(404)
    expect((await call('GET', 'menu')).json()).toMatchObject({
      itemCount: 4,
      categories: [
        { category: 'Flower', itemCount: 2 },
        { category: 'Edibles', itemCount: 1 },
        { category: 'Other', itemCount: 1 },
      ],
    })
    expect((await call('GET', `menu?location=${location}`)).json()).toMatchObject({ itemCount: 3 })
    const forged = Buffer.from(JSON.stringify([99999999, 'x', shop.id])).toString('base64url')
    expect((await call('GET', `products?cursor=${forged}`)).statusCode).toBe(400)
    const twice = { name: 'X', price: '1', offers: [...offers({}), ...offers({}), { locationId: newId() }] }
    expect((await call('POST', 'menu-items', withOneVariant(twice))).json().fields).toEqual({
      'variants.0.offers.1.locationId': 'This location is listed twice',
      'variants.0.offers.2.locationId': 'This location no longer exists',
    })
  })

  it('requires legal age, even of menu editors', async () => {
    const image = await addUpload('image')
    await add({ name: 'A', price: '1', imageId: image })
    await test.ctx.storage.put(`media/${image}/small.webp`, Buffer.from('a picture'), 'image/webp')
    const young = await addMember(test, shop, 'manager')
    const pictureFor = async (as: TestPerson | null) => (await test.request('GET', `/media/${image}/small.webp`, as)).statusCode
    expect([await pictureFor(young), await pictureFor(null)]).toEqual([200, 404])
    await test.db
      .updateTable('users')
      .set({ birthday: `${test.clock.now().getUTCFullYear() - 19}-01-01` })
      .where('id', '=', young.user.id)
      .execute()
    for (const rest of ['products', 'menu', 'menu-items', 'menu-settings', 'menu.csv', 'menu-imports']) {
      expect((await call('GET', rest, undefined, young)).json(), rest).toMatchObject({ code: 'age_restricted' })
    }
    expect(await pictureFor(young)).toBe(404)
    for (const rest of ['products', 'menu']) expect((await call('GET', rest, undefined, null)).statusCode).toBe(403)
    for (const [method, rest, body] of [
      ['POST', 'menu-items', withOneVariant({ name: 'B', price: '1' })],
      ['POST', 'menu-confirmations', {}],
    ] as const) {
      expect((await call(method, rest, body, young)).json()).toMatchObject({ code: 'age_restricted' })
    }
  })
})

it('lets only menu editors edit', async () => {
  const people = await addKeepers(test)
  const calls = [
    ['GET', 'menu-items', undefined, 200],
    ['POST', 'menu-items', withOneVariant({ name: 'A', price: '1' }), 201],
    ['PATCH', 'menu-items', { changes: [{ id: newId(), version: 1 }] }, 409],
    ['POST', 'menu-items/removals', { ids: [newId()] }, 204],
    ['POST', 'menu-confirmations', {}, 200],
    ['GET', 'menu-settings', undefined, 200],
    ['PUT', 'menu-settings', { currency: 'USD', taxRate: 5, pricesIncludeTax: false }, 200],
  ] as const
  for (const [method, rest, body, allowed] of calls) {
    const status = async (as: TestPerson | null) =>
      (await test.request(method, `/api/businesses/${people.shop.slug}/${rest}`, as, body)).statusCode
    for (const role of ['owner', 'manager', 'staff'] as const) expect(await status(people[role]), `${role} ${method} ${rest}`).toBe(allowed)
    for (const role of ['stranger', 'ownerOfAnother'] as const) expect(await status(people[role]), `${role} ${method} ${rest}`).toBe(403)
    expect(await status(null)).toBe(401)
    expect((await test.request(method, `/api/businesses/${newId()}/${rest}`, people.owner, body)).statusCode).toBe(404)
  }
})

it('suggests strains by prefix first', async () => {
  const names = async (q: string) =>
    (await test.request('GET', `/api/strains?q=${encodeURIComponent(q)}`, keeper)).json().map((strain: { name: string }) => strain.name)
  const blue = await names('BLUE dr')
  expect(blue.every((name: string) => name.toLowerCase().startsWith('blue dr'))).toBe(true)
  expect(blue[0]).toBe('Blue Dragon')
  expect(blue.length).toBeLessThanOrEqual(8)
  expect(await names('zzzzzz')).toEqual([])
  expect(await names('ouffé')).toEqual(await names('ouffe'))
})
