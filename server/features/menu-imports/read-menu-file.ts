import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { unguardCell } from '#contracts/csv.ts'
import { maxMenuRows } from '#contracts/limits.ts'

/** Its message tells the menu editor in one sentence why a file can't be read. */
export class MenuFileRefused extends Error {
  override readonly name = 'MenuFileRefused'
}

/** `row` counts like a spreadsheet: the header is row 1, and empty rows count. */
export type FileRow = { row: number; cells: string[] }
export type MenuFile = { header: string[]; rows: FileRow[] }

const maxColumns = 200
const pieceLength = 64 * 1024
/** In characters. Without it, an unclosed quote would turn the rest of the file into one cell. */
const maxRecordLength = 200_000

/**
 * Parses a menu as exported by spreadsheets and shop software: UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons,
 * tabs or bars. Yields to other requests, since 16 MB take a second.
 * @throws MenuFileRefused
 */
export async function readMenuFile(bytes: Buffer): Promise<MenuFile> {
  const text = decode(bytes)
  const options = {
    delimiter: delimiterOf(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRecordLength,
    // Needed to count rows like a spreadsheet.
    skip_empty_lines: false,
  }
  let header: string[] | null = null
  const rows: FileRow[] = []
  let row = 0
  let width = Number.POSITIVE_INFINITY
  try {
    for await (const record of Readable.from(piecesOf(text)).pipe(parse(options)) as AsyncIterable<string[]>) {
      row++
      // Cells beyond the header are dropped: a row may have a hundred thousand of them.
      const cells: string[] = record.slice(0, width).map((cell) => unguardCell(cell.trim()))
      if (cells.every((cell) => cell === '')) continue
      if (header !== null) rows.push({ row, cells })
      else if (cells.length > maxColumns) {
        throw new MenuFileRefused(`The file has ${cells.length} columns. We can read up to ${maxColumns}.`)
      } else {
        header = cells
        width = cells.length
      }
      if (rows.length > maxMenuRows) throw new MenuFileRefused(`A menu file can have up to ${maxMenuRows} rows.`)
    }
  } catch (error) {
    throw error instanceof CsvError ? new MenuFileRefused(reasonOf(error)) : error
  }
  if (header === null) throw new MenuFileRefused('The file is empty.')
  if (rows.length === 0) throw new MenuFileRefused('The file has a header and no rows.')
  return { header, rows }
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength
    // Each piece is encoded on its own, so none may end inside a surrogate pair.
    const next = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end
    yield text.slice(at, next)
    at = next
    await yieldToOthers()
  }
}

function reasonOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    const line = 'lines' in error ? ` near line ${Number(error.lines)}` : ''
    return `A quote is opened${line} but never closed. Correct the file and send it again.`
  }
  return `We can't read this CSV file. Save the sheet as "CSV UTF-8" and send that.`
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0)) {
    throw new MenuFileRefused(`This isn't a text file. Save the sheet as "CSV UTF-8" and send that; we can't read Excel files.`)
  }
  // TextDecoder drops the byte order mark.
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

const delimiters = [',', ';', '\t', '|'] as const

/** The delimiter that appears most often outside quotes in the first nonempty line. */
function delimiterOf(text: string): string {
  const [line = ''] = /\S[^\r\n]*/.exec(text.slice(0, maxRecordLength)) ?? []
  const bare = line.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => bare.split(delimiter).length
  return delimiters.reduce<string>((best, each) => (countOf(each) > countOf(best) ? each : best), ',')
}
