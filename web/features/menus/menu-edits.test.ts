import { expect, test } from 'vitest'
import {
  conflictsOf,
  type Edits,
  errorsOfAnswer,
  inBatches,
  keptMine,
  newRowId,
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

test('what is typed is shown and is to be saved over the version it was typed on', () => {
  const edits = typed('40')
  expect(shownText(edits[id], item, 'price')).toBe('40')
  expect(savingOf(edits)).toEqual({ changes: [{ id, version: 1, price: '40' }], additions: [], errors: {} })
})

test('a cell that says again what it said is no edit', () => {
  expect(withWrites(typed('40'), items, [{ id, key: 'price', text: '35' }])).toEqual({})
  expect(typed('$35.00')).toEqual({})
  expect(typed('', 'strain')).toEqual({})
})

test('what is not valid is kept, and refused by row and cell', () => {
  const saving = savingOf(typed('cheap'))
  expect(saving.changes).toEqual([])
  expect(saving.errors).toEqual({ [id]: { price: 'Enter a price such as 12.50' } })
})

test('a new row needs a name and a price', () => {
  const row = newRowId('a')
  const edits = withWrites({}, items, [{ id: row, key: 'name', text: 'OG Kush' }])
  expect(savingOf(edits).errors).toEqual({ [row]: { price: 'Enter a price such as 12.50' } })
  const whole = withWrites(edits, items, [{ id: row, key: 'price', text: '30' }])
  expect(savingOf(whole).additions).toEqual([
    { id: row, item: expect.objectContaining({ name: 'OG Kush', price: '30', isAvailable: true, category: null }) },
  ])
  expect(withWrites(edits, items, [{ id: row, key: 'name', text: '' }])).toEqual({})
})

test('a row that is not there takes nothing', () => {
  expect(withWrites({}, items, [{ id: 'gone', key: 'price', text: '1' }])).toEqual({})
})

test("the server's errors find their cells", () => {
  expect(errorsOfAnswer({ 'changes.1.price': 'Too much', 'changes.0.offers': 'x', other: 'y' }, [{ id: 'a' }, { id: 'b' }])).toEqual({
    b: { price: 'Too much' },
  })
})

test('when somebody else changed another cell, the edit moves on', () => {
  const theirs = new Map([[id, menuItem({ version: 2, strain: 'Haze' })]])
  const edits = typed('40')
  expect(conflictsOf(edits, theirs)).toEqual([])
  expect(rebased(edits, theirs)[id]?.version).toBe(2)
})

test('when somebody else changed the same cell, the person decides', () => {
  const theirs = new Map([[id, menuItem({ version: 2, price: '38.00' })]])
  const edits = typed('40')
  expect(conflictsOf(edits, theirs)).toEqual([
    { id, name: 'Blue Dream', version: 2, cells: [{ key: 'price', theirs: '38.00', mine: '40' }] },
  ])
  expect(rebased(edits, theirs)).toBe(edits)
  const mine = keptMine(edits, theirs, id)
  expect(savingOf(mine).changes).toEqual([{ id, version: 2, price: '40' }])
  expect(conflictsOf(mine, theirs)).toEqual([])
  expect(withoutRows(edits, [id])).toEqual({})
})

test('when somebody else typed the same, nothing is left to save', () => {
  const theirs = new Map([[id, menuItem({ version: 2, price: '40.00' })]])
  expect(conflictsOf(typed('40'), theirs)).toEqual([])
  expect(rebased(typed('40'), theirs)).toEqual({})
})

test('a reload brings back what was typed, and nothing that makes no sense', () => {
  const edits: Edits = { ...typed('40'), ...withWrites({}, items, [{ id: newRowId('a'), key: 'name', text: 'OG' }]) }
  expect(restoredEdits(JSON.parse(JSON.stringify(edits)))).toEqual(edits)
  expect(restoredEdits({ [id]: { version: 'x', cells: { price: '1' } }, b: null, c: { version: 1, cells: { nope: '1' } } })).toEqual({})
  expect(restoredEdits('x')).toEqual({})
})

test('at most 500 go at once', () => {
  expect(inBatches(Array.from({ length: 1001 })).map(({ length }) => length)).toEqual([500, 500, 1])
})
