export type CsvCell = string | number | boolean | null

/**
 * Spreadsheets treat text that starts with one of these characters as a formula, so untrusted text gets a leading apostrophe. Reading
 * removes one, and writing adds another if the text already starts with one, so a round trip changes nothing.
 */
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'+[=+\-@\t\r]/

export const guardCell = (text: string): string => (formula.test(text) ? `'${text}` : text)
export const unguardCell = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

/** A row in the format of RFC 4180. Numbers have a decimal point; null is an empty cell. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(',')}\r\n`

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = guardCell(cell)
  return /[",;\t|\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** Byte order mark. Without it, Excel assumes another encoding. */
export const csvStart = '\uFEFF'

export function csvFile(head: readonly string[], lines: Iterable<readonly CsvCell[]>): string {
  let file = csvStart + csvLine(head)
  for (const line of lines) file += csvLine(line)
  return file
}

/** Decodes a text file in UTF-8, UTF-16 or Windows-1252, which older spreadsheets write. Null if it isn't text. */
export function decodeText(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
