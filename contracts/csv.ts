export type CsvCell = string | number | boolean | null

/**
 * A spreadsheet takes a text that begins with one of these for a formula and runs it, whoever wrote it. An apostrophe in front makes
 * it text; reading takes that one off again, and writing adds one to what has some already, so that both together change nothing.
 */
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'+[=+\-@\t\r]/

export const guardCell = (text: string): string => (formula.test(text) ? `'${text}` : text)
export const unguardCell = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

/** One line of a file (RFC 4180). Numbers go out as they are, with a point and every digit; null is an empty cell. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(',')}\r\n`

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = guardCell(cell)
  return /[",;\t|\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a file begins with: without it Excel takes the text for another alphabet. */
export const csvStart = '\uFEFF'

/** A whole table at once. */
export function csvFile(head: readonly string[], lines: Iterable<readonly CsvCell[]>): string {
  let file = csvStart + csvLine(head)
  for (const line of lines) file += csvLine(line)
  return file
}
