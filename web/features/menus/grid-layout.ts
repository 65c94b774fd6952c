import { columns } from './menu-columns.ts'

/** In pixels. */
export const rowHeight = 40
export const headHeight = 36
/** The column before the first: the check box and the way to the item's form. */
export const gutterWidth = 68
export const confirmedWidth = 176

/** Where each column begins, and after them the last one's end. */
export const columnLefts: readonly number[] = Array.from({ length: columns.length + 1 }, (_, index) =>
  columns.slice(0, index).reduce((left, { width }) => left + width, gutterWidth),
)
export const tableWidth = (columnLefts.at(-1) as number) + confirmedWidth
/** What stays in view when the table is scrolled sideways: the gutter and the name. */
export const stickyWidth = columnLefts[1] as number

/** Rows are drawn this many at a time around what is in view. */
const step = 8

/** The rows to draw for a scroll position; `end` is not among them. */
export function rowsInView(scrollTop: number, height: number, count: number): { start: number; end: number } {
  const start = Math.max(0, Math.floor(scrollTop / rowHeight / step) * step - step)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight / step) * step + step)
  return { start: Math.min(start, end), end }
}

/** How far to scroll so that a cell is in view beside what is sticky. */
export function scrollTo(
  cell: { row: number; column: number },
  view: { scrollTop: number; scrollLeft: number; width: number; height: number },
): { top: number; left: number } {
  const top = cell.row * rowHeight
  const room = view.height - headHeight - rowHeight
  const left = columnLefts[cell.column] as number
  const right = columnLefts[cell.column + 1] as number
  return {
    top: Math.max(Math.min(view.scrollTop, top), top - room),
    left: cell.column === 0 ? view.scrollLeft : Math.max(Math.min(view.scrollLeft, left - stickyWidth), right - view.width),
  }
}
