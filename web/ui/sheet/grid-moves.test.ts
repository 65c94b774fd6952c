import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filledDown, moveAfterEdit, moved, pasted, rangeOf, selectCell } from './grid-moves.ts'

const size = { rows: 5, columns: 4 }
const plain = { shiftKey: false, ctrlKey: false, metaKey: false }
const go = (row: number, column: number, key: string, held: Partial<typeof plain> = {}) =>
  moved(selectCell(row, column), { key, ...plain, ...held }, size, 3)

test.each([
  [2, 1, 'ArrowUp', {}, [1, 1]],
  [0, 1, 'ArrowUp', {}, [0, 1]],
  [4, 1, 'ArrowDown', {}, [4, 1]],
  [2, 3, 'ArrowRight', {}, [2, 3]],
  [2, 1, 'ArrowLeft', { metaKey: true }, [2, 0]],
  [2, 1, 'ArrowDown', { ctrlKey: true }, [4, 1]],
  [2, 1, 'Home', {}, [2, 0]],
  [2, 1, 'End', {}, [2, 3]],
  [2, 1, 'Home', { ctrlKey: true }, [0, 0]],
  [2, 1, 'End', { ctrlKey: true }, [4, 3]],
  [1, 1, 'PageDown', {}, [4, 1]],
  [1, 1, 'PageUp', {}, [0, 1]],
  [1, 3, 'Tab', {}, [2, 0]],
  [1, 0, 'Tab', { shiftKey: true }, [0, 3]],
] as const)('moves from %i,%i on %s with %o to %o', (row, column, key, held, [toRow, toColumn]) => {
  expect(go(row, column, key, held)?.active).toEqual({ row: toRow, column: toColumn })
})

test('leaves the table on Tab at either end and ignores other keys', () => {
  expect(go(4, 3, 'Tab')).toBeNull()
  expect(go(0, 0, 'Tab', { shiftKey: true })).toBeNull()
  expect(go(1, 1, 'a')).toBeNull()
})

test('extends the selection with Shift', () => {
  const selection = go(1, 1, 'ArrowDown', { shiftKey: true })
  expect(selection && rangeOf(selection)).toEqual({ top: 1, bottom: 2, left: 1, right: 1 })
})

test('keeps the selection inside the table for any sequence of keys', () => {
  const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'Tab')
  const held = fc.record({ shiftKey: fc.boolean(), ctrlKey: fc.boolean(), metaKey: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(keys, held)),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (presses, rows, columns) => {
        let selection = selectCell(0, 0)
        for (const [key, modifiers] of presses) selection = moved(selection, { key, ...modifiers }, { rows, columns }, 3) ?? selection
        const { top, bottom, left, right } = rangeOf(selection)
        expect(top >= 0 && left >= 0 && bottom < rows && right < columns).toBe(true)
      },
    ),
  )
})

test('fills the whole range with one pasted cell, and pastes a block from the range’s first cell', () => {
  expect(pasted([['x']], { top: 0, bottom: 1, left: 1, right: 2 }, 4)).toEqual([
    { row: 0, column: 1, text: 'x' },
    { row: 0, column: 2, text: 'x' },
    { row: 1, column: 1, text: 'x' },
    { row: 1, column: 2, text: 'x' },
  ])
  expect(pasted([['a', 'b'], ['c']], { top: 2, bottom: 2, left: 0, right: 0 }, 4)).toEqual([
    { row: 2, column: 0, text: 'a' },
    { row: 2, column: 1, text: 'b' },
    { row: 3, column: 0, text: 'c' },
    { row: 3, column: 1, text: '' },
  ])
})

test('drops cells past the last column', () => {
  expect(pasted([['a', 'b', 'c']], { top: 0, bottom: 0, left: 2, right: 2 }, 4).map(({ text }) => text)).toEqual(['a', 'b'])
})

test('fills down from the first row or the row above', () => {
  const textAt = (row: number, column: number) => `${row}${column}`
  expect(filledDown({ top: 1, bottom: 3, left: 0, right: 0 }, textAt)).toEqual([
    { row: 2, column: 0, text: '10' },
    { row: 3, column: 0, text: '10' },
  ])
  expect(filledDown({ top: 1, bottom: 1, left: 2, right: 2 }, textAt)).toEqual([{ row: 1, column: 2, text: '02' }])
  expect(filledDown({ top: 0, bottom: 0, left: 0, right: 0 }, textAt)).toEqual([])
})

test.each([
  ['Enter', false, false, { key: 'ArrowDown', shiftKey: false }],
  ['Enter', true, true, { key: 'ArrowUp', shiftKey: false }],
  ['Tab', true, false, { key: 'Tab', shiftKey: true }],
  ['ArrowLeft', false, true, { key: 'ArrowLeft', shiftKey: false }],
  ['ArrowLeft', false, false, null],
  ['a', false, true, null],
] as const)('decides where %s leads during an edit (shift: %s, begun by typing: %s)', (key, shiftKey, isBegunByTyping, move) => {
  expect(moveAfterEdit({ key, shiftKey }, isBegunByTyping)).toEqual(move)
})
