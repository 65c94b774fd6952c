import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { guessedCount } from './guess-columns.ts'
import { MenuFileRefused, maxColumns, maxHeadRows, type Table } from './menu-table.ts'

const pieceBytes = 64 * 1024
/** In characters. Without it, an unclosed quote would turn the rest of the file into one cell. */
const maxRecordLength = 200_000
/** Each makes the parser start again. */
const maxOpenQuotes = 100

const delimiters = [',', ';', '\t', '|'] as const

/**
 * Parses text separated by commas, semicolons, tabs or bars into a table. If a quote is never closed, its row is marked and the rest is still
 * read. Yields to other requests, since 10 MB take a second.
 * @throws MenuFileRefused
 */
export async function readDelimited(text: string, table: Table): Promise<void> {
  const delimiter = delimiterOf(text)
  const bytes = Buffer.from(text)
  let row = 0
  let start = 0
  for (let openQuotes = 0; start < bytes.length; openQuotes++) {
    if (openQuotes > maxOpenQuotes) throw new MenuFileRefused(`More than ${maxOpenQuotes} rows have a quote that is never closed.`)
    const openQuote = await readUntilOpenQuote(bytes.subarray(start), delimiter, table, (cells) => table.add(++row, cells))
    if (openQuote === null) return
    const at = start + openQuote
    start = lineAfter(bytes, at)
    const cells = splitLine(bytes.toString('utf8', at, Math.min(start, at + maxRecordLength)).trim(), delimiter)
    table.add(++row, cells, 'A quote is opened but never closed')
  }
}

/** Where the next line begins; lines may end with CRLF, LF or CR. */
function lineAfter(bytes: Buffer, at: number): number {
  const ends = ['\n', '\r'].map((end) => bytes.indexOf(end, at)).filter((end) => end !== -1)
  if (ends.length === 0) return bytes.length
  const end = Math.min(...ends)
  return bytes.toString('latin1', end, end + 2) === '\r\n' ? end + 2 : end + 1
}

/** Calls `add` for each row. Returns where the row with an unclosed quote begins, or null at the end. */
async function readUntilOpenQuote(bytes: Buffer, delimiter: string, table: Table, add: (cells: string[]) => void): Promise<number | null> {
  let openQuote: number | null = null
  let rowStart = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRecordLength,
    // Needed to count rows like a spreadsheet.
    skip_empty_lines: false,
    skip_records_with_error: true,
    on_skip: () => {
      openQuote ??= rowStart
    },
    // Rows are taken here instead of from the stream, so that those before an unclosed quote aren't lost.
    on_record: (cells: string[], { bytes: end }) => {
      if (openQuote !== null) return null
      if (cells.some((cell) => holdsRows(cell, delimiter, table.width()))) openQuote = rowStart
      else add(cells)
      rowStart = end
      return null
    },
  })
  try {
    for await (const _ of Readable.from(piecesOf(bytes, () => openQuote !== null)).pipe(parser)) {
      // Nothing arrives: see `on_record`.
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new MenuFileRefused('We can’t read this CSV file. Save the sheet as "CSV UTF-8" and send that.')
  }
  return openQuote
}

async function* piecesOf(bytes: Buffer, isDone: () => boolean): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length && !isDone(); at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes)
    await yieldToOthers()
  }
}

/** Whether a cell has a line with about as many columns as the table: an unclosed quote ended at the next one, rows later. */
function holdsRows(cell: string, delimiter: string, width: number): boolean {
  if (width < 3 || !cell.includes('\n')) return false
  return cell
    .split('\n')
    .slice(1)
    .some((line) => line.split(delimiter, width).length >= width - 1)
}

const splitLine = (line: string, delimiter: string): string[] =>
  line
    .replace(/"[^"]*"/g, (quoted) => quoted.replaceAll(delimiter, ' '))
    .split(delimiter, maxColumns + 1)
    .map((cell) => cell.replaceAll('"', '').trim())

/** The delimiter whose best row looks most like a menu's header, or else the one that appears most often in the first nonempty line. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, maxRecordLength)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, maxHeadRows)
  const scoreOf = (delimiter: string): [guessed: number, columns: number] => {
    const rows = lines.map((line) => splitLine(line, delimiter))
    return [Math.max(0, ...rows.map(guessedCount)), rows[0]?.length ?? 0]
  }
  return delimiters
    .map((delimiter) => ({ delimiter, score: scoreOf(delimiter) }))
    .reduce((best, each) => ((each.score[0] - best.score[0] || each.score[1] - best.score[1]) > 0 ? each : best)).delimiter
}
