import { expect, test } from 'vitest'
import {
  conflictsOf,
  type Edits,
  errorsOfAnswer,
  inBatches,
  newRowId,
  overwritten,
  rebased,
  restoredEdits,
  savingOf,
  shownText,
  withoutRows,
  withWrites,
} from './menu-edits.ts'
import { menuItem } from './sample-item.test-support.ts'

const item = menuItem()
const { id } = item
const items = new Map([[id, item]])
const typed = (text: string, key: 'price' | 'name' | 'strain' = 'price') => withWrites({}, items, [{ id, key, text }])

test('shows typed text and saves it against its version', () => {
  const edits = typed('40')
  expect(shownText(edits[id], item, 'price')).toBe('40')
  expect(savingOf(edits)).toEqual({ changes: [{ id, version: 1, price: '40' }], additions: [], errors: {} })
})

test('does not count retyping the same value as an edit', () => {
  expect(withWrites(typed('40'), items, [{ id, key: 'price', text: '35' }])).toEqual({})
  expect(typed('$35.00')).toEqual({})
  expect(typed('', 'strain')).toEqual({})
})

test('keeps invalid input and reports it by row and cell', () => {
  const saving = savingOf(typed('cheap'))
  expect(saving.changes).toEqual([])
  expect(saving.errors).toEqual({ [id]: { price: 'Enter a price such as 12.50' } })
})

test('requires a name and a price for a new row', () => {
  const row = newRowId('a')
  const edits = withWrites({}, items, [{ id: row, key: 'name', text: 'OG Kush' }])
  expect(savingOf(edits).errors).toEqual({ [row]: { price: 'Enter a price such as 12.50' } })
  const whole = withWrites(edits, items, [{ id: row, key: 'price', text: '30' }])
  expect(savingOf(whole).additions).toEqual([
    { id: row, item: expect.objectContaining({ name: 'OG Kush', price: '30', isAvailable: true, category: null }) },
  ])
  expect(withWrites(edits, items, [{ id: row, key: 'name', text: '' }])).toEqual({})
})

test('ignores edits of a missing row', () => {
  expect(withWrites({}, items, [{ id: 'gone', key: 'price', text: '1' }])).toEqual({})
})

test('assigns the server’s errors to their cells', () => {
  expect(errorsOfAnswer({ 'changes.1.price': 'Too much', 'changes.0.offers': 'x', other: 'y' }, [{ id: 'a' }, { id: 'b' }])).toEqual({
    b: { price: 'Too much' },
  })
})

test('rebases an edit when another cell was changed meanwhile', () => {
  const theirs = new Map([[id, menuItem({ version: 2, strain: 'Haze' })]])
  const edits = typed('40')
  expect(conflictsOf(edits, theirs)).toEqual([])
  expect(rebased(edits, theirs)[id]?.version).toBe(2)
})

test('asks the person when the same cell was changed meanwhile', () => {
  const theirs = new Map([[id, menuItem({ version: 2, price: '38.00' })]])
  const edits = typed('40')
  expect(conflictsOf(edits, theirs)).toEqual([
    { id, name: 'Blue Dream', version: 2, cells: [{ key: 'price', theirs: '38.00', mine: '40' }] },
  ])
  expect(rebased(edits, theirs)).toBe(edits)
  const mine = overwritten(edits, theirs, id)
  expect(savingOf(mine).changes).toEqual([{ id, version: 2, price: '40' }])
  expect(conflictsOf(mine, theirs)).toEqual([])
  expect(withoutRows(edits, [id])).toEqual({})
})

test('has nothing left to save when the same value was saved meanwhile', () => {
  const theirs = new Map([[id, menuItem({ version: 2, price: '40.00' })]])
  expect(conflictsOf(typed('40'), theirs)).toEqual([])
  expect(rebased(typed('40'), theirs)).toEqual({})
})

test('restores input after a reload, except for invalid data', () => {
  const edits: Edits = { ...typed('40'), ...withWrites({}, items, [{ id: newRowId('a'), key: 'name', text: 'OG' }]) }
  expect(restoredEdits(JSON.parse(JSON.stringify(edits)))).toEqual(edits)
  expect(restoredEdits({ [id]: { version: 'x', cells: { price: '1' } }, b: null, c: { version: 1, cells: { nope: '1' } } })).toEqual({})
  expect(restoredEdits('x')).toEqual({})
})

test('saves at most 500 at once', () => {
  expect(inBatches(Array.from({ length: 1001 })).map(({ length }) => length)).toEqual([500, 500, 1])
})
