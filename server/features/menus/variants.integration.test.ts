import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { MenuItem, Product } from '#contracts/menus.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { moderatedProduct } from './product.moderated.ts'
import { getProduct } from './read-menu.ts'

let test: TestApp
let keeper: TestPerson
let shopper: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  shopper = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  keeper = await addMember(test, shop, 'owner')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
})

const path = (rest: string) => `/api/businesses/${shop.id}/${rest}`
const send = (body: object) => test.request('POST', path('menu-items'), keeper, body)
async function add(body: object): Promise<MenuItem> {
  const answer = await send(body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as MenuItem
}
const change = (item: MenuItem, fields: object) =>
  test.request('PATCH', path('menu-items'), keeper, { changes: [{ id: item.id, version: item.version, ...fields }] })
const products = async (query = '', as: TestPerson | null = shopper) =>
  (await test.request('GET', path(`products${query}`), as)).json() as Product[]
const gram = { weight: 1, weightUnit: 'g' }
const eighth = { weight: 3.5, weightUnit: 'g' }

describe('a menu item', () => {
  it('keeps its variants in order, and lets a change add, edit, remove, and reorder them', async () => {
    const item = await add({
      name: 'A',
      variants: [
        { ...gram, price: '12', sku: 'S1' },
        { ...eighth, price: '35', sku: 'S2', stock: 4 },
      ],
    })
    const [one, two] = item.variants
    expect(item.variants).toMatchObject([{ price: '12.00' }, { price: '35.00', stock: 4 }])
    // The last two swap SKUs and weights.
    const answer = await change(item, {
      variants: [
        { weight: 7, weightUnit: 'g', price: '60' },
        { id: two?.id, ...gram, sku: 'S1' },
        { id: one?.id, ...eighth, sku: 'S2' },
      ],
    })
    expect(answer.json()).toMatchObject([
      {
        version: 2,
        variants: [
          { weight: 7, price: '60.00', isAvailable: true },
          { id: two?.id, weight: 1, sku: 'S1', price: '35.00', stock: 4 },
          { id: one?.id, weight: 3.5, sku: 'S2', price: '12.00' },
        ],
      },
    ])
    const [changed] = answer.json() as [MenuItem]
    const removed = await change(changed, { variants: [{ id: one?.id }] })
    expect(removed.json()).toMatchObject([{ variants: [{ id: one?.id, price: '12.00' }] }])
    expect(await test.db.selectFrom('product_variants').select('id').where('business_id', '=', shop.id).execute()).toEqual([
      { id: one?.id },
    ])
  })

  it('can’t repeat a weight or a SKU, or have a sale price that isn’t below the price', async () => {
    const refused = await send({
      name: 'A',
      variants: [
        { ...gram, price: '12', sku: 'S1', salePrice: '12' },
        { ...gram, price: '10', sku: 'S1' },
      ],
    })
    expect(refused.json().fields).toEqual({
      'variants.0.salePrice': 'Must be below the price',
      'variants.0.sku': 'Another item or size on this menu has this SKU',
      'variants.1.sku': 'Another item or size on this menu has this SKU',
      'variants.1.weight': 'Another size of this item has this weight',
    })
  })

  it('has 1 to 50 variants', async () => {
    const sizes = (count: number) => ({
      name: 'A',
      variants: Array.from({ length: count }, (_, i) => ({ price: '1', weight: i, weightUnit: 'g' })),
    })
    expect((await send(sizes(0))).json().fields).toEqual({ variants: 'Add at least one size' })
    expect((await send(sizes(51))).json().fields).toEqual({ variants: 'At most 50 sizes' })
    const item = await add(sizes(50))
    expect(item.variants).toHaveLength(50)
    expect((await change(item, { variants: [] })).json().fields).toEqual({ 'changes.0.variants': 'Add at least one size' })
  })

  it('refuses a variant of another item, the same variant twice, or a new variant without a price', async () => {
    const [item, other] = [await add({ name: 'A', variants: [{ price: '1' }] }), await add({ name: 'B', variants: [{ price: '1' }] })]
    const [{ id } = { id: '' }] = item.variants
    const fields = async (...variants: object[]) => (await change(item, { variants })).json().fields
    expect(await fields({ id: other.variants[0]?.id, price: '9' })).toEqual({
      'changes.0.variants.0.id': 'This size is no longer on the menu',
    })
    expect(await fields({ id }, { id })).toEqual({ 'changes.0.variants.1.id': 'This size is listed twice' })
    expect(await fields({ id }, gram)).toEqual({ 'changes.0.variants.1.price': 'Price is required' })
    expect((await products()).map(({ price }) => price)).toEqual(['1.00', '1.00'])
  })

  it('is changed by only one of two concurrent edits, even if they change different sizes', async () => {
    const item = await add({
      name: 'A',
      variants: [
        { ...gram, price: '1' },
        { ...eighth, price: '3' },
      ],
    })
    const [one, two] = item.variants
    const answers = await Promise.all([
      change(item, { variants: [{ id: one?.id, price: '2' }, { id: two?.id }] }),
      change(item, { variants: [{ id: one?.id }, { id: two?.id, price: '4' }] }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('is confirmed only by a change of price or availability', async () => {
    const item = await add({ name: 'A', variants: [{ price: '1' }] })
    const [{ id } = { id: '' }] = item.variants
    test.clock.advance({ hours: 2 })
    const [moved] = (await change(item, { variants: [{ id, batch: 'L2' }] })).json() as [MenuItem]
    expect(moved.confirmedAt).toBe(item.confirmedAt)
    const [sold] = (await change(moved, { variants: [{ id, stock: 0 }] })).json() as [MenuItem]
    expect(Date.parse(sold.confirmedAt)).toBeGreaterThan(Date.parse(item.confirmedAt))
  })

  it('requires a potency range to begin no higher than it ends, and to end at 100 percent at most', async () => {
    const fields = async (potency: object) => (await send({ name: 'A', variants: [{ price: '1' }], ...potency })).json().fields
    expect(await fields({ thc: 20, thcMax: 18, thcUnit: 'percent', cbdMax: 1 })).toEqual({
      thcMax: 'Can’t be below the lowest value',
      cbd: 'Enter the lowest value, too',
    })
    expect(await fields({ thc: 20, thcMax: 101, thcUnit: 'percent', cbd: 150, cbdUnit: 'mg' })).toEqual({ thcMax: 'At most 100 percent' })
  })

  it('requires a subscriber price below the price, except where the stored one already isn’t', async () => {
    const wrong = { price: '60', memberPrice: '70' }
    const refused = (await send({ name: 'A', variants: [wrong] })).json().fields
    expect(refused).toEqual({ 'variants.0.memberPrice': 'Must be below the price' })
    const item = await add({ name: 'A', variants: [{ ...wrong, memberPrice: '50' }] })
    const [{ id } = { id: '' }] = item.variants
    const lowered = (await change(item, { variants: [{ id, price: '50' }] })).json().fields
    expect(lowered).toEqual({ 'changes.0.variants.0.memberPrice': 'Must be below the price' })
    await test.db.updateTable('product_variants').set({ member_price_cents: 7000 }).where('id', '=', id).execute()
    expect((await change(item, { variants: [{ id, ...wrong, batch: 'L2' }] })).statusCode).toBe(200)
  })

  it('requires a unit of potency, except where the stored value lacks one', async () => {
    const potency = { thc: 20, thcMax: 24 }
    const refused = await send({ name: 'A', variants: [{ price: '1' }], ...potency })
    expect(refused.json().fields).toEqual({ thcUnit: 'Choose % or mg' })
    const item = await add({ name: 'A', variants: [{ price: '1' }], ...potency, thcUnit: 'percent' })
    await test.db.updateTable('products').set({ thc_unit: null }).where('id', '=', item.id).execute()
    const [renamed] = (await change(item, { name: 'B', ...potency, thcUnit: null })).json() as [MenuItem]
    expect(renamed).toMatchObject({ name: 'B', thc: 20, thcUnit: null })
    expect((await change(renamed, { thc: 21 })).json().fields).toEqual({ 'changes.0.thcUnit': 'Choose % or mg' })
  })
})

describe('the shoppers’ view', () => {
  it('shows the lowest current price, including sales, and only roughly how much is left', async () => {
    await add({
      name: 'A',
      variants: [
        { ...gram, price: '12', salePrice: '9', memberPrice: '10', stock: 3 },
        { ...eighth, price: '35', memberPrice: '30', stock: 40 },
        { weight: 7, weightUnit: 'g', price: '5', stock: 0 },
      ],
    })
    const [item] = await products()
    expect(item).toMatchObject({
      price: '9.00',
      isAvailable: true,
      isOnSale: true,
      hasMemberPrices: false,
      variants: [
        // The sale is better than the subscriber price.
        { price: '12.00', salePrice: '9.00', memberPrice: null, isAvailable: true, isLow: true },
        { price: '35.00', salePrice: null, memberPrice: '30.00', isAvailable: true, isLow: false },
        { price: '5.00', isAvailable: false, isLow: false },
      ],
    })
    for (const hidden of ['stock', 'sku']) expect(item?.variants[0]).not.toHaveProperty(hidden)
  })

  it('shows a location’s own sizes, prices, and sales', async () => {
    const body = { name: 'North', location: 'Boulder, CO', timeZone: 'America/Denver' }
    const locationId = (await test.request('POST', path('locations'), keeper, body)).json().id
    const offered = (offer: object) => [{ locationId, ...offer }]
    await add({ name: 'Gone', variants: [{ price: '1', offers: offered({ isOffered: false }) }] })
    await add({
      name: 'Here',
      variants: [
        { ...gram, price: '12', salePrice: '9', offers: offered({ price: '14' }) },
        { ...eighth, price: '35', offers: offered({ salePrice: '8' }) },
        { weight: 7, weightUnit: 'g', price: '2', offers: offered({ isOffered: false }) },
      ],
    })
    await add({ name: 'Same', variants: [{ price: '10' }] })
    const sorted = async (query: string) => (await products(query)).map(({ name, price }) => `${name} ${price}`)
    expect(await sorted('?sort=price')).toEqual(['Gone 1.00', 'Here 2.00', 'Same 10.00'])
    expect(await sorted(`?sort=price&location=${locationId}`)).toEqual(['Here 8.00', 'Same 10.00'])
    expect(await sorted(`?onSale=true&location=${locationId}`)).toEqual(['Here 8.00'])
    const [here] = await products(`?location=${locationId}`)
    expect(here?.variants).toMatchObject([
      { price: '14.00', salePrice: null },
      { price: '35.00', salePrice: '8.00' },
    ])
    const refused = { name: 'X', variants: [{ price: '5', offers: offered({ salePrice: '5' }) }] }
    expect((await send(refused)).json().fields).toEqual({ 'variants.0.offers.0.salePrice': 'Must be below the price' })
  })

  describe('sorted and filtered', () => {
    const potent = (thc: number | null, thcUnit: string | null, thcMax: number | null = null) => ({ thc, thcMax, thcUnit })
    beforeEach(async () => {
      const cheap = { ...potent(18, 'percent', 24), strainType: 'indica', category: 'Flower' }
      await add({
        name: 'Bulk',
        ...cheap,
        variants: [
          { ...gram, price: '12' },
          { weight: 3.5, weightUnit: 'g', price: '24' },
          { weight: 1, weightUnit: 'oz', price: '140' },
        ],
      })
      const mids = { ...potent(23, 'percent'), category: 'Flower' }
      await add({
        name: 'Mids',
        ...mids,
        variants: [
          { ...gram, price: '8', salePrice: '7' },
          { weight: 3.5, weightUnit: 'g', price: '20', isAvailable: false },
          { weight: 0.125, weightUnit: 'oz', price: '26' },
        ],
      })
      await add({ name: 'Out', strainType: 'sativa', variants: [{ ...gram, price: '3', isAvailable: false }] })
      await add({ name: 'Bar', ...potent(100, 'mg'), category: 'Edibles', variants: [{ weight: 10, weightUnit: 'piece', price: '20' }] })
    })

    it.each([
      ['', ['Bulk', 'Mids', 'Bar', 'Out']],
      ['sort=price', ['Out', 'Mids', 'Bulk', 'Bar']],
      ['sort=eighth', ['Bulk', 'Mids', 'Bar', 'Out']],
      ['sort=price_per_gram', ['Out', 'Bulk', 'Mids', 'Bar']],
      ['sort=potency', ['Bulk', 'Mids', 'Bar', 'Out']],
      ['inStock=true&sort=price', ['Mids', 'Bulk', 'Bar']],
      ['onSale=true', ['Mids']],
      ['strainType=indica', ['Bulk']],
      ['maxPrice=7.00&sort=price', ['Out', 'Mids']],
      ['minThc=23.5', ['Bulk']],
      ['minThc=0&category=Edibles', []],
      ['q=mids&sort=potency', ['Mids']],
    ])('by ?%s', async (query, names) => {
      expect((await products(`?${query}`)).map(({ name }) => name)).toEqual(names)
      const paged: string[] = []
      for (let url: string | null = path(`products?${query}&limit=1`); url !== null; ) {
        const answer = await test.request('GET', url, shopper)
        paged.push(...(answer.json() as Product[]).map(({ name }) => name))
        url = nextPage(answer.headers.link as string | undefined)
      }
      expect(paged).toEqual(names)
    })

    it('by price per gram, without counting the fluid ounces of drinks as a weight', async () => {
      const soda = await add({ name: 'Soda', category: 'Drinks', variants: [{ weight: 12, weightUnit: 'oz', price: '8' }] })
      const order = async () => (await products('?sort=price_per_gram')).map(({ name }) => name)
      expect(await order()).toEqual(['Out', 'Bulk', 'Mids', 'Bar', 'Soda'])
      await change(soda, { category: 'Other' })
      expect(await order()).toEqual(['Soda', 'Out', 'Bulk', 'Mids', 'Bar'])
    })

    it('applies the maximum price to prices with tax', async () => {
      await test.request('PUT', path('menu-settings'), keeper, { currency: 'USD', taxRate: 10, pricesIncludeTax: false })
      const names = async (maxPrice: string) => (await products(`?maxPrice=${maxPrice}`)).map(({ name, price }) => `${name} ${price}`)
      expect(await names('7.70')).toEqual(['Mids 7.70', 'Out 3.30'])
      expect(await names('7.69')).toEqual(['Out 3.30'])
    })

    it('counts the items for each filter', async () => {
      expect((await test.request('GET', path('menu'), shopper)).json()).toMatchObject({
        itemCount: 4,
        strainTypes: expect.arrayContaining([
          { strainType: 'indica', itemCount: 1 },
          { strainType: 'sativa', itemCount: 1 },
        ]),
        inStockCount: 3,
        onSaleCount: 1,
      })
    })
  })
})

it('accepts the longest words and SKUs despite the size limit on index entries', async () => {
  // The text is incompressible and has as many bytes per character as possible.
  const wide = (length: number) => Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join('')
  const [long, brand] = [wide(50), wide(60)]
  const { id } = await add({
    ...{ name: long + long, brand: brand, strain: brand, subcategory: wide(40) },
    variants: Array.from({ length: 50 }, (_, i) => ({ price: '1', weight: i + 1, weightUnit: 'g', sku: `${wide(35)}${i}` })),
  })
  expect((await test.request('GET', `/api/products/${id}`, shopper)).json().product.name).toBe(long + long)
})

describe('an item’s page', () => {
  it('has the item, its business, and the distance to it', async () => {
    const { id } = await add({ name: 'A', variants: [{ price: '1' }] })
    const answer = await test.request('GET', `/api/products/${id}?near=Boulder, CO`, shopper)
    expect(answer.json()).toMatchObject({ product: { id, name: 'A' }, business: { id: shop.id, distanceMiles: expect.any(Number) } })
    expect((await test.request('GET', `/api/products/${id}`, shopper)).json().business.distanceMiles).toBeNull()
  })

  it('links to its strain’s page, filtered to nearby businesses, if the strain is listed', async () => {
    await test.db.updateTable('businesses').set({ city: 'Denver', state: 'CO' }).where('id', '=', shop.id).execute()
    const pathOf = async (strain?: string) => {
      const { id } = await add({ name: 'A', strain, variants: [{ price: '1' }] })
      return (await test.request('GET', `/api/products/${id}`, shopper)).json().strainPath
    }
    expect(await pathOf('blue dream')).toBe('/strains/blue-dream?near=Denver%2C+CO')
    expect([await pathOf('My Own Backyard Cross'), await pathOf()]).toEqual([null, null])
  })

  it('is shown to people of legal age, or only to the team if the business is hidden, and never for a missing item or location', async () => {
    const { id } = await add({ name: 'A', variants: [{ price: '1' }] })
    const young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 19}-01-01` })
    const status = async (as: TestPerson | null, address = id) => (await test.request('GET', `/api/products/${address}`, as)).statusCode
    expect([await status(keeper), await status(shopper), await status(young), await status(null)]).toEqual([200, 200, 403, 403])
    expect([await status(shopper, newId()), await status(shopper, `${id}?location=${newId()}`)]).toEqual([404, 404])
    await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', shop.id).execute()
    expect([await status(keeper), await status(shopper), await status(young)]).toEqual([200, 404, 404])
  })

  it('reports an outage instead of a missing item', async () => {
    const { id } = await add({ name: 'A', variants: [{ price: '1' }] })
    const outage = test.db.transaction().execute(async (tx) => {
      await sql`alter table businesses rename to businesses_elsewhere`.execute(tx)
      await getProduct({ db: tx, clock: test.clock }, null, id, {})
    })
    await expect(outage).rejects.toThrow('relation "businesses" does not exist')
  })

  it('can be reported by others, and a decision hides it from everyone but its editors', async () => {
    const { id } = await add({ name: 'Quokka', variants: [{ price: '1' }] })
    const report = { subject: 'product', subjectId: id, reason: 'spam' }
    expect((await test.request('POST', '/api/reports', keeper, report)).statusCode).toBe(403)
    const reported = await test.request('POST', '/api/reports', shopper, report)
    expect(reported.statusCode, reported.body).toBeLessThan(300)
    const opened = await test.db.selectFrom('moderation_cases').select(['user_id']).where('subject_id', '=', id).execute()
    expect(opened).toEqual([{ user_id: keeper.user.id }])

    await inTransaction(test.db, (tx) => moderatedProduct.set(tx, test.ctx, id, 'hidden'))
    expect((await test.request('GET', `/api/products/${id}`, shopper)).statusCode).toBe(404)
    expect(await products()).toEqual([])
    expect((await test.request('GET', path('menu'), shopper)).json()).toMatchObject({ itemCount: 0 })
    expect((await test.request('GET', `/api/businesses/${shop.id}`, shopper)).json()).toMatchObject({ menuConfirmedAt: null })
    expect((await test.request('GET', path('menu-items'), keeper)).json()).toMatchObject([{ id }])
    expect((await test.request('POST', '/api/reports', shopper, report)).statusCode).toBe(404)
    await inTransaction(test.db, (tx) => moderatedProduct.set(tx, test.ctx, id, null))
    expect(await products()).toHaveLength(1)
  })

  it('is still open to people whom the business blocked, like its menu', async () => {
    const { id } = await add({ name: 'A', variants: [{ price: '1' }] })
    const blocked = await test.signUp()
    await test.db.insertInto('business_blocks').values({ business_id: shop.id, user_id: blocked.user.id }).execute()
    expect((await test.request('GET', `/api/products/${id}`, blocked)).statusCode).toBe(200)
    expect(await products('', blocked)).toHaveLength(1)
  })
})
