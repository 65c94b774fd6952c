import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { countProducts, FoundProduct } from '#contracts/product-search.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, licensed, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { addProduct } from '#tests/support/menus.ts'
import { seededRandom } from '#tests/support/picture-mutations.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let shopper: TestPerson
/** 19 years old. */
let young: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  t = await startTestApp({ startsAt: new Date('2026-11-24T18:00:00Z') })
  shopper = await t.signUp()
  young = await t.signUp({ birthday: '2007-03-01' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  await t.db.deleteFrom('businesses').execute()
  shop = await addBusiness(t.db, { name: 'Near Shop', city: 'Denver', state: 'CO' })
})

type Item = Parameters<typeof addProduct>[2]
type Variant = Parameters<typeof addProduct>[3]
const confirmed_at = '2026-11-24T12:00:00.000Z'
const add = (name: string, item: Item = {}, variant: Variant = {}, at: TestBusiness = shop) =>
  addProduct(t.db, at.id, { name, search_text: name.toLowerCase(), confirmed_at, ...item }, variant)

const search = (query: string, as: TestPerson | null = shopper) => t.request('GET', `/api/products?near=Denver, CO&${query}`, as)
async function found(query = '', as: TestPerson | null = shopper): Promise<FoundProduct[]> {
  const answer = await search(query, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as FoundProduct[]
}
const names = async (query = '', as: TestPerson | null = shopper) => (await found(query, as)).map(({ product }) => product.name)
const count = (query: string, as: TestPerson | null = shopper) => t.request('GET', `/api/products/counts?near=Denver, CO&${query}`, as)
const counts = async (query: string, as?: TestPerson) => (await count(query, as)).json() as ResponseOf<typeof countProducts>

describe('a matching item', () => {
  it('has its lowest price and sizes, and its shop’s distance, hours and license', async () => {
    const boulder = await addBusiness(t.db, { name: 'Far Shop', city: 'Boulder', state: 'CO', ...licensed })
    await add('Dark Chocolate', { category: 'Edibles', brand: 'Hearth' }, { price_cents: 1800, weight: 100, weight_unit: 'mg' }, boulder)
    const [item] = await found('q=dark chocolate&radius=50')
    expect(item).toMatchObject({
      product: { name: 'Dark Chocolate', price: '18.00', variants: [{ weight: 100 }], confirmedAt: confirmed_at },
      shop: { name: 'Far Shop', location: 'Boulder, CO', isLicenseVerified: true, openNow: null },
      isDeal: false,
    })
    expect(item?.shop.distanceMiles).toBeGreaterThan(20)
    expect(item?.product).not.toHaveProperty('description')
  })

  it('has subscriber prices only for subscribers of its shop', async () => {
    const other = await addBusiness(t.db, { city: 'Denver' })
    for (const at of [shop, other]) await add('Kush', {}, { price_cents: 3000, member_price_cents: 2500 }, at)
    await t.db.insertInto('subscriptions').values({ user_id: shopper.user.id, business_id: shop.id }).execute()
    const items = await found('q=kush')
    expect(items.map((each) => [each.shop.id === shop.id, each.product.hasMemberPrices]).sort()).toEqual([
      [false, false],
      [true, true],
    ])
  })
})

describe('the place', () => {
  it('defaults to the viewer’s city, and can be a city, coordinates or a state', async () => {
    const boulder = await addBusiness(t.db, { city: 'Boulder', state: 'CO' })
    await add('Here')
    await add('There', {}, {}, boulder)
    const near = async (query: string) =>
      ((await t.request('GET', `/api/products?${query}`, shopper)).json() as FoundProduct[]).map(({ product }) => product.name)
    await t.db.updateTable('users').set({ location: 'Boulder, CO' }).where('id', '=', shopper.user.id).execute()
    expect(await near('radius=10')).toEqual(['There'])
    expect(await near('near=Denver, CO&radius=10')).toEqual(['Here'])
    expect(await near('near=39.74,-104.99&radius=10')).toEqual(['Here'])
    expect((await near('near=Colorado')).sort()).toEqual(['Here', 'There'])
    expect(await near('near=Pueblo, CO')).toEqual([])
  })

  it('is required for people without a city, must be known, and has a radius of at most 100 miles', async () => {
    await t.db.updateTable('users').set({ location: null }).where('id', '=', shopper.user.id).execute()
    for (const [query, field] of [
      ['', 'near'],
      ['near=Nowhereville', 'near'],
      ['near=Denver, CO&radius=101', 'radius'],
    ] as const) {
      const answer = await t.request('GET', `/api/products?${query}`, shopper)
      expect(answer.statusCode, query).toBe(400)
      expect((answer.json() as { fields: object }).fields, query).toHaveProperty(field)
    }
  })
})

describe('a filtered search', () => {
  it('requires every word in an item’s text, category or strain type', async () => {
    await add('Blue Dream Eighth', { category: 'Flower', strain_type: 'sativa', search_text: 'blue dream eighth\nhearth' })
    await add('Blue Gummies', { category: 'Edibles', strain_type: 'indica', search_text: 'blue gummies\nhearth' })
    expect(await names('q=blue hearth')).toHaveLength(2)
    expect(await names('q=blue flower')).toEqual(['Blue Dream Eighth'])
    expect(await names('q=edible')).toEqual(['Blue Gummies'])
    expect(await names('q=sativa')).toEqual(['Blue Dream Eighth'])
    expect(await names('q=blue 100%')).toEqual([])
  })

  it('filters by category, strain type, price, stock and opening hours', async () => {
    await add('Cheap', { category: 'Edibles', strain_type: 'hybrid' }, { price_cents: 900 })
    await add('Dear', { category: 'Flower', strain_type: 'indica' }, { price_cents: 5000 })
    await add('Gone', { category: 'Flower' }, { is_available: false, price_cents: 2000 })
    expect(await names('category=Edibles')).toEqual(['Cheap'])
    expect(await names('strainType=indica')).toEqual(['Dear'])
    expect((await names('maxPrice=20')).sort()).toEqual(['Cheap', 'Gone'])
    expect(await names('inStock=true&category=Flower')).toEqual(['Dear'])
    expect(await names('open=true')).toEqual([])
    await t.db
      .insertInto('locations')
      .values({ id: shop.id, business_id: shop.id, name: 'Main', time_zone: 'America/Denver', has_hours: true })
      .execute()
    // Tuesday, 11 a.m. in Denver.
    await t.db.insertInto('location_hours').values({ location_id: shop.id, weekday: 1, opens: 600, closes: 1200 }).execute()
    expect(await names('open=true')).toHaveLength(3)
  })

  it('filters by a range of prices, or of prices per gram, that includes one of an item’s sizes', async () => {
    const flower = { category: 'Flower' } as const
    const jar = await add('Jar', flower, { price_cents: 1200, weight: 1, weight_unit: 'g' })
    const larger = { id: newId(), position: 1, price_cents: 2800, weight: 3.5, weight_unit: 'g' } as const
    await t.db
      .insertInto('product_variants')
      .values({ ...larger, product_id: jar, business_id: shop.id })
      .execute()
    await add('Bag', flower, { price_cents: 4000, weight: 3.5, weight_unit: 'g' })
    await add('Drink', { category: 'Drinks' }, { price_cents: 2500, weight: 1, weight_unit: 'piece' })
    expect((await names('minPrice=20&maxPrice=30')).sort()).toEqual(['Drink', 'Jar'])
    expect(await counts('minPrice=20&maxPrice=30')).toMatchObject({ itemCount: 2 })
    expect(await names('minPrice=30')).toEqual(['Bag'])
    expect(await names('maxPrice=8&perGram=true&sort=price')).toEqual(['Jar'])
    expect(await names('maxPrice=7.99&perGram=true')).toEqual([])
  })

  it('compares and sorts prices as shoppers pay them, with tax', async () => {
    const taxed = await addBusiness(t.db, { city: 'Denver' })
    await t.db.insertInto('menu_settings').values({ business_id: taxed.id, tax_rate: 25_000, prices_include_tax: false }).execute()
    await add('Taxed', {}, { price_cents: 1000 }, taxed)
    await add('Plain', {}, { price_cents: 1100 })
    const items = await found('sort=price')
    expect(items.map(({ product }) => [product.name, product.price])).toEqual([
      ['Plain', '11.00'],
      ['Taxed', '12.50'],
    ])
    expect(await names('maxPrice=12')).toEqual(['Plain'])
    expect(await names('maxPrice=12.5')).toHaveLength(2)
  })
})

describe('the order', () => {
  it('puts items not confirmed for a week after fresh ones, and items out of stock last', async () => {
    const stale = '2026-11-10T12:00:00.000Z'
    for (const sort of ['nearest', 'price', 'price_per_gram', 'potency']) {
      await t.db.deleteFrom('products').execute()
      await add('Gone', {}, { price_cents: 1, is_available: false })
      await add('Stale', { confirmed_at: stale }, { price_cents: 2 })
      await add('Fresh', {}, { price_cents: 3 })
      expect(await names(`sort=${sort}`), sort).toEqual(['Fresh', 'Stale', 'Gone'])
    }
  })

  it('takes three items from each shop at a time, nearest first, and puts matching names before matching brands', async () => {
    const far = await addBusiness(t.db, { city: 'Lakewood', state: 'CO' })
    for (const name of ['A1', 'A2', 'A3', 'A4', 'A5']) await add(name, { search_text: `${name}\nhearth` })
    for (const name of ['B1', 'B2']) await add(name, { search_text: `${name}\nhearth` }, {}, far)
    await add('Hearth', { search_text: 'hearth' }, {}, far)
    expect(await names()).toEqual(['A1', 'A2', 'A3', 'B1', 'B2', 'Hearth', 'A4', 'A5'])
    expect(await names('q=hearth')).toEqual(['Hearth', 'A1', 'A2', 'A3', 'B1', 'B2', 'A4', 'A5'])
    await add('Flower Press', { category: 'Accessories' }, {}, far)
    await add('Nearest Flower', { category: 'Flower', search_text: 'dream\nhearth' })
    expect(await names('q=flower')).toEqual(['Nearest Flower', 'Flower Press'])
  })

  it('takes turns among many shops, page by page', async () => {
    const shops = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        addBusiness(t.db, { pin_latitude: 39.74, pin_longitude: -104.99 + i / 100, pin_precision: 'premise' }),
      ),
    )
    for (const [i, at] of shops.entries()) {
      for (const letter of ['a', 'b', 'c', 'd']) await add(`${i}${letter}`, {}, {}, at)
    }
    const seen: string[] = []
    for (let path: string | null = '/api/products?near=39.74,-104.99&limit=2'; path; ) {
      const answer = await t.request('GET', path, shopper)
      seen.push(...(answer.json() as FoundProduct[]).map(({ product }) => product.name))
      path = nextPage(answer.headers.link as string | undefined)
    }
    const turn = (letters: string) => shops.flatMap((_, i) => [...letters].map((letter) => `${i}${letter}`))
    expect(seen).toEqual([...turn('abc'), ...turn('d')])
  })

  it('matches an in-memory sort for various words, filters and page sizes, even if some shops have no menu', async () => {
    const random = seededRandom(7)
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
    const stored: { name: string; text: string; shopNumber: number; id: string; inStock: boolean; isFresh: boolean; category: string }[] =
      []
    for (let shopNumber = 0; shopNumber < 24; shopNumber++) {
      const at = await addBusiness(t.db, { pin_latitude: 39.74, pin_longitude: -104.99 + shopNumber / 100, pin_precision: 'premise' })
      for (let i = pick([0, 0, 1, 4, 9]); i > 0; i--) {
        const [name, brand] = [`${pick(['Blue', 'Red'])} ${stored.length}`, pick(['Blue', 'Gold'])]
        const [inStock, isFresh, category] = [random() < 0.7, random() < 0.6, pick(['Flower', 'Vapes'] as const)]
        const text = `${name}\n${brand}`.toLowerCase()
        const confirmed = isFresh ? confirmed_at : '2026-11-10T12:00:00.000Z'
        const id = await add(name, { search_text: text, category, confirmed_at: confirmed }, { is_available: inStock }, at)
        stored.push({ name, text, shopNumber, id, inStock, isFresh, category })
      }
    }
    const expected = (word: string, category: string, onlyInStock: boolean) => {
      const turns = new Map<string, number>()
      return stored
        .filter((item) => item.text.includes(word) && (category === '' || item.category === category) && (item.inStock || !onlyInStock))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map((item) => {
          const tier = (item.inStock ? 0 : 4) + (item.name.toLowerCase().includes(word) ? 0 : 2) + (item.isFresh ? 0 : 1)
          const key = `${item.shopNumber} ${tier}`
          turns.set(key, (turns.get(key) ?? -1) + 1)
          return { ...item, order: [tier, Math.floor((turns.get(key) as number) / 3), item.shopNumber] }
        })
        .toSorted((one, other) => one.order.map((part, i) => part - (other.order[i] as number)).find((part) => part !== 0) ?? 0)
        .map(({ name }) => name)
    }
    for (const word of ['', 'blue', 'gold', 'green']) {
      for (const category of ['', 'Vapes']) {
        const [limit, inStock] = [pick([1, 2, 3, 7]), random() < 0.5]
        const query = new URLSearchParams({ near: '39.74,-104.99', limit: String(limit), q: word, ...(category && { category }) })
        if (inStock) query.set('inStock', 'true')
        const seen: string[] = []
        for (let path: string | null = `/api/products?${query}`; path; ) {
          const answer = await t.request('GET', path, shopper)
          seen.push(...(answer.json() as FoundProduct[]).map(({ product }) => product.name))
          path = nextPage(answer.headers.link as string | undefined)
        }
        expect(seen, query.toString()).toEqual(expected(word, category, inStock))
      }
    }
  })

  it('is by price, price per gram or potency, with ties at the same distance broken by license', async () => {
    const trusted = await addBusiness(t.db, { city: 'Denver', state: 'CO', ...licensed })
    const unknown = await addBusiness(t.db, { city: 'Denver', state: 'CO', license_standing: 'none' })
    await add('Ounce', { thc: 18, thc_unit: 'percent', cents_per_gram: 300 }, { price_cents: 8400 })
    await add('Gram', { thc: 30, thc_unit: 'percent', cents_per_gram: 1200 }, { price_cents: 1200 })
    await add('Candy', { thc: 100, thc_unit: 'mg' }, { price_cents: 600 }, unknown)
    await add('Sweet', { thc: 100, thc_unit: 'mg' }, { price_cents: 600 }, trusted)
    expect(await names('sort=price')).toEqual(['Sweet', 'Candy', 'Gram', 'Ounce'])
    expect(await names('sort=price_per_gram')).toEqual(['Ounce', 'Gram', 'Sweet', 'Candy'])
    expect(await names('sort=potency')).toEqual(['Gram', 'Ounce', 'Sweet', 'Candy'])
  })

  it.each(['nearest', 'price', 'price_per_gram', 'potency'])(
    'paginates without skipping or repeating items while others are added: %s',
    async (sort) => {
      const others = [shop, await addBusiness(t.db, { city: 'Denver' }), await addBusiness(t.db, { city: 'Aurora', state: 'CO' })]
      for (let i = 0; i < 31; i++) await add(`Item ${i}`, {}, { price_cents: 500 + (i % 4) * 100 }, others[i % 3])
      const seen: string[] = []
      for (let path: string | null = `/api/products?near=Denver, CO&limit=4&sort=${sort}`; path; ) {
        const answer = await t.request('GET', path, shopper)
        expect(answer.statusCode, answer.body).toBe(200)
        seen.push(...(answer.json() as FoundProduct[]).map(({ product }) => product.name))
        path = nextPage(answer.headers.link as string | undefined)
        await add('Later', {}, { price_cents: 10_000 })
        t.clock.advance({ seconds: 1 })
      }
      const first = seen.filter((name) => name !== 'Later')
      expect(first).toHaveLength(31)
      expect(new Set(first).size).toBe(31)
    },
  )

  it('refuses a forged cursor', async () => {
    expect((await search('cursor=abc')).statusCode).toBe(400)
    expect((await search(`cursor=${Buffer.from('["2026-11-24T18:00:00.000Z",1.5,0,0,0,"x"]').toString('base64url')}`)).statusCode).toBe(400)
  })
})

describe('a search', () => {
  it('hides items and shops that moderators hid, that closed, or whose license is inactive or missing', async () => {
    await add('Hidden', { moderation: 'hidden' })
    for (const details of [
      { moderation: 'hidden' as const },
      { closure: 'temporary' as const, closed_at: '2026-11-01T00:00:00Z', closed_by: 'owner' as const },
      { license_standing: 'inactive' as const },
      { license_standing: 'missing' as const },
    ]) {
      await add('Item', {}, {}, await addBusiness(t.db, { city: 'Denver', ...details }))
    }
    expect(await names()).toEqual([])
    expect(await counts('')).toMatchObject({ itemCount: 0, shopCount: 0, productAge: null })
    // The shop's owner doesn't find the item, either: a search shows what shoppers see.
    const owner = await addMember(t, shop, 'owner')
    expect(await names('', owner)).toEqual([])
  })

  it('hides a shop only from people who blocked it or whom it blocked', async () => {
    await add('Item')
    const blocker = await t.signUp()
    const blocked = await t.signUp()
    await t.db.insertInto('business_blocks').values({ user_id: blocker.user.id, business_id: shop.id }).execute()
    await t.db.insertInto('business_person_blocks').values({ business_id: shop.id, person_id: blocked.user.id }).execute()
    expect(await names('', blocker)).toEqual([])
    expect(await names('', blocked)).toEqual([])
    expect(await names()).toEqual(['Item'])
    expect(await counts('', blocked)).toMatchObject({ itemCount: 0, productAge: null })
  })

  it('explains to people who are too young why no items are shown, whatever they search for', async () => {
    await add('Item')
    for (const answer of [await search('', young), await count('', young), await search('q=nothing', young)]) {
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({
        code: 'age_restricted',
        message: 'You must be 21 or older to see products here. Colorado: Cannabis is legal for adult use from 21.',
      })
    }
  })

  it('shows no items to people who are too young, whatever time a cursor contains', async () => {
    await add('Item')
    const key = ['2036-01-01T00:00:00.000Z', 0, 0, 0, 0, shop.id]
    const cursor = Buffer.from(JSON.stringify(key)).toString('base64url')
    expect(await names(`cursor=${cursor}`)).toEqual(['Item'])
    expect(await names(`cursor=${cursor}`, young)).toEqual([])
  })

  it('refuses visitors, whose age is unknown', async () => {
    for (const answer of [await search('', null), await count('', null)]) expect(answer.statusCode).toBe(401)
  })

  it('states the minimum age of a nearby place if it hides items from the viewer', async () => {
    const open = await addBusiness(t.db, { city: 'Tulsa', state: 'OK' })
    const closed = await addBusiness(t.db, {
      city: 'Tulsa',
      state: 'MO',
      pin_latitude: 36.15,
      pin_longitude: -95.99,
      pin_precision: 'city',
    })
    await add('For 18', {}, {}, open)
    await add('For 21', {}, {}, closed)
    const answer = await t.request('GET', '/api/products?near=Tulsa, OK', young)
    expect((answer.json() as FoundProduct[]).map(({ product }) => product.name)).toEqual(['For 18'])
    const counted = (await t.request('GET', '/api/products/counts?near=Tulsa, OK', young)).json()
    expect(counted).toMatchObject({ itemCount: 1, shopCount: 1, productAge: 21, place: { label: 'Tulsa, OK', radiusMiles: 25 } })
    expect((await t.request('GET', '/api/products/counts?near=Tulsa, OK', shopper)).json()).toMatchObject({
      itemCount: 2,
      productAge: null,
    })
  })
})

describe('a deal', () => {
  it('requires an item on sale, in a place where prices may be advertised', async () => {
    const detroit = await addBusiness(t.db, { city: 'Detroit', state: 'MI' })
    for (const at of [shop, detroit]) {
      await add('Sale', { is_on_sale: true }, { price_cents: 2000, sale_price_cents: 1500 }, at)
      await add('Regular', {}, { price_cents: 2000 }, at)
    }
    expect(await names('onSale=true')).toEqual(['Sale'])
    expect((await found()).map(({ product, isDeal }) => [product.name, isDeal])).toEqual([
      ['Sale', true],
      ['Regular', false],
    ])
    const inDetroit = async (query: string) =>
      (await t.request('GET', `/api/products?near=Detroit, MI${query}`, shopper)).json() as FoundProduct[]
    expect(await inDetroit('&onSale=true')).toEqual([])
    expect((await inDetroit('')).map(({ isDeal }) => isDeal)).toEqual([false, false])
  })
})

it('counts matching items and the shops that have them', async () => {
  const other = await addBusiness(t.db, { city: 'Denver' })
  for (const at of [shop, shop, other]) await add('Dark Chocolate', {}, {}, at)
  await add('Gummies', {}, {}, other)
  expect(await counts('q=chocolate')).toEqual({
    itemCount: 3,
    shopCount: 2,
    place: { label: 'Denver, CO', radiusMiles: 25 },
    productAge: null,
  })
})
