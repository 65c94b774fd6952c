export type Cell = { row: number; column: number }
export type GridSize = { rows: number; columns: number }
export type Selection = { active: Cell; anchor: Cell }
/** Inclusive. */
export type Range = { top: number; bottom: number; left: number; right: number }
export type Key = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }

export const selectCell = (row: number, column: number): Selection => ({ active: { row, column }, anchor: { row, column } })

export function rangeOf({ active, anchor }: Selection): Range {
  return {
    top: Math.min(active.row, anchor.row),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  }
}

export const isIn = ({ top, bottom, left, right }: Range, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

export const isOneCell = ({ top, bottom, left, right }: Range): boolean => top === bottom && left === right

const between = (value: number, max: number): number => Math.max(0, Math.min(max, value))

export function clamped({ active, anchor }: Selection, { rows, columns }: GridSize): Selection {
  const inside = ({ row, column }: Cell) => ({ row: between(row, rows - 1), column: between(column, columns - 1) })
  return { active: inside(active), anchor: inside(anchor) }
}

export const shifted = ({ active, anchor }: Selection, rows: number): Selection =>
  rows === 0 ? { active, anchor } : { active: { ...active, row: active.row + rows }, anchor: { ...anchor, row: anchor.row + rows } }

/**
 * The selection after an arrow key, Home, End, Page Up or Page Down. Control moves to the ends, and Shift extends the selection. Tab goes
 * to the next cell in reading order. Null for other keys, and for Tab at the ends of the table, which leaves it.
 */
export function moved(selection: Selection, { key, shiftKey, ctrlKey, metaKey }: Key, size: GridSize, pageRows: number): Selection | null {
  const { row, column } = selection.active
  const far = ctrlKey || metaKey
  if (key === 'Tab') {
    const next = row * size.columns + column + (shiftKey ? -1 : 1)
    return next < 0 || next >= size.rows * size.columns ? null : selectCell(Math.floor(next / size.columns), next % size.columns)
  }
  const target = ((): Cell | null => {
    switch (key) {
      case 'ArrowUp':
        return { row: far ? 0 : row - 1, column }
      case 'ArrowDown':
        return { row: far ? size.rows - 1 : row + 1, column }
      case 'ArrowLeft':
        return { row, column: far ? 0 : column - 1 }
      case 'ArrowRight':
        return { row, column: far ? size.columns - 1 : column + 1 }
      case 'Home':
        return { row: far ? 0 : row, column: 0 }
      case 'End':
        return { row: far ? size.rows - 1 : row, column: size.columns - 1 }
      case 'PageUp':
        return { row: row - pageRows, column }
      case 'PageDown':
        return { row: row + pageRows, column }
      default:
        return null
    }
  })()
  if (!target) return null
  return clamped({ active: target, anchor: shiftKey ? selection.anchor : target }, size)
}

export type KeyMove = Pick<Key, 'key' | 'shiftKey'>

/** Null for keys that edit the text. As in spreadsheets, arrows only leave an edit that began with typing. */
export function moveAfterEdit({ key, shiftKey }: KeyMove, isBegunByTyping: boolean): KeyMove | null {
  if (key === 'Enter') return { key: shiftKey ? 'ArrowUp' : 'ArrowDown', shiftKey: false }
  if (key === 'Tab') return { key, shiftKey }
  return isBegunByTyping && /^Arrow/.test(key) ? { key, shiftKey: false } : null
}

export type CellText = Cell & { text: string }

/**
 * Returns the cells to write when `block` is pasted, from the range's top left corner. As in spreadsheets, repeats the block over a range
 * that is a multiple of its size. Drops columns beyond the last; the caller handles additional rows.
 */
export function pasted(block: readonly (readonly string[])[], range: Range, columns: number): CellText[] {
  const height = block.length
  const width = Math.max(...block.map((row) => row.length))
  const rangeHeight = range.bottom - range.top + 1
  const rangeWidth = range.right - range.left + 1
  const fits = rangeHeight % height === 0 && rangeWidth % width === 0
  const rows = fits ? rangeHeight : height
  const across = Math.min(fits ? rangeWidth : width, columns - range.left)
  return Array.from({ length: rows * across }, (_, index) => {
    const row = Math.floor(index / across)
    const column = index % across
    return { row: range.top + row, column: range.left + column, text: block[row % height]?.[column % width] ?? '' }
  })
}

/** Copies the range's first row to all its rows. For a single row or cell, copies the one above it. */
export function filledDown(range: Range, textAt: (row: number, column: number) => string): CellText[] {
  const source = range.top === range.bottom ? range.top - 1 : range.top
  if (source < 0) return []
  const writes: CellText[] = []
  for (let row = source + 1; row <= range.bottom; row++) {
    for (let column = range.left; column <= range.right; column++) writes.push({ row, column, text: textAt(source, column) })
  }
  return writes
}
