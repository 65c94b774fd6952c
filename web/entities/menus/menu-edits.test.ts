import { expect, test } from 'vitest'
import type { MenuField } from '#contracts/menu-fields.ts'
import {
  applySaved,
  conflictsOf,
  type Edits,
  errorsOfAnswer,
  firstVariant,
  goneVariants,
  inBatches,
  isStockOnly,
  newRowId,
  overwritten,
  rebased,
  restoredEdits,
  savingOf,
  shownSize,
  shownText,
  shownVariants,
  withoutRows,
  withoutVariant,
  withVariant,
  withWrites,
} from './menu-edits.ts'
import { menuItem, menuVariant } from './sample-item.test-support.ts'

const eighth = menuVariant({ id: '019ab000-0000-7000-8000-0000000000a1', weight: 3.5, weightUnit: 'g' })
const quarter = menuVariant({ id: '019ab000-0000-7000-8000-0000000000a2', weight: 7, weightUnit: 'g', price: '60.00' })
const [small, large] = [eighth.id, quarter.id]
const item = menuItem({ variants: [eighth, quarter] })
const { id } = item
const items = new Map([[id, item]])
const added = newRowId('size')

const write = (key: MenuField, text: string, variant = small) => ({ id, variant, key, text })
const typed = (text: string, key: MenuField = 'price', variant = small) => withWrites({}, items, [write(key, text, variant)])
const theirs = (changes: Parameters<typeof menuItem>[0]) =>
  new Map([[id, menuItem({ variants: [eighth, quarter], version: 2, ...changes })]])

test('recognizes edits that change only the stock', () => {
  const out = typed('Out of Stock', 'isAvailable')
  expect(isStockOnly(out)).toBe(true)
  expect(isStockOnly(withWrites(out, items, [write('isAvailable', 'Out of Stock', large)]))).toBe(true)
  expect(isStockOnly({})).toBe(false)
  expect(isStockOnly(withWrites(out, items, [write('price', '12')]))).toBe(false)
  expect(isStockOnly(withVariant(out, items, id, added))).toBe(false)
  expect(isStockOnly(withWrites({}, items, [{ ...write('isAvailable', 'Out of Stock'), id: newRowId('x') }]))).toBe(false)
})

test.each([
  ['in', {}],
  ['out', { isAvailable: 'Out of Stock' }],
  ['12', { stock: '12' }],
  ['47.5 g', { stock: '47.5' }],
  ['0', { isAvailable: 'Out of Stock' }],
  ['some', { isAvailable: 'some' }],
])('reads “%s” as the availability or the quantity on hand', (text, cells) => {
  const expected = Object.entries(cells).map(([key, value]) => [`${key} ${small}`, value])
  expect(typed(text, 'isAvailable')[id]?.cells ?? {}).toEqual(Object.fromEntries(expected))
})

test('makes availability and quantity agree unless both are stated', () => {
  const none = typed('0', 'stock')
  expect(shownText(none[id], item, 'isAvailable', small)).toBe('Out of Stock')
  expect(withWrites(none, items, [write('isAvailable', 'yes')])).toEqual({})
  const more = withWrites(none, items, [write('stock', '8')])
  expect(more[id]?.cells).toEqual({ [`stock ${small}`]: '8' })
  const soldOut = new Map([[id, menuItem({ variants: [menuVariant({ id: small, stock: 0 })] })]])
  expect(shownText(undefined, soldOut.get(id), 'isAvailable', small)).toBe('Out of Stock')
  const back = withWrites({}, soldOut, [write('isAvailable', 'In Stock')])
  expect(savingOf(back).changes[0]?.variants).toEqual([{ id: small, isAvailable: true, stock: null }])
  const both = withWrites(none, items, [write('isAvailable', 'out'), write('stock', '8')])
  expect(both[id]?.cells).toEqual({ [`isAvailable ${small}`]: 'Out of Stock', [`stock ${small}`]: '8' })
})

test('shows typed text in its size and saves only that size’s cell', () => {
  const edits = typed('40')
  expect(shownText(edits[id], item, 'price', small)).toBe('40')
  expect(shownText(edits[id], item, 'price', large)).toBe('60.00')
  expect(savingOf(edits)).toEqual({
    changes: [{ id, version: 1, variants: [{ id: small, price: '40' }, { id: large }] }],
    additions: [],
    errors: {},
  })
})

test('saves a field of the item without sending its sizes', () => {
  expect(savingOf(typed('Haze', 'strain')).changes).toEqual([{ id, version: 1, strain: 'Haze' }])
})

test('doesn’t count retyping the same value as an edit', () => {
  expect(withWrites(typed('40'), items, [write('price', '35')])).toEqual({})
  expect(typed('$35.00')).toEqual({})
  expect(typed('', 'strain')).toEqual({})
})

test('keeps invalid input and reports it by row and cell', () => {
  const saving = savingOf(typed('cheap', 'price', large))
  expect(saving.changes).toEqual([])
  expect(saving.errors).toEqual({ [id]: { [`price ${large}`]: 'Enter a price such as 12.50' } })
})

test('adds a size in the unit of the last size, and requires a price for it', () => {
  const edits = withVariant({}, items, id, added)
  expect(shownVariants(edits[id], item)).toEqual([small, large, added])
  expect(shownText(edits[id], item, 'weightUnit', added)).toBe('g')
  expect(savingOf(edits).errors).toEqual({ [id]: { [`price ${added}`]: 'Enter a price such as 12.50' } })
  const whole = withWrites(edits, items, [write('price', '110', added), write('weight', '14', added)])
  expect(shownSize(whole[id], item, added)).toBe('14 g')
  expect(savingOf(whole).changes).toEqual([
    { id, version: 1, variants: [{ id: small }, { id: large }, expect.objectContaining({ price: '110', weight: 14, weightUnit: 'g' })] },
  ])
  expect(savingOf(whole).changes[0]?.variants?.[2]).not.toHaveProperty('id')
  expect(withoutVariant(whole, items, id, added)).toEqual({})
})

test('removes a size with its edits, but never the last size', () => {
  const edits = withoutVariant(typed('40'), items, id, small)
  expect(shownVariants(edits[id], item)).toEqual([large])
  expect(savingOf(edits).changes).toEqual([{ id, version: 1, variants: [{ id: large }] }])
  expect(withoutVariant(edits, items, id, large)).toBe(edits)
})

test('requires a price for a new row, and drops a row without input', () => {
  const row = newRowId('a')
  const edits = withWrites({}, items, [{ id: row, variant: firstVariant, key: 'name', text: 'OG Kush' }])
  expect(savingOf(edits).errors).toEqual({ [row]: { [`price ${firstVariant}`]: 'Enter a price such as 12.50' } })
  const whole = withWrites(edits, items, [
    { id: row, variant: firstVariant, key: 'price', text: '30' },
    { id: row, variant: added, key: 'price', text: '55' },
  ])
  const size = (price: string) => expect.objectContaining({ price, isAvailable: true, weight: null })
  expect(savingOf(whole).additions).toEqual([
    { id: row, item: expect.objectContaining({ name: 'OG Kush', category: null, variants: [size('30'), size('55')] }) },
  ])
  expect(withWrites(edits, items, [{ id: row, variant: firstVariant, key: 'name', text: '' }])).toEqual({})
})

test('ignores edits of a missing row or size', () => {
  expect(withWrites({}, items, [{ ...write('price', '1'), id: 'gone' }])).toEqual({})
  expect(typed('1', 'price', 'gone')).toEqual({})
})

test('assigns the server’s errors to their cells', () => {
  const fields = { 'changes.1.variants.1.price': 'Too much', 'changes.1.name': 'Too long', 'changes.0.imageId': 'x', other: 'y' }
  expect(errorsOfAnswer(fields, [{ id: 'a' }, { id }], typed('40'))).toEqual({
    [id]: { [`price ${large}`]: 'Too much', name: 'Too long' },
  })
})

test('splits a size typed with its unit, unless the unit is stated', () => {
  const cells = (text: string, ...others: ReturnType<typeof write>[]) =>
    withWrites({}, items, [write('weight', text, small), ...others])[id]?.cells
  const [size, unit] = [`weight ${small}`, `weightUnit ${small}`]
  expect(cells('20-pack')).toEqual({ [size]: '20', [unit]: 'piece' })
  expect(cells('each')).toEqual({ [size]: '1', [unit]: 'piece' })
  expect(cells('1/8 oz')).toEqual({ [size]: '1/8', [unit]: 'oz' })
  expect(cells('5 pk', write('weightUnit', 'mg', small))).toEqual({ [size]: '5', [unit]: 'mg' })
  expect(cells('big')).toEqual({ [size]: 'big' })
})

test('splits a potency typed with its unit, unless the unit is stated', () => {
  const cells = (key: MenuField, text: string, ...others: ReturnType<typeof write>[]) =>
    withWrites({}, items, [write(key, text, ''), ...others])[id]?.cells
  expect(cells('thc', '10 mg')).toEqual({ thc: '10', thcUnit: 'mg' })
  expect(cells('cbdMax', '1,000MG')).toEqual({ cbdMax: '1,000', cbdUnit: 'mg' })
  expect(cells('thc', '24.1%')).toEqual({ thc: '24.1', thcUnit: '%' })
  expect(cells('thc', '10 mg', write('thcUnit', '%', ''))).toEqual({ thc: '10', thcUnit: '%' })
  expect(cells('thc', '24.1')).toEqual({ thc: '24.1' })
})

test('rebases edits and added sizes when another cell was changed in the meantime', () => {
  const now = theirs({ strain: 'Haze' })
  const edits = withWrites(withVariant(typed('40'), items, id, added), items, [write('price', '99', added)])
  expect(conflictsOf(edits, now)).toEqual([])
  const moved = rebased(edits, now)
  expect(moved[id]).toMatchObject({ version: 2, added: [added] })
  expect(shownText(moved[id], now.get(id), 'price', added)).toBe('99')
  expect(rebased(withoutVariant({}, items, id, large), now)[id]).toMatchObject({ version: 2, removed: [large] })
})

test('asks the person when the same cell was changed in the meantime', () => {
  const now = theirs({ variants: [{ ...eighth, price: '38.00' }, quarter] })
  const edits = typed('40')
  expect(conflictsOf(edits, now)).toEqual([
    { id, name: 'Blue Dream', version: 2, cells: [{ key: 'price', size: '3.5 g', theirs: '38.00', mine: '40' }] },
  ])
  expect(rebased(edits, now)).toBe(edits)
  const mine = overwritten(edits, now, id)
  expect(savingOf(mine).changes).toMatchObject([{ id, version: 2, variants: [{ id: small, price: '40' }, { id: large }] }])
  expect(conflictsOf(mine, now)).toEqual([])
  expect(withoutRows(edits, [id])).toEqual({})
})

test('drops and counts edits of a size that someone else removed', () => {
  const now = theirs({ variants: [quarter] })
  const edits = withWrites(typed('40'), items, [write('strain', 'Haze')])
  expect(goneVariants(edits, now)).toBe(1)
  expect(conflictsOf(edits, now)).toEqual([])
  expect(savingOf(rebased(edits, now)).changes).toEqual([{ id, version: 2, strain: 'Haze' }])
})

test('drops an edit when someone else saved the same value in the meantime', () => {
  const now = theirs({ variants: [{ ...eighth, price: '40.00' }, quarter] })
  expect(conflictsOf(typed('40'), now)).toEqual([])
  expect(rebased(typed('40'), now)).toEqual({})
})

test('keeps text typed during a save, under the new IDs of added sizes', () => {
  const sent = withWrites(withVariant({}, items, id, added), items, [write('price', '110', added)])
  const half = menuVariant({ id: '019ab000-0000-7000-8000-0000000000a3', weightUnit: 'g', price: '110.00' })
  const answer = menuItem({ version: 2, variants: [eighth, quarter, half] })
  expect(applySaved(sent, sent, answer)).toEqual({})
  const meanwhile = withWrites(sent, items, [write('weight', '14', added), write('price', '40')])
  expect(savingOf(applySaved(meanwhile, sent, answer)).changes).toEqual([
    { id, version: 2, variants: [{ id: small, price: '40' }, { id: large }, { id: half.id, weight: 14 }] },
  ])
})

test('keeps a value reverted during a save as an edit of the saved item', () => {
  const sent = typed('Out of Stock', 'isAvailable')
  const answer = menuItem({ version: 2, variants: [{ ...eighth, isAvailable: false }, quarter] })
  const back = withWrites(sent, items, [write('isAvailable', 'In Stock')])
  expect(back).toEqual({})
  const after = applySaved(back, sent, answer)
  expect(isStockOnly(after)).toBe(true)
  expect(savingOf(after).changes).toEqual([{ id, version: 2, variants: [{ id: small, isAvailable: true }, { id: large }] }])
  const other = withWrites(back, items, [write('strain', 'Haze')])
  expect(savingOf(applySaved(other, sent, answer)).changes).toMatchObject([{ strain: 'Haze', variants: [{ isAvailable: true }, {}] }])
})

test('adds back a size whose removal was undone during the save', () => {
  const sent = withoutVariant({}, items, id, large)
  const answer = menuItem({ version: 2, variants: [eighth] })
  const [old] = items.values()
  const again = { weight: 7, weightUnit: 'g', price: '60.00', isAvailable: true }
  expect(applySaved(sent, sent, answer, id, old)).toEqual({})
  expect(savingOf(applySaved({}, sent, answer, id, old)).changes).toEqual([
    { id, version: 2, variants: [{ id: small }, expect.objectContaining(again)] },
  ])
  const repriced = withWrites({}, items, [write('price', '65', large)])
  expect(savingOf(applySaved(repriced, sent, answer, id, old)).changes).toEqual([
    { id, version: 2, variants: [{ id: small }, expect.objectContaining({ ...again, price: '65' })] },
  ])
})

test('removes an added size that was removed during its save', () => {
  const sent = withWrites(withVariant({}, items, id, added), items, [write('price', '110', added)])
  const half = menuVariant({ id: '019ab000-0000-7000-8000-0000000000a3', weightUnit: 'g', price: '110.00' })
  const answer = menuItem({ version: 2, variants: [eighth, quarter, half] })
  const without = withoutVariant(sent, items, id, added)
  expect(savingOf(applySaved(without, sent, answer)).changes).toEqual([{ id, version: 2, variants: [{ id: small }, { id: large }] }])
})

test('moves text typed into a new row during its save onto the saved item', () => {
  const row = newRowId('a')
  const cell = (key: MenuField, text: string, variant = firstVariant) => ({ id: row, variant, key, text })
  const sent = withWrites({}, items, [cell('name', 'OG Kush'), cell('strain', 'OG'), cell('price', '30'), cell('price', '55', added)])
  const saved = menuItem({
    id: '019ab000-0000-7000-8000-000000000002',
    name: 'OG Kush',
    strain: 'OG',
    variants: [menuVariant({ id: small, price: '30.00' }), menuVariant({ id: large, price: '55.00' })],
  })
  expect(applySaved(sent, sent, saved, row)).toEqual({})
  expect(applySaved({}, sent, saved, row)).toEqual({})
  const meanwhile = withWrites(sent, items, [cell('strain', ''), cell('price', '60', added), cell('price', '90', newRowId('third'))])
  expect(savingOf(applySaved(meanwhile, sent, saved, row))).toEqual({
    changes: [
      {
        id: saved.id,
        version: 1,
        strain: null,
        variants: [{ id: small }, { id: large, price: '60' }, expect.objectContaining({ price: '90' })],
      },
    ],
    additions: [],
    errors: {},
  })
})

test('restores input after a reload, except for invalid data', () => {
  const row = newRowId('a')
  const edits: Edits = {
    ...withVariant(typed('40'), items, id, added),
    ...withWrites({}, items, [{ id: row, variant: firstVariant, key: 'name', text: 'OG' }]),
  }
  expect(restoredEdits(JSON.parse(JSON.stringify(edits)))).toEqual(edits)
  const stored = { ...edits[id], cells: { price: '1', 'name x': '2', nope: '3' }, added: [], removed: [] }
  expect(restoredEdits({ [id]: stored, b: null, c: { ...edits[id], version: 'x' }, d: { version: 1, cells: { name: 'x' } } })).toEqual({})
  expect(restoredEdits('x')).toEqual({})
})

test('saves at most 500 items per call', () => {
  expect(inBatches(Array.from({ length: 1001 })).map(({ length }) => length)).toEqual([500, 500, 1])
})
