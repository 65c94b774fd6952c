import { columns } from '#web/entities/menus/menu-fields.ts'

/** In pixels. */
export const rowHeight = 40
export const headHeight = 36
/** The first column, with the check box and the button that opens the item's form. */
export const gutterWidth = 68
export const confirmedWidth = 176

/** Left edge of each column, followed by the right edge of the last one. */
export const columnLefts: readonly number[] = Array.from({ length: columns.length + 1 }, (_, index) =>
  columns.slice(0, index).reduce((left, { width }) => left + width, gutterWidth),
)
export const tableWidth = (columnLefts.at(-1) as number) + confirmedWidth
/** Width of the sticky part: gutter and name. */
export const stickyWidth = columnLefts[1] as number

/** Rows are rendered in blocks of this size around the viewport. */
const step = 8

/** Rows to render for a scroll position; `end` is exclusive. */
export function rowsInView(scrollTop: number, height: number, count: number): { start: number; end: number } {
  const start = Math.max(0, Math.floor(scrollTop / rowHeight / step) * step - step)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight / step) * step + step)
  return { start: Math.min(start, end), end }
}

/** Scroll position that brings a cell into view beside the sticky part. */
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
