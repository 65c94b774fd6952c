import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guardCell, unguardCell } from '#contracts/csv.ts'
import {
  emptyRow,
  emptyVariant,
  type ItemRow,
  type MenuRow,
  type StoredItem,
  type VariantRow,
  weightOf,
  withoutIdlePeriod,
} from '#server/features/menus/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { guessColumns } from './guess-columns.ts'
import { menuLines } from './index.ts'
import { planFile } from './plan-file.ts'
import { readMenuFile } from './read-menu-file.ts'

const nothingRefused = () => ({})

const cellsOf = async (text: string | Buffer) => {
  const { header, rows } = await readMenuFile(Buffer.from(text as string))
  return [header, ...rows.map((row) => row.cells)]
}

it('accepts commas, semicolons, tabs, and pipes as separators, reads CRLF and a byte order mark, and skips empty rows', async () => {
  const expected = [
    ['name', 'price'],
    ['Foo; bar', '1,5'],
    ['Joe "Bud" Shop', '2'],
  ]
  for (const [delimiter, first] of [
    [',', '"Foo; bar","1,5"'],
    [';', '"Foo; bar";1,5'],
    ['\t', 'Foo; bar\t1,5'],
    ['|', 'Foo; bar|1,5'],
  ] as const) {
    const lines = [`name${delimiter}price`, first, '', `Joe "Bud" Shop${delimiter}2`]
    expect(await cellsOf(lines.join('\n'))).toEqual(expected)
    expect(await cellsOf(`\uFEFF${lines.join('\r\n')}\r\n`)).toEqual(expected)
    expect(await cellsOf(Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le'))).toEqual(expected)
  }
})

it('finds the separator in the lines below a title with another separator', async () => {
  const lines = ['Star Buds POS export;generated 11/28/2026', 'Bud,Kind,Cost', 'Foo,Flower,35', 'Bar,Vapes,40']
  expect(await cellsOf(lines.join('\n'))).toEqual(lines.slice(1).map((line) => line.split(',')))
})

it('never splits a character at a chunk boundary', async () => {
  const name = `${'x'.repeat(64 * 1024 - 'name\n'.length - 1)}🌿`
  // Compared here, so that a failure doesn't print the whole string.
  expect((await cellsOf(`name\n${name}\n`))[1]?.[0] === name).toBe(true)
})

it('drops cells without a column and uses no memory for them', async () => {
  expect(await cellsOf('name,price\nA,1,x,y\nB\n,,z\nC,2')).toEqual([['name', 'price'], ['A', '1'], ['B'], ['C', '2']])
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  const commas = `x${','.repeat(199_000)}\n`
  const { rows } = await readMenuFile(Buffer.from(`name,price\n${commas.repeat(80)}`))
  expect(rows).toHaveLength(80)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
})

it('numbers rows like a spreadsheet', async () => {
  const { rows } = await readMenuFile(Buffer.from('name,about\nA,"two\nlines"\n,\n\nB,x\n'))
  expect(rows.map(({ row, cells }) => [row, cells[0]])).toEqual([
    [2, 'A'],
    [5, 'B'],
  ])
})

it('reads a file as Windows-1252 if it isn’t UTF-8', async () => {
  expect(await cellsOf(Buffer.from([...Buffer.from('name\nBouff'), 0xe9, 0x65, 0x92, 0x73]))).toEqual([['name'], ['Bouffée’s']])
})

it.each([
  ['', 'The file is empty.'],
  ['\n\n', 'The file is empty.'],
  ['name,price\n', 'The file has a header but no rows.'],
  ['\u00d0\u00cf\0\0', /can’t read this kind of file/],
  [Array.from({ length: 201 }, () => 'x').join(), /201 columns/],
  [`name\n${'x\n'.repeat(20_001)}`, /up to 20,000 rows/],
])('explains why a file can’t be read', async (text, reason) => {
  await expect(readMenuFile(Buffer.from(text))).rejects.toThrow(reason)
})

it('escapes formulas, and restores the original text when reading', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string().map((text) => `=${text}`),
    fc.constantFrom("'=1", "''+1", '-', '@x', "'tis", '\t=1', '=HYPERLINK("http://x")'),
  )
  fc.assert(
    fc.property(cell, (text) => {
      expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r]/)
      expect(unguardCell(guardCell(text))).toBe(text)
    }),
  )
})

const amount = fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map(Math.abs), { nil: null })
const text = (maxLength: number) =>
  fc.option(
    fc
      .oneof(fc.string({ maxLength, unit: 'binary' }), fc.constantFrom('=1+1', "'=x", 'a,b', '"', 'a;b', 'two\r\nlines', 'a\nb', '-', '\t'))
      .map(tidy),
    { nil: null },
  )
const tidy = (value: string) => value.replaceAll('\0', '').trim().slice(0, 80) || null
const cents = fc.integer({ min: 0, max: 99_999_999 })
const unit = fc.constantFrom('percent', 'mg', null)
const day = fc.option(fc.constantFrom('2000-01-01', '2026-12-24', '2028-02-29', '9999-12-31'), { nil: null })
const variant: fc.Arbitrary<VariantRow> = fc.record({
  id: fc.constant(''),
  sku: fc.constant(null),
  weight: fc.oneof(amount, fc.constantFrom(1, 3.5)),
  weight_unit: fc.constantFrom('g', 'oz', 'piece', null),
  price_cents: cents,
  sale_price_cents: fc.option(cents, { nil: null }),
  sale_starts_on: day,
  sale_ends_on: day,
  member_price_cents: fc.option(cents, { nil: null }),
  stock: amount,
  is_available: fc.boolean(),
  batch: text(20),
  external_id: fc.constant(null),
})
const item: fc.Arbitrary<MenuRow> = fc.record({
  id: fc.constant(''),
  name: fc.oneof(
    fc.constantFrom('Foo', 'foo', '+Foo'),
    fc.string({ minLength: 1, maxLength: 20 }).map((name) => tidy(name) ?? 'x'),
  ),
  category: fc.constantFrom('Flower', 'Pre-Rolls', 'Seeds & Clones', 'Other', null),
  subcategory: text(20),
  strain: text(20),
  strain_type: fc.constantFrom('indica', 'sativa', 'hybrid', null),
  brand: text(10),
  description: text(100),
  thc: amount,
  thc_max: amount,
  thc_unit: unit,
  cbd: amount,
  cbd_max: amount,
  cbd_unit: unit,
  certificate_id: fc.constant(null),
  image_id: fc.constant(null),
  external_id: fc.constant(null),
  picture_url: fc.constant(null),
  variants: fc.uniqueArray(variant, { minLength: 1, maxLength: 4, selector: weightOf }),
})

/** Corrects values that the database would refuse. */
const corrected = (row: MenuRow): MenuRow => ({
  ...row,
  thc_max: row.thc === null || (row.thc_max ?? 0) <= row.thc ? null : row.thc_max,
  cbd_max: row.cbd === null || (row.cbd_max ?? 0) <= row.cbd ? null : row.cbd_max,
  variants: row.variants.map((each) =>
    withoutIdlePeriod({
      ...each,
      // In a file, 0 means no sale price.
      sale_price_cents: (each.sale_price_cents ?? 0) < each.price_cents ? each.sale_price_cents || null : null,
      sale_ends_on: each.sale_starts_on !== null && (each.sale_ends_on ?? '') < each.sale_starts_on ? null : each.sale_ends_on,
      member_price_cents: each.member_price_cents === each.price_cents ? null : each.member_price_cents || null,
    }),
  ),
})

it('changes nothing when an exported menu is imported again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 15 }), fc.array(fc.boolean()), async (items, haveSkus) => {
      const menu: StoredItem[] = items.map(corrected).map((each, i) => ({
        ...each,
        id: newId(),
        version: 1,
        variants: each.variants.map((one, n) => ({ ...one, id: newId(), sku: haveSkus[i] ? `=SKU ${i} ${n}` : null })),
      }))
      const file = await readMenuFile(Buffer.from((await Array.fromAsync(menuLines([menu]))).join('')))
      const plan = await planFile(file, guessColumns(file.header), menu, nothingRefused)
      expect(plan.rows.map(({ placed }) => placed.effect)).toEqual(menu.flatMap(({ variants }) => variants.map(() => 'same')))
      expect(plan).toMatchObject({ added: [], changed: [] })
    }),
    { numRuns: 300 },
  )
})

const stored = (details: Partial<ItemRow>, ...variants: Partial<VariantRow>[]): StoredItem => ({
  ...emptyRow(newId()),
  version: 1,
  ...details,
  variants: (variants.length > 0 ? variants : [{}]).map((each) => ({ ...emptyVariant(newId()), price_cents: 100, ...each })),
})
async function planOf(lines: string[], menu: StoredItem[] = []) {
  const file = await readMenuFile(Buffer.from(lines.join('\n')))
  return planFile(file, guessColumns(file.header), menu, nothingRefused)
}
const effectsOf = async (lines: string[], menu: StoredItem[] = []) =>
  (await planOf(lines, menu)).rows.map(({ placed }) => placed.errors[0]?.message ?? placed.effect)
const sizesOf = ({ variants }: MenuRow) => variants.map(({ weight, price_cents }) => `${weight}: ${price_cents}`)

it('finds variants by SKU, or by name, brand, and weight', async () => {
  const menu = [
    stored({ name: 'Foo', brand: 'B' }, { weight: 1, weight_unit: 'g' }),
    stored({ name: 'Foo', brand: 'B' }, { weight: 3.5, weight_unit: 'g' }),
    stored({ name: 'Bar' }, { sku: 'S1' }),
  ]
  expect(await effectsOf(['name,brand,weight,price', 'FOO,b,3.5g,2', 'Foo,B,1 oz,2', 'Foo,B,1,1.00'], menu)).toEqual([
    'change',
    'add_variant',
    'same',
  ])
  expect(await effectsOf(['sku,name,price', 'S1,Renamed,1', 'S2,Bar,1', ',Bar,1'], menu)).toEqual(['change', 'add', 'add'])
  expect(await effectsOf(['sku,price', 'S1,1.00', 'S9,1'], menu)).toEqual(['same', 'Name is required'])
})

it('ends a sale entered here once the file’s price isn’t above it, unless the file has sale prices', async () => {
  const menu = [stored({ name: 'Foo' }, { price_cents: 3500, sale_price_cents: 2800, sale_ends_on: '2026-11-01' })]
  const { changed, rows } = await planOf(['name,price', 'Foo,28'], menu)
  expect(changed[0]?.after.variants).toMatchObject([{ price_cents: 2800, sale_price_cents: null, sale_ends_on: null }])
  expect(rows[0]?.read.notes).toEqual([{ field: 'salePrice', message: 'The sale’s price isn’t below the new price. We ended the sale.' }])
  expect((await planOf(['name,price', 'Foo,30'], menu)).changed[0]?.after.variants).toMatchObject([{ sale_price_cents: 2800 }])
  expect(await effectsOf(['name,price,sale price', 'Foo,20,28'], menu)).toEqual(['Must be below the price'])
})

it('combines rows with the same name, brand, and category but different weights into one item', async () => {
  const lines = [
    'name,brand,category,weight,price,description',
    'Foo,B,Flower,1g,12,First',
    'foo,b,Flower,1/8 oz,35,Second',
    'Foo,B,Pre-Rolls,1g,9,',
    'Foo,C,Flower,1g,10,',
    'Foo,B,Flower,1 oz,200,',
  ]
  const { added, rows } = await planOf(lines)
  expect(rows.map(({ placed }) => placed.effect)).toEqual(['add', 'add_variant', 'add', 'add', 'add_variant'])
  expect(added.map(sizesOf)).toEqual([['1: 1200', '3.5: 3500', '28: 20000'], ['1: 900'], ['1: 1000']])
  expect(added[0]).toMatchObject({ name: 'Foo', description: 'First' })
})

it('adds a new weight to an item on the menu and keeps its other variants', async () => {
  const item = stored({ name: 'Foo' }, { weight: 1, weight_unit: 'g' }, { weight: 7, weight_unit: 'g' })
  const { changed } = await planOf(['name,weight,price', 'Foo,3.5g,35'], [item])
  expect(changed.map(({ after }) => sizesOf(after))).toEqual([['1: 100', '7: 100', '3.5: 3500']])
  expect(changed[0]?.after.variants.slice(0, 2)).toEqual(item.variants)
})

it('keeps SKUs with the same name and weight separate', async () => {
  const lines = ['sku,name,weight,price', 'A1,Foo,1g,10', 'A2,Foo,1g,11', 'A3,Foo,3.5g,30']
  expect((await planOf(lines)).added.map(sizesOf)).toEqual([['1: 1000', '3.5: 3000'], ['1: 1100']])
})

it('lets rows swap weights, but refuses the same weight twice', async () => {
  const item = stored({ name: 'Foo' }, { sku: 'A', weight: 1, weight_unit: 'g' }, { sku: 'B', weight: 2, weight_unit: 'g' })
  expect(await effectsOf(['sku,weight', 'A,2g', 'B,1g'], [item])).toEqual(['change', 'change'])
  expect(await effectsOf(['sku,weight', 'A,2g'], [item])).toEqual(['Another size of this item has this weight'])
})

it('refuses a subscriber price above the price, but lets a price drop below the menu’s subscriber price', async () => {
  const item = stored({ name: 'Foo' }, { price_cents: 6000, member_price_cents: 5000 })
  expect(await effectsOf(['name,price,member price', 'Foo,60,70'], [item])).toEqual(['Must be below the price'])
  expect(await effectsOf(['name,price', 'Foo,45'], [item])).toEqual(['change'])
})

it('doesn’t rename an item because of a row with a refused weight', async () => {
  const sizes = ['A', 'B', 'C'].map((sku, i) => ({ sku, weight: i + 1, weight_unit: 'g' as const }))
  const item = stored({ name: 'Foo' }, ...sizes)
  const namesAfter = async (...rows: string[]) =>
    (await planOf(['sku,name,weight', ...rows], [item])).changed.map(({ after }) => after.name)
  expect(await namesAfter('A,Bar,2g')).toEqual([])
  expect(await namesAfter('A,Bar,2g', 'C,Baz,3g')).toEqual(['Baz'])
})

it('changes an item’s category only if the file has no such item in the old category', async () => {
  const menu = [stored({ name: 'Foo', category: 'Flower' }, { weight: 1, weight_unit: 'g' })]
  const [header, flower, roll] = ['name,category,weight,price', 'Foo,Flower,1g,1.00', 'Foo,Pre-Rolls,1g,1.00'] as const
  expect(await effectsOf([header, roll], menu)).toEqual(['change'])
  expect(await effectsOf([header, roll, flower], menu)).toEqual(['add', 'same'])
})

it('merges exact duplicates, and rejects a row that repeats another or can’t be stored', async () => {
  expect(await effectsOf(['sku,name,price', 'A,Foo,1', 'A,Foo,1', 'A,Bar,1', ',Baz,1', ',baz,2', ',Qux,'])).toEqual([
    'add',
    'same',
    'Row 2 has the same SKU',
    'add',
    'Row 5 is the same item',
    'Price is required',
  ])
  const menu = [stored({ name: 'Foo' })]
  expect(await effectsOf(['name,price', 'Foo,1', 'Foo,2'], menu)).toEqual(['same', 'Row 2 is the same item'])
  expect(await effectsOf(['name,price,thc', 'New,1,120%'])).toEqual(['At most 100 percent'])
  expect(await effectsOf(['name,price,sale price', 'New,10,12', 'Other,10,10'])).toEqual(['Must be below the price', 'add'])
})

it('refuses a 51st size', async () => {
  const lines = Array.from({ length: 51 }, (_, i) => `Foo,${i + 1}g,1`)
  expect((await effectsOf(['name,weight,price', ...lines])).at(-1)).toBe('An item can have up to 50 sizes')
})

it('reads stock and infers availability from it', async () => {
  const { added } = await planOf(['name,price,qty', 'A,1,12', 'B,1,47.5 g', 'C,1,In Stock', 'D,1,N', 'E,1,0'])
  const found = added.map(({ variants }) => [variants[0]?.stock, variants[0]?.is_available])
  expect(found).toEqual([
    [12, true],
    [47.5, true],
    [null, true],
    [null, false],
    [0, false],
  ])
})

it('reads a potency range, and fractions if the whole column has them', async () => {
  const potency = async (...lines: string[]) =>
    (await planOf(lines)).added.map(({ thc, thc_max, thc_unit, cbd }) => [thc, thc_max, thc_unit, cbd])
  expect(await potency('name,price,category,thc,cbd', 'A,1,Flower,18.2-24.1%,0.2', 'B,1,Flower,0.5,')).toEqual([
    [18.2, 24.1, 'percent', 0.2],
    [0.5, null, 'percent', null],
  ])
  expect(await potency('name,price,category,thc,cbd', 'A,1,Flower,0.234,0.001', 'B,1,Vapes,0.81,', 'C,1,Flower,0.2,')).toEqual([
    [23.4, null, 'percent', 0.1],
    [81, null, 'percent', null],
    [20, null, 'percent', null],
  ])
})

it('applies an older export’s single unit to both THC and CBD', async () => {
  const { added } = await planOf(['Name,Price,Member price,THC,CBD,Potency unit', 'A,10.00,8.00,5,10,mg'])
  expect(added[0]).toMatchObject({ thc_unit: 'mg', cbd_unit: 'mg', variants: [{ member_price_cents: 800, sale_price_cents: null }] })
})
