import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { decodeText } from '#contracts/csv.ts'
import { figure } from '#contracts/fields.ts'
import { maxMenuVariants } from '#contracts/limits.ts'
import { ParsingTooLarge, parseInProcess } from '#server/kernel/parse-process.ts'
import { guessColumns, guessedCount } from './guess-columns.ts'
import { createTable, type FileRow, type MenuFile, MenuFileRefused, maxColumns, maxHeadRows, type Table } from './menu-table.ts'
import { readStock, readWeight } from './read-values.ts'

/**
 * Parses a menu as exported by spreadsheets and points of sale: an Excel workbook, or text in UTF-8, UTF-16 or Windows-1252.
 * @throws MenuFileRefused
 */
export async function readMenuFile(bytes: Buffer): Promise<MenuFile> {
  const table = createTable()
  if (isWorkbook(bytes)) await readWorkbook(bytes, table)
  else await readDelimited(decode(bytes), table)
  return withWeightRows(table.finish())
}

function decode(bytes: Buffer): string {
  const text = decodeText(bytes)
  if (text === null) {
    throw new MenuFileRefused(
      'We can’t read this kind of file. Save the sheet as an Excel workbook (.xlsx) or as “CSV UTF-8”, and upload that.',
    )
  }
  return text
}

const pieceBytes = 64 * 1024
/** In characters. Without this limit, an unclosed quote would turn the rest of the file into one cell. */
const maxRecordLength = 200_000
/** Each quote that is never closed makes the parser start over. */
const maxOpenQuotes = 100

const delimiters = [',', ';', '\t', '|'] as const

/**
 * Parses text separated by commas, semicolons, tabs or pipes into a table. If a quote is never closed, its row is marked and the rest is
 * still read. Yields to other requests, because 10 MB takes a second.
 * @throws MenuFileRefused
 */
async function readDelimited(text: string, table: Table): Promise<void> {
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
    // Rows are counted as in a spreadsheet, including empty ones.
    skip_empty_lines: false,
    skip_records_with_error: true,
    on_skip: () => {
      openQuote ??= rowStart
    },
    // Collects rows here instead of from the stream, so that rows before an unclosed quote aren't lost.
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
      // The stream has no rows: `on_record` collects them.
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new MenuFileRefused('We can’t read this CSV file. Save the sheet as “CSV UTF-8” and upload that.')
  }
  return openQuote
}

async function* piecesOf(bytes: Buffer, isDone: () => boolean): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length && !isDone(); at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes)
    await yieldToOthers()
  }
}

/** Whether a cell has a line with about as many columns as the table: a sign that an unclosed quote ended at the next quote, rows later. */
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

/**
 * The delimiter whose best row looks most like a menu's header, or else the one that splits the most lines into the same number of columns.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, maxRecordLength)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, maxHeadRows)
  const scoreOf = (delimiter: string): [guessed: number, alike: number, columns: number] => {
    const rows = lines.map((line) => splitLine(line, delimiter))
    const linesOfWidth = [...Map.groupBy(rows, ({ length }) => length)].filter(([width]) => width > 1)
    const [columns, alike] = linesOfWidth.reduce(
      (best, [width, { length }]) => ((length - best[1] || width - best[0]) > 0 ? [width, length] : best),
      [1, 0],
    )
    return [Math.max(0, ...rows.map(guessedCount)), alike, columns]
  }
  type Score = ReturnType<typeof scoreOf>
  const compare = (one: Score, other: Score) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
  return delimiters
    .map((delimiter) => ({ delimiter, score: scoreOf(delimiter) }))
    .reduce((best, each) => (compare(each.score, best.score) > 0 ? each : best)).delimiter
}

/** Fewer weight columns may be a coincidence, such as a column "Half" for another purpose. */
const minColumns = 2

/** Cells for a weight that a business doesn't sell. */
const noPrice = /^[-–—$\s]*(?:0+(?:[.,]0+)?|n\/?a|none)?$/i

/**
 * Some exports have one row per product with a price column for each weight: `PRICE_GRAM`, `PRICE_EIGHTH`, `3.5g`. Turns them into one row
 * per weight, with the columns Weight and Price. Rows without such a price keep their own weight and price. All weights of a product share
 * its SKU and stock in these files, so each row gets the SKU with its weight added, and the stock without a quantity.
 * @throws MenuFileRefused
 */
export function withWeightRows(file: MenuFile): MenuFile {
  const weights = file.header.map(weightOfColumn)
  if (weights.filter((weight) => weight !== null).length < minColumns) return file
  const kept = file.header.flatMap((_, i) => (weights[i] === null ? [i] : []))
  const header = kept.map((i) => file.header[i] ?? '')
  const fields = guessColumns(header)
  const columnOf = (field: 'weight' | 'price', name: string) => {
    const at = fields.indexOf(field)
    return at === -1 ? header.push(name) - 1 : at
  }
  const [weightAt, priceAt] = [columnOf('weight', 'Weight'), columnOf('price', 'Price')]
  const [skuAt, stockAt] = [fields.indexOf('sku'), fields.indexOf('stock')]

  const rowsOf = (row: FileRow): FileRow[] => {
    const cells = header.map((_, i) => row.cells[kept[i] ?? -1] ?? '')
    const sizes = weights.flatMap((weight, i) => {
      const price = row.cells[i] ?? ''
      return weight === null || noPrice.test(price) ? [] : [{ weight, price }]
    })
    if (sizes.length === 0) return [{ ...row, cells }]
    return sizes.map(({ weight, price }) => {
      const own = new Map([
        [weightAt, weight],
        [priceAt, price],
      ])
      if (cells[skuAt]) own.set(skuAt, `${cells[skuAt]}-${weight.replace(' ', '')}`)
      if (cells[stockAt]) own.set(stockAt, withoutQuantity(cells[stockAt]))
      return { ...row, cells: cells.map((cell, i) => own.get(i) ?? cell) }
    })
  }

  const rows = file.rows.flatMap(rowsOf)
  if (rows.length > maxMenuVariants) throw new MenuFileRefused(`A menu file can have up to ${figure(maxMenuVariants)} prices.`)
  return { header, rows }
}

/** "PRICE_EIGHTH", "Price (1/8 oz)", "3.5g" → the weight, as `readWeight` reads it. */
function weightOfColumn(name: string): string | null {
  const words = name
    .toLowerCase()
    .replace(/[_()$:]/g, ' ')
    .replace(/\b(?:price|per)\b/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
  const word = words.replace(/^(?:1 )?(half|quarter|eighth) ?(?:oz|ounce)$/, '$1').replace(/^(?:1 )?(?:oz|ounce)$/, 'ounce')
  const found = readWeight(word === 'g' ? 'gram' : word)
  if ('error' in found || found.value.amount === null) return null
  const { amount, unit } = found.value
  return unit === 'g' ? `${amount} g` : null
}

function withoutQuantity(stock: string): string {
  const found = readStock(stock)
  return 'error' in found ? stock : found.value.isAvailable ? 'In stock' : 'Out of stock'
}

/** Excel workbooks are ZIP files. */
const isWorkbook = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004'

/** Memory in megabytes. A workbook that needs more is refused. Its XML is in memory several times over. */
const workbookLimits = { maxHeap: 192, maxMemory: 640, timeLimitMs: 60_000 }

export type WorkbookLine = FileRow | { isDone: true } | { refused: string }

/**
 * Reads the rows of a workbook's first sheet, as text.
 * @throws MenuFileRefused
 */
async function readWorkbook(bytes: Buffer, table: Pick<Table, 'add'>): Promise<void> {
  try {
    for await (const text of parseInProcess(new URL('./workbook-process.ts', import.meta.url), bytes, workbookLimits)) {
      const line = JSON.parse(text) as WorkbookLine
      if ('refused' in line) throw new MenuFileRefused(line.refused)
      if ('isDone' in line) return
      table.add(line.row, line.cells)
    }
  } catch (error) {
    if (!(error instanceof ParsingTooLarge)) throw error
    throw new MenuFileRefused('This workbook is too large to read. Save the sheet as “CSV UTF-8” and upload that.')
  }
  throw new Error('The process that reads a workbook stopped early.')
}
