import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { unguardCell } from '../../../contracts/csv.ts'
import { maxMenuRows } from '../../../contracts/menu-imports.ts'

/** Says in a sentence for the keeper why a file cannot be read. */
export class MenuFileRefused extends Error {
  override readonly name = 'MenuFileRefused'
}

/** `row` counts as a spreadsheet does: the header is row 1, an empty row is one too. */
export type FileRow = { row: number; cells: string[] }
export type MenuFile = { header: string[]; rows: FileRow[] }

const mostColumns = 200
const pieceLength = 64 * 1024
/** In characters; a quote that is never closed would else make one cell of the rest of the file. */
const longestRecord = 200_000

/**
 * Reads a menu as spreadsheets and shop software write it: UTF-8, UTF-16 or Windows-1252, with commas, semicolons, tabs or bars
 * between the cells. It gives way to others now and then, since 16 MB take a second.
 * @throws MenuFileRefused
 */
export async function readMenuFile(bytes: Buffer): Promise<MenuFile> {
  const text = decode(bytes)
  const options = {
    delimiter: delimiterOf(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: longestRecord,
    // Kept, so that rows are counted as one sees them.
    skip_empty_lines: false,
  }
  let header: string[] | null = null
  const rows: FileRow[] = []
  let row = 0
  let width = Number.POSITIVE_INFINITY
  try {
    for await (const record of Readable.from(piecesOf(text)).pipe(parse(options)) as AsyncIterable<string[]>) {
      row++
      // What stands to the right of all columns is not kept: a row may have a hundred thousand cells.
      const cells: string[] = record.slice(0, width).map((cell) => unguardCell(cell.trim()))
      if (cells.every((cell) => cell === '')) continue
      if (header !== null) rows.push({ row, cells })
      else if (cells.length > mostColumns) {
        throw new MenuFileRefused(`The file has ${cells.length} columns; at most ${mostColumns} can be read.`)
      } else {
        header = cells
        width = cells.length
      }
      if (rows.length > maxMenuRows) throw new MenuFileRefused(`A menu file can have at most ${maxMenuRows} rows.`)
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
    // Each piece is encoded by itself, so none may end in the middle of a character of two units.
    const next = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end
    yield text.slice(at, next)
    at = next
    await yieldToOthers()
  }
}

function reasonOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    const line = 'lines' in error ? ` near line ${Number(error.lines)}` : ''
    return `A quote is opened${line} and never closed. Correct the file and send it again.`
  }
  return 'This is no CSV file that can be read. Save the sheet as "CSV UTF-8" and send that.'
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0)) {
    throw new MenuFileRefused('This is no text. Save the sheet as "CSV UTF-8" and send that; an Excel file itself cannot be read.')
  }
  // TextDecoder drops the byte order mark.
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

const delimiters = [',', ';', '\t', '|'] as const

/** The one that the first line with anything in it has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = /\S[^\r\n]*/.exec(text.slice(0, longestRecord)) ?? []
  const bare = line.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => bare.split(delimiter).length
  return delimiters.reduce<string>((best, each) => (countOf(each) > countOf(best) ? each : best), ',')
}
