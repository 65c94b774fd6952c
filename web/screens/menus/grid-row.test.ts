import { expect, test } from 'vitest'
import { columnLefts, headHeight, rowHeight, rowsInView, scrollTo, stickyWidth } from './grid-row.tsx'

test('renders only the rows in view and a few more', () => {
  expect(rowsInView(0, 400, 1000)).toEqual({ start: 0, end: 24 })
  expect(rowsInView(4000, 400, 1000)).toEqual({ start: 88, end: 120 })
  expect(rowsInView(0, 400, 3)).toEqual({ start: 0, end: 3 })
  // The list is now shorter than the scroll position.
  expect(rowsInView(9000, 400, 3)).toEqual({ start: 3, end: 3 })
})

const view = { scrollTop: 400, scrollLeft: 300, width: 800, height: 436 }

test('doesn’t scroll for a cell in view', () => {
  expect(scrollTo({ row: 12, column: 5 }, view)).toEqual({ top: 400, left: 300 })
})

test('scrolls a hidden cell into view, clear of sticky rows and columns', () => {
  expect(scrollTo({ row: 2, column: 1 }, view)).toEqual({ top: 2 * rowHeight, left: (columnLefts[1] as number) - stickyWidth })
  const { top, left } = scrollTo({ row: 60, column: 13 }, view)
  expect(top + view.height).toBe(60 * rowHeight + rowHeight + headHeight)
  expect(left + view.width).toBe(columnLefts[14])
})
