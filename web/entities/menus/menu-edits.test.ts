import { expect, test } from 'vitest'
import type { MenuField } from '#contracts/menu-fields.ts'
import {
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
  saved,
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
/** The item as someone else saved it meanwhile. */
const theirs = (changes: Parameters<typeof menuItem>[0]) =>
  new Map([[id, menuItem({ variants: [eighth, quarter], version: 2, ...changes })]])

test('knows edits of nothing but the stock', () => {
  const out = typed('Out of Stock', 'isAvailable')
  expect(isStockOnly(out)).toBe(true)
  expect(isStockOnly(withWrites(out, items, [write('isAvailable', 'Out of Stock', large)]))).toBe(true)
  expect(isStockOnly({})).toBe(false)
  expect(isStockOnly(withWrites(out, items, [write('price', '12')]))).toBe(false)
  expect(isStockOnly(withVariant(out, items, id, added))).toBe(false)
  expect(isStockOnly(withWrites({}, items, [{ ...write('isAvailable', 'Out of Stock'), id: newRowId('x') }]))).toBe(false)
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

test('saves a field of the item without its sizes', () => {
  expect(savingOf(typed('Haze', 'strain')).changes).toEqual([{ id, version: 1, strain: 'Haze' }])
})

test('does not count retyping the same value as an edit', () => {
  expect(withWrites(typed('40'), items, [write('price', '35')])).toEqual({})
  expect(typed('$35.00')).toEqual({})
  expect(typed('', 'strain')).toEqual({})
})

test('keeps invalid input and reports it by row and cell', () => {
  const saving = savingOf(typed('cheap', 'price', large))
  expect(saving.changes).toEqual([])
  expect(saving.errors).toEqual({ [id]: { [`price ${large}`]: 'Enter a price such as 12.50' } })
})

test('adds a size in the unit of the last one, which needs a price', () => {
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

test('removes a size with its edits, and never the last one', () => {
  const edits = withoutVariant(typed('40'), items, id, small)
  expect(shownVariants(edits[id], item)).toEqual([large])
  expect(savingOf(edits).changes).toEqual([{ id, version: 1, variants: [{ id: large }] }])
  expect(withoutVariant(edits, items, id, large)).toBe(edits)
})

test('requires a name and a price for a new row', () => {
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

test('rebases edits and added sizes when another cell was changed meanwhile', () => {
  const now = theirs({ strain: 'Haze' })
  const edits = withWrites(withVariant(typed('40'), items, id, added), items, [write('price', '99', added)])
  expect(conflictsOf(edits, now)).toEqual([])
  const moved = rebased(edits, now)
  expect(moved[id]).toMatchObject({ version: 2, added: [added] })
  expect(shownText(moved[id], now.get(id), 'price', added)).toBe('99')
  expect(rebased(withoutVariant({}, items, id, large), now)[id]).toMatchObject({ version: 2, removed: [large] })
})

test('asks the person when the same cell was changed meanwhile', () => {
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

test('has nothing left to save when the same value was saved meanwhile', () => {
  const now = theirs({ variants: [{ ...eighth, price: '40.00' }, quarter] })
  expect(conflictsOf(typed('40'), now)).toEqual([])
  expect(rebased(typed('40'), now)).toEqual({})
})

test('keeps what was typed during a save, under the new IDs of added sizes', () => {
  const sent = withWrites(withVariant({}, items, id, added), items, [write('price', '110', added)])
  const half = menuVariant({ id: '019ab000-0000-7000-8000-0000000000a3', weightUnit: 'g', price: '110.00' })
  const answer = menuItem({ version: 2, variants: [eighth, quarter, half] })
  expect(saved(sent, sent, answer)).toEqual({})
  const meanwhile = withWrites(sent, items, [write('weight', '14', added), write('price', '40')])
  expect(savingOf(saved(meanwhile, sent, answer)).changes).toEqual([
    { id, version: 2, variants: [{ id: small, price: '40' }, { id: large }, { id: half.id, weight: 14 }] },
  ])
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

test('saves at most 500 at once', () => {
  expect(inBatches(Array.from({ length: 1001 })).map(({ length }) => length)).toEqual([500, 500, 1])
})
