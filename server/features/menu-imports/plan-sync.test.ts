import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MenuRow, StoredItem } from '#server/features/menus/index.ts'
import { planSync, type SyncPlan } from './plan-sync.ts'

const room = { left: 1000, message: 'The menu is full.' }
const allowed = () => ({})

const plan = (menu: readonly StoredItem[], items: readonly unknown[], kind: 'full_sync' | 'update' = 'full_sync', left = room.left) =>
  planSync({ kind, items, menu, refusedIn: allowed, room: { ...room, left } })

const stored = (row: MenuRow): StoredItem => ({ ...row, version: 1 })

function applied(menu: readonly StoredItem[], { added, changed, missing }: SyncPlan): StoredItem[] {
  const after = new Map([...changed, ...missing].map((each) => [each.before.id, each.after]))
  return [...menu.map((item) => stored(after.get(item.id) ?? item)), ...added.map(stored)]
}
const sync = async (menu: readonly StoredItem[], items: readonly unknown[], kind: 'full_sync' | 'update' = 'full_sync') =>
  applied(menu, await plan(menu, items, kind))

const flower = {
  id: 17,
  name: 'Blue Dream',
  type: 'flower',
  brand: 'North Field',
  strainType: 'Sativa-dominant hybrid',
  cannabinoids: [
    { name: 'THC', min: 18.2, max: 24.1, unit: '%' },
    { name: 'CBG', min: 1 },
  ],
  variants: [
    { id: 'a', size: '1/8', unit: 'oz', price: 35, salePrice: '30.00', inventory: 12, batch: 'B-1' },
    { id: 'b', size: 7, unit: 'g', price: '60', inventory: 0 },
  ],
  somethingNew: { ignored: true },
}
const added = async (item: object) => {
  const result = await plan([], [item])
  expect(result.errors).toEqual([])
  return result.added[0] as MenuRow
}
const errorsOf = async (item: unknown) => (await plan([], [item])).errors.map(({ field, message }) => `${field}: ${message}`)

describe('an item from a point of sale', () => {
  it('is read with its variants and without unknown fields', async () => {
    expect(await added(flower)).toMatchObject({
      external_id: '17',
      ...{ name: 'Blue Dream', category: 'Flower', brand: 'North Field', strain_type: 'hybrid' },
      ...{ thc: 18.2, thc_max: 24.1, thc_unit: 'percent', cbd: null },
      variants: [
        { external_id: 'a', weight: 3.5, weight_unit: 'g', price_cents: 3500, sale_price_cents: 3000, stock: 12, is_available: true },
        { external_id: 'b', weight: 7, weight_unit: 'g', price_cents: 6000, sale_price_cents: null, stock: 0, is_available: false },
      ],
    })
  })

  it('stores the days of a sale, and removes them with the sale price', async () => {
    const sized = (variant: object) => ({ ...flower, variants: [{ id: 'a', price: 20, ...variant }] })
    const item = await added(sized({ salePrice: 15, saleStarts: '2026-12-01', saleEnds: '2026-12-24T00:00:00Z' }))
    expect(item.variants[0]).toMatchObject({ sale_price_cents: 1500, sale_starts_on: '2026-12-01', sale_ends_on: '2026-12-24' })
    const { changed } = await plan([{ ...item, version: 1 }], [sized({ salePrice: null })])
    expect(changed[0]?.after.variants[0]).toMatchObject({ sale_price_cents: null, sale_starts_on: null, sale_ends_on: null })
    expect(await errorsOf(sized({ salePrice: 15, saleEnds: 'Christmas' }))).toEqual([
      'variants.0.saleEnds: Enter a date such as 2026-12-24',
    ])
    expect(await errorsOf(sized({ saleEnds: '2026-12-24' }))).toEqual(['variants.0.salePrice: Enter the price during the sale'])
  })

  it.each(['20.00', '0.00', 0])('has no sale if its price is 20.00 and its sale price %s', async (salePrice) => {
    const item = await added({ ...flower, variants: [{ id: 1, price: 20, salePrice }] })
    expect(item.variants[0]?.sale_price_cents).toBeNull()
  })

  it.each([
    ['a number instead of an item', 5, 'null: Must be an object'],
    ['no ID', { name: 'A', variants: [{ id: 1, price: 1 }] }, 'id: Send the ID from your point of sale'],
    ['no name', { id: 1, variants: [{ id: 1, price: 1 }] }, 'name: Name is required'],
    ['an empty name', { id: 1, name: ' ', variants: [{ id: 1, price: 1 }] }, 'name: Name is required'],
    ['no variants', { id: 1, name: 'A' }, 'variants: Send at least one variant with a price'],
    ['no price', { id: 1, name: 'A', variants: [{ id: 1 }] }, 'variants.0.price: Price is required'],
    [
      'an unknown size',
      { id: 1, name: 'A', variants: [{ id: 1, price: 1, size: 'big' }] },
      'variants.0.size: Must be a weight such as 3.5 g',
    ],
    ['a list as its brand', { id: 1, name: 'A', brand: [], variants: [{ id: 1, price: 1 }] }, 'brand: Must be text or a number'],
    [
      'a sale price above the price',
      { id: 1, name: 'A', variants: [{ id: 1, price: 1, salePrice: 2 }] },
      'variants.0.salePrice: Must be below the price',
    ],
    [
      'two variants of one size',
      {
        id: 1,
        name: 'A',
        variants: [
          { id: 1, price: 1 },
          { id: 2, price: 2 },
        ],
      },
      'variants.1.size: Another size of this item has this weight',
    ],
    [
      'two variants with one ID',
      {
        id: 1,
        name: 'A',
        variants: [
          { id: 1, price: 1, size: '1g' },
          { id: '1', price: 2, size: '2g' },
        ],
      },
      'variants.1.id: Another variant has this ID',
    ],
    [
      'more than 100 percent',
      { id: 1, name: 'A', cannabinoids: [{ name: 'THC', min: 180, unit: '%' }], variants: [{ id: 1, price: 1 }] },
      'cannabinoids: At most 100 percent',
    ],
  ])('is rejected with %s', async (_what, item, error) => {
    expect(await errorsOf(item)).toEqual([error])
  })

  it('ends a sale entered here once its new price isn’t above the sale price, unless it includes a sale price', async () => {
    const [before] = await sync([], [{ ...flower, variants: [{ id: 'a', price: 35, salePrice: 28, saleEnds: '2026-11-01' }] }])
    const priced = (price: number, more = {}) => plan([before!], [{ id: 17, variants: [{ id: 'a', price, ...more }] }])
    const saleOf = ({ changed }: SyncPlan) =>
      changed[0]?.after.variants.map((each) => [each.price_cents, each.sale_price_cents, each.sale_ends_on])
    expect(saleOf(await priced(30))).toEqual([[3000, 2800, '2026-11-01']])
    expect(saleOf(await priced(28))).toEqual([[2800, null, null]])
    expect((await priced(25, { salePrice: 28 })).errors).toMatchObject([{ field: 'variants.0.salePrice' }])
  })

  it('is back in stock once it is active or on the complete menu again, even without variants', async () => {
    const out = await sync(await sync([], [flower]), [{ id: 17, isActive: false }], 'update')
    const stockOf = async (item: object, kind: 'full_sync' | 'update') =>
      (await sync(out, [item], kind))[0]?.variants.map(({ is_available }) => is_available)
    expect(await stockOf({ id: 17, name: 'Renamed' }, 'update')).toEqual([false, false])
    expect(await stockOf({ id: 17, isActive: true }, 'update')).toEqual([true, false])
    expect(await stockOf({ id: 17 }, 'full_sync')).toEqual([true, false])
  })

  it('isn’t added while inactive, and goes out of stock when it becomes inactive', async () => {
    expect((await plan([], [{ ...flower, isActive: false }])).added).toEqual([])
    const [item] = await sync(await sync([], [flower]), [{ ...flower, isActive: false }])
    expect(item?.variants.map(({ is_available }) => is_available)).toEqual([false, false])
  })
})

describe('a sync', () => {
  const other = { ...flower, id: '18', name: 'Sour Diesel' }

  it('matches items by their ID and never by their name', async () => {
    const menu = await sync([], [flower])
    const result = await plan(menu, [
      { ...flower, name: 'Dream, Blue' },
      { ...flower, id: 19 },
    ])
    expect(result).toMatchObject({ changed: [{ after: { id: menu[0]?.id, name: 'Dream, Blue' } }], added: [{ external_id: '19' }] })
  })

  it('adopts an item whose SKU is the ID of a variant', async () => {
    const [first] = await sync([], [flower])
    const byHand = { ...(first as StoredItem), external_id: null }
    byHand.variants = byHand.variants.map((variant) => ({
      ...variant,
      sku: variant.external_id,
      external_id: null,
      member_price_cents: 100,
    }))
    const result = await plan([byHand], [flower])
    expect(result.added).toEqual([])
    expect(result.changed[0]?.after).toMatchObject({ id: byHand.id, external_id: '17' })
    expect(result.changed[0]?.after.variants.map(({ id, member_price_cents }) => [id, member_price_cents])).toEqual(
      byHand.variants.map(({ id }) => [id, 100]),
    )
  })

  it('marks missing items out of stock, unless only some items are sent', async () => {
    const menu = await sync([], [flower, other])
    const full = await plan(menu, [flower])
    expect(full.missing.map(({ after }) => [after.name, after.variants.some(({ is_available }) => is_available)])).toEqual([
      ['Sour Diesel', false],
    ])
    expect((await plan(applied(menu, full), [flower])).missing).toEqual([])
    expect((await plan(menu, [flower], 'update')).missing).toEqual([])
  })

  it('changes nothing about items that were added manually', async () => {
    const [first, second] = (await sync([], [flower, other])) as [StoredItem, StoredItem]
    const shirt = { ...second, external_id: null, name: 'Shirt' }
    expect((await plan([first, shirt], [flower])).missing).toEqual([])
  })

  it('leaves a rejected item as it is and applies the rest', async () => {
    const menu = await sync([], [flower, other])
    const result = await plan(menu, [
      { ...flower, name: '' },
      { ...other, brand: 'South Field' },
    ])
    expect(result).toMatchObject({ rejectedCount: 1, missing: [], changed: [{ after: { brand: 'South Field' } }] })
    expect(result.errors).toEqual([{ index: 0, id: '17', field: 'name', message: 'Name is required' }])
  })

  it('merges exact repeats and rejects different items with one ID', async () => {
    expect(await plan([], [flower, { ...flower }])).toMatchObject({ added: [{ external_id: '17' }], rejectedCount: 0 })
    const result = await plan(await sync([], [flower]), [flower, { ...flower, name: 'Red Dream' }])
    expect(result).toMatchObject({ rejectedCount: 2, changed: [], missing: [] })
    expect(result.errors.map(({ index }) => index)).toEqual([0, 1])
  })

  it('rejects items that the business’s plan has no room for', async () => {
    const result = await plan([], [flower, other], 'full_sync', 1)
    expect(result.added.map(({ external_id }) => external_id)).toEqual(['17'])
    expect(result.errors).toEqual([{ index: 1, id: '18', field: null, message: 'The menu is full.' }])
  })

  it('leaves omitted fields alone and clears fields that are null', async () => {
    const menu = await sync([], [flower])
    const [item] = await sync(menu, [{ id: 17, brand: null }], 'update')
    expect(item).toMatchObject({ name: 'Blue Dream', brand: null, thc: 18.2 })
    expect(item?.variants).toEqual(menu[0]?.variants)
  })

  it('confirms an item whose name and ID were cut off in the middle of an emoji', async () => {
    const item = { ...flower, id: 'a\ud83c', name: 'Blue Dream \ud83c' }
    const menu = await sync([], [item])
    expect(menu).toMatchObject([{ external_id: 'a\ufffd', name: 'Blue Dream \ufffd' }])
    expect(await plan(menu, [item])).toMatchObject({ added: [], changed: [], missing: [], confirmed: [menu[0]?.id] })
  })

  it('removes variants that are no longer listed', async () => {
    const menu = await sync([], [flower])
    const [item] = await sync(menu, [{ id: 17, variants: flower.variants.slice(1) }], 'update')
    expect(item?.variants).toEqual(menu[0]?.variants.slice(1))
  })
})

const sizes = ['1g', '3.5g', '7g', '14g']
const sentItem = (id: number) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constantFrom('Foo', 'Bar', 'Foo Bar'),
    type: fc.constantFrom('Flower', 'Edibles', 'Hats', null),
    brand: fc.constantFrom('North', 'South', null),
    strain: fc.constantFrom('Foo', null),
    strainType: fc.constantFrom('indica', 'H', null),
    description: fc.constantFrom('Fine', null),
    isActive: fc.boolean(),
    cannabinoids: fc.constantFrom([], [{ name: 'THC', min: 20, unit: '%' }]),
    variants: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }).chain((indexes) =>
      fc.tuple(
        ...indexes.map((i) =>
          fc.record({
            id: fc.constant(`v${i}`),
            size: fc.constant(sizes[i]),
            price: fc.integer({ min: 2, max: 90 }),
            salePrice: fc.constantFrom(null, 1),
            inventory: fc.nat({ max: 3 }),
            batch: fc.constantFrom('B', null),
          }),
        ),
      ),
    ),
  })
const itemIds = [1, 2, 3, 4, 5]
const sentMenu = fc.tuple(...itemIds.map(sentItem)).chain((items) => fc.shuffledSubarray([...items]))

/** The menu that shoppers could see, without IDs. Omits items that aren't for sale, because an earlier call may have left them. */
const visible = (menu: readonly StoredItem[]) =>
  menu
    .filter(({ variants }) => variants.some(({ is_available }) => is_available))
    .map(({ id: _, version: __, variants, ...item }) => ({ ...item, variants: variants.map(({ id: ___, ...variant }) => variant) }))
    .sort((one, other) => ((one.external_id ?? '') < (other.external_id ?? '') ? -1 : 1))

it('ends with the same menu after 10,000 syncs, no matter which earlier ones were repeated, reordered, or cut off', {
  timeout: 120_000,
}, async () => {
  const call = fc.record({
    kind: fc.constantFrom('full_sync' as const, 'update' as const),
    items: sentMenu,
    // `lost` is cut off before it is applied, and given up; `cut off` is repeated; `unanswered` is applied, loses its response, and is
    // repeated.
    end: fc.constantFrom('whole', 'lost', 'cut off', 'unanswered'),
  })
  let syncs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 6 }), sentMenu, fc.nat(), async (calls, last, turn) => {
      let menu: StoredItem[] = []
      for (const { kind, items, end } of calls) {
        const next = await sync(menu, items, kind)
        // A call that is cut off is rolled back.
        if (end === 'whole') menu = next
        if (end === 'cut off') menu = await sync(menu, items, kind)
        if (end === 'unanswered') menu = await sync(next, items, kind)
        syncs += end === 'whole' || end === 'lost' ? 1 : 2
      }
      menu = await sync(menu, last)
      syncs += 2
      expect(visible(menu)).toEqual(visible(await sync([], last)))
      const at = turn % (last.length + 1)
      const again = await plan(menu, [...last.slice(at), ...last.slice(0, at)])
      expect([again.added, again.changed, again.missing, again.errors]).toEqual([[], [], [], []])
    }),
    { numRuns: 1700 },
  )
  expect(syncs).toBeGreaterThan(10_000)
})
