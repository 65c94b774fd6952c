import { expect, test } from 'vitest'
import { firstVariant, newRowId, withVariant } from '#web/entities/menus/menu-edits.ts'
import { menuItem, menuVariant } from '#web/entities/menus/sample-item.test-support.ts'
import { itemRows, newPlaces } from './menu-grid.tsx'

const item = menuItem({ variants: [menuVariant({ id: 'a' }), menuVariant({ id: 'b' })] })

test('has a row for each size, whether or not it is saved', () => {
  const added = newRowId('c')
  const edits = withVariant({}, new Map([[item.id, item]]), item.id, added)
  expect(itemRows(item.id, item, edits[item.id]).map(({ variant, isFirst, isLast }) => [variant, isFirst, isLast])).toEqual([
    ['a', true, false],
    ['b', false, false],
    [added, false, true],
  ])
})

/** Pastes names into the blank row, which is the last one, and below. */
function pasted(names: readonly string[], room = 10) {
  const rows = [...itemRows(item.id, item, undefined), ...itemRows(newRowId('blank'), undefined, undefined)]
  const cells = names.map((text, index) => ({ row: rows.length - 1 + index, column: 0, text }))
  const ids = (count: number) => Array.from({ length: Math.min(count, room) }, (_, index) => `new-${index}`)
  return [...newPlaces(cells, rows, ids).values()].map(({ itemId, variant }) => [itemId, variant === firstVariant ? 'item' : 'size'])
}

test('adds an item for each pasted name, and a size for each repeated name', () => {
  expect(pasted(['OG Kush', 'OG Kush', 'Haze', 'Haze', 'Haze'])).toEqual([
    ['new-blank', 'size'],
    ['new-0', 'item'],
    ['new-0', 'size'],
    ['new-0', 'size'],
  ])
  expect(pasted(['', '', ''])).toEqual([
    ['new-0', 'item'],
    ['new-1', 'item'],
  ])
})

test('adds only as many items as the menu has room for', () => {
  expect(pasted(['A', 'B', 'C', 'C'], 1)).toEqual([['new-0', 'item']])
})
