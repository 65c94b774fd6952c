import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guardCell, unguardCell } from '#contracts/csv.ts'
import { emptyRow, type ItemRow, itemColumns, type StoredItem } from '#server/features/menus/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { planFile } from './check-file.ts'
import { menuLines } from './index.ts'
import { readMenuFile } from './read-menu-file.ts'
import { guessColumns } from './send-file.ts'

const nothingRefused = () => ({})

const cellsOf = async (text: string | Buffer) => {
  const { header, rows } = await readMenuFile(Buffer.from(text as string))
  return [header, ...rows.map((row) => row.cells)]
}

it('reads commas, semicolons, tabs, and bars, CRLF, and a byte order mark, and skips empty rows', async () => {
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

it('never splits a character at a chunk boundary', async () => {
  const name = `${'x'.repeat(64 * 1024 - 'name\n'.length - 1)}🌿`
  // Compared here, so that a failure doesn't print the whole string.
  expect((await cellsOf(`name\n${name}\n`))[1]?.[0] === name).toBe(true)
})

it('drops cells without a column and reads no further', async () => {
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

it('counts rows like a spreadsheet', async () => {
  const { rows } = await readMenuFile(Buffer.from('name,about\nA,"two\nlines"\n,\n\nB,x\n'))
  expect(rows.map(({ row, cells }) => [row, cells[0]])).toEqual([
    [2, 'A'],
    [5, 'B'],
  ])
})

it('reads Windows-1252 if it is not UTF-8', async () => {
  expect(await cellsOf(Buffer.from([...Buffer.from('name\nBouff'), 0xe9, 0x65, 0x92, 0x73]))).toEqual([['name'], ['Bouffée’s']])
})

it.each([
  ['', 'The file is empty.'],
  ['\n\n', 'The file is empty.'],
  ['name,price\n', 'The file has a header and no rows.'],
  ['name\n"open\nfor ever', /quote is opened.*never closed/],
  [`name\n"${'x'.repeat(300_000)}\n`, /quote is opened.*never closed/],
  ['PK\u0003\u0004\0\0', /can't read Excel files/],
  [Array.from({ length: 201 }, () => 'x').join(), /201 columns/],
  [`name\n${'x\n'.repeat(50_001)}`, /up to 50000 rows/],
])('says why it can’t be read', async (text, reason) => {
  await expect(readMenuFile(Buffer.from(text))).rejects.toThrow(reason)
})

it('escapes formulas and reads its own output back', () => {
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
const item: fc.Arbitrary<ItemRow> = fc.record({
  id: fc.constant(''),
  name: fc.oneof(
    fc.constantFrom('Foo', 'foo', '+Foo'),
    fc.string({ minLength: 1, maxLength: 20 }).map((name) => tidy(name) ?? 'x'),
  ),
  sku: fc.constant(null),
  price_cents: fc.integer({ min: 0, max: 99_999_999 }),
  member_price_cents: fc.option(fc.integer({ min: 0, max: 99_999_999 }), { nil: null }),
  description: text(100),
  category: fc.constantFrom('Flower', 'Pre-Rolls', 'Seeds & Clones', 'Other', null),
  strain: text(20),
  brand: text(10),
  thc: amount,
  cbd: amount,
  potency_unit: fc.constantFrom('percent', 'mg', null),
  weight: fc.oneof(amount, fc.constantFrom(1, 3.5)),
  weight_unit: fc.constantFrom('g', 'oz', 'piece', null),
  batch: text(20),
  certificate_id: fc.constant(null),
  image_id: fc.constant(null),
  is_available: fc.boolean(),
})

it('changes nothing when an exported menu is imported again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 15 }), fc.array(fc.boolean()), async (items, haveSkus) => {
      const menu: StoredItem[] = items.map((each, i) => ({ ...each, id: newId(), version: 1, sku: haveSkus[i] ? `=SKU ${i}` : null }))
      const file = await readMenuFile(Buffer.from((await Array.fromAsync(menuLines([menu]))).join('')))
      const effects: string[] = []
      await planFile(file, guessColumns(file.header), menu, nothingRefused, ({ effect, item: found }, row) => {
        const before = menu[row.row - 2] as StoredItem
        effects.push(effect)
        expect(found && itemColumns.map((column) => found[column])).toEqual(itemColumns.map((column) => before[column]))
      })
      expect(effects).toEqual(menu.map(() => 'same'))
    }),
    { numRuns: 300 },
  )
})

const stored = (details: Partial<ItemRow>): StoredItem => ({ ...emptyRow(newId()), price_cents: 100, version: 1, ...details })
async function effectsOf(lines: string[], menu: StoredItem[] = []) {
  const file = await readMenuFile(Buffer.from(lines.join('\n')))
  const effects: string[] = []
  await planFile(file, guessColumns(file.header), menu, nothingRefused, (placed) =>
    effects.push(placed.errors[0]?.message ?? placed.effect),
  )
  return effects
}

it('finds items by SKU, or by name, brand, and weight', async () => {
  const menu = [
    stored({ name: 'Foo', brand: 'B', weight: 1, weight_unit: 'g' }),
    stored({ name: 'Foo', brand: 'B', weight: 3.5, weight_unit: 'g' }),
    stored({ name: 'Bar', sku: 'S1' }),
  ]
  expect(await effectsOf(['name,brand,weight,price', 'FOO,b,3.5g,2', 'Foo,B,1 oz,2', 'Foo,B,1,1.00'], menu)).toEqual([
    'change',
    'add',
    'same',
  ])
  expect(await effectsOf(['sku,name,price', 'S1,Renamed,1', 'S2,Bar,1', ',Bar,1'], menu)).toEqual(['change', 'add', 'add'])
  expect(await effectsOf(['sku,price', 'S1,1.00', 'S9,1'], menu)).toEqual(['same', 'Name is required'])
})

it('rejects a row that repeats another or can’t be stored', async () => {
  expect(await effectsOf(['sku,name,price', 'A,Foo,1', 'A,Bar,1', ',Baz,1', ',baz,2', ',Qux,'])).toEqual([
    'add',
    'Row 2 has the same SKU',
    'add',
    'Row 4 is the same item',
    'Price is required',
  ])
  const menu = [stored({ name: 'Foo' })]
  expect(await effectsOf(['name,price', 'Foo,1', 'Foo,2'], menu)).toEqual(['same', 'Row 2 is the same item'])
  expect(await effectsOf(['name,price,thc', 'New,1,120%'])).toEqual(['At most 100 percent'])
})
