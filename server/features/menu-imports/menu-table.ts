import { unguardCell } from '#contracts/csv.ts'
import { figure } from '#contracts/fields.ts'
import { maxMenuRows } from '#contracts/limits.ts'
import { guessedCount } from './guess-columns.ts'

/** A file that can't be read. The message explains why to the menu editor, in one sentence. */
export class MenuFileRefused extends Error {
  override readonly name = 'MenuFileRefused'
}

/** `row` counts like a spreadsheet: the first row is 1, and empty rows count. `error`: why the row can't be read. */
export type FileRow = { row: number; cells: string[]; error?: string }
export type MenuFile = { header: string[]; rows: FileRow[] }

/** The column that marks a file of corrected rows. */
export const reasonHeader = 'Rejected because'

export const maxColumns = 200
/** Reports begin with their title, store and date. This many nonempty rows are searched for the header. */
export const maxHeadRows = 20

export type Table = {
  /** Ignores empty rows. @throws MenuFileRefused */
  add(row: number, cells: readonly string[], error?: string): void
  /** The number of columns found so far. */
  width(): number
  /** @throws MenuFileRefused */
  finish(): MenuFile
}

type HeadRow = FileRow & { columnCount: number }

export function createTable(): Table {
  let head: HeadRow[] = []
  let header: string[] | null = null
  const rows: FileRow[] = []

  function addRow(row: FileRow): void {
    if (row.cells.every((cell) => cell === '')) return
    rows.push(row)
    if (rows.length > maxMenuRows) throw new MenuFileRefused(`A menu file can have up to ${figure(maxMenuRows)} rows.`)
  }

  function endHead(): void {
    const at = headerAt(head)
    const found = head[at]
    if (!found) throw new MenuFileRefused('The file is empty.')
    if (found.columnCount > maxColumns) {
      throw new MenuFileRefused(`The file has ${found.columnCount} columns. We can read up to ${maxColumns}.`)
    }
    header = found.cells
    for (const { columnCount: _, cells, ...row } of head.slice(at + 1)) addRow({ ...row, cells: cells.slice(0, header.length) })
    head = []
  }

  return {
    add(row, all, error) {
      // Cells beyond the header are dropped: a row may have a hundred thousand of them.
      const cells = all.slice(0, header?.length ?? maxColumns).map((cell) => unguardCell(cell.trim()))
      if (cells.every((cell) => cell === '')) return
      const read = { row, cells, ...(error && { error }) }
      if (header) {
        addRow(read)
        return
      }
      head.push({ ...read, columnCount: all.length })
      if (head.length === maxHeadRows) endHead()
    },
    width: () => header?.length ?? Math.max(0, ...head.map(({ columnCount }) => columnCount)),
    finish() {
      if (!header) endHead()
      if (rows.length === 0) throw new MenuFileRefused('The file has a header but no rows.')
      return { header: header ?? [], rows }
    },
  }
}

/** The first row that names items and another field, or else the first with more than half as many cells as the fullest row. */
function headerAt(head: readonly HeadRow[]): number {
  const isWhole = ({ error }: HeadRow) => error === undefined
  const named = head.findIndex((row) => isWhole(row) && guessedCount(row.cells) >= 2)
  if (named !== -1) return named
  const filled = head.map(({ cells }) => cells.filter((cell) => cell !== '').length)
  const most = Math.max(0, ...filled)
  return Math.max(
    0,
    filled.findIndex((count, i) => isWhole(head[i] as HeadRow) && count > most / 2),
  )
}
