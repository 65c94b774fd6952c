import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { foldText } from '#server/kernel/fold-text.ts'

export type FileRecord = { line: number; fields: string[]; isLatin1: boolean }
export type Unreadable = { line: number; reason: string; text: string }

/** License files have only short fields, so a longer line means another kind of file or lost line breaks. */
const maxLineBytes = 1024 * 1024
/** A quoted field may contain line breaks, but a quote that is still open after this many lines is a mistake. */
const maxJoinedLines = 10

type Line = { number: number; text: string; isLatin1: boolean }

/**
 * Reads a CSV file in chunks with bounded memory, and yields the records of each chunk, including the header.
 *
 * Line breaks are LF or CRLF; a byte order mark is dropped; a line that isn't valid UTF-8 is read as Windows-1252. Every line
 * is a record unless quotes join it to the next one, so a broken quote affects only its own line, not everything up to the next
 * quote as in standard CSV.
 *
 * @throws Error for a file in UTF-16
 */
export async function* readRecords(file: string, onBytes: (bytes: number) => void): AsyncGenerator<(FileRecord | Unreadable)[]> {
  let width: number | null = null
  let carried: Line[] = []
  for await (const { lines, unreadable, isLast } of readLines(file, onBytes)) {
    const piece = toRecords([...carried, ...lines], width, isLast)
    carried = piece.rest
    width ??=
      piece.records.find((record): record is FileRecord => 'fields' in record && record.fields.some(isFilled))?.fields.length ?? null
    yield [...piece.records, ...unreadable].sort((a, b) => a.line - b.line)
  }
}

export const isFilled = (field: string): boolean => field.trim() !== ''

type Piece = { lines: Line[]; unreadable: Unreadable[]; isLast: boolean }

async function* readLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let isTooLong = false
  let isFirst = true
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    onBytes(chunk.length)
    let buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (isFirst) buffer = withoutByteOrderMark(buffer)
    isFirst = false
    const lines: Line[] = []
    const unreadable: Unreadable[] = []
    let start = 0
    for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, start)) {
      number++
      if (isTooLong) unreadable.push({ line: number, reason: 'The line is longer than a megabyte.', text: '' })
      else lines.push(decode(buffer.subarray(start, end), number))
      isTooLong = false
      start = end + 1
    }
    rest = Buffer.from(buffer.subarray(start))
    if (rest.length > maxLineBytes) {
      isTooLong = true
      rest = Buffer.alloc(0)
    }
    yield { lines, unreadable, isLast: false }
  }
  number++
  const last: Piece = { lines: [], unreadable: [], isLast: true }
  if (isTooLong) last.unreadable.push({ line: number, reason: 'The line is longer than a megabyte.', text: '' })
  // A trailing line break doesn't start another line.
  else if (rest.length > 0) last.lines.push(decode(isFirst ? withoutByteOrderMark(rest) : rest, number))
  yield last
}

function withoutByteOrderMark(buffer: Buffer): Buffer {
  const [first, second, third] = buffer
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new Error('The file is in UTF-16. Save it as "CSV UTF-8" and import that.')
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? buffer.subarray(3) : buffer
}

const windows1252 = new TextDecoder('windows-1252')

function decode(bytes: Buffer, number: number): Line {
  const line = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
  const isLatin1 = !isUtf8(line)
  return { number, text: isLatin1 ? windows1252.decode(line) : line.toString('utf8'), isLatin1 }
}

/** `rest`: lines of an open quote that the next chunk may close. */
function toRecords(lines: Line[], width: number | null, isLast: boolean): { records: (FileRecord | Unreadable)[]; rest: Line[] } {
  const records: (FileRecord | Unreadable)[] = []
  const quoted: { at: number; line: Line }[] = []
  let rest: Line[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as Line
    const quotes = countQuotes(line.text)
    if (quotes === 0) records.push(toRecord(line, line.text.split(',')))
    else if (quotes % 2 === 0) quoted.push({ at: records.push(toRecord(line, [])) - 1, line })
    else {
      const alone = parseLoosely(line.text, width)
      const joined = alone ? null : joinLines(lines, i, width)
      if (alone) records.push(toRecord(line, alone))
      else if (joined) {
        records.push(toRecord(line, joined.fields))
        i += joined.count - 1
      } else if (!isLast && lines.length - i < maxJoinedLines) {
        rest = lines.slice(i)
        break
      } else records.push({ line: line.number, reason: 'A quote is opened but never closed.', text: line.text })
    }
  }
  parseQuoted(quoted, records, width)
  return { records, rest }
}

const toRecord = (line: Line, fields: string[]): FileRecord => ({ line: line.number, fields, isLatin1: line.isLatin1 })

function countQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++
  return count
}

/** Parses all lines in one call, because parser setup costs more than a line; falls back to single lines if the counts differ. */
function parseQuoted(quoted: { at: number; line: Line }[], records: (FileRecord | Unreadable)[], width: number | null): void {
  if (quoted.length === 0) return
  const together = parseStrictly(quoted.map(({ line }) => line.text).join('\n'))
  quoted.forEach(({ at, line }, i) => {
    const fields = together?.length === quoted.length ? together[i] : (parseStrictly(line.text)?.[0] ?? parseLoosely(line.text, width))
    records[at] = fields ? toRecord(line, fields) : { line: line.number, reason: 'The quotes are broken.', text: line.text }
  })
}

function joinLines(lines: Line[], from: number, width: number | null): { fields: string[]; count: number } | null {
  for (let count = 2; count <= maxJoinedLines && from + count <= lines.length; count++) {
    const text = lines
      .slice(from, from + count)
      .map((line) => line.text)
      .join('\n')
    if (countQuotes(text) % 2 !== 0) continue
    const parsed = parseStrictly(text)
    if (parsed?.length === 1 && (width === null || parsed[0]?.length === width)) return { fields: parsed[0] as string[], count }
  }
  return null
}

function parseStrictly(text: string): string[][] | null {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: '\n' })
  } catch {
    return null
  }
}

/** Accepts quotes inside a field (`5" pipe`), but only if the number of columns then matches. */
function parseLoosely(text: string, width: number | null): string[] | null {
  if (width === null) return null
  try {
    const [fields, ...others] = parse(text, { relax_column_count: true, relax_quotes: true, record_delimiter: '\n' }) as string[][]
    return fields?.length === width && others.length === 0 ? fields : null
  } catch {
    return null
  }
}

/** Columns of a license file by header name, in any order. Other columns are ignored. */
export const columns = [
  'state',
  'license_number',
  'dba_name',
  'license_type',
  'business_type',
  'license_status',
  'designation',
  'street',
  'city',
  'county',
  'zip',
  'phone',
  'website',
  'latitude',
  'longitude',
  'geo_precision',
  'authority',
  'authority_id',
  'data_refreshed',
  'license_expiration',
] as const

/** Names that other files use. If a file has both, the name in `columns` wins. */
const aliases: Partial<Record<Column, string>> = { license_expiration: 'expiration_date' }

const requiredColumns: readonly Column[] = ['state', 'dba_name']

type Column = (typeof columns)[number]
export type RawRow = Record<Column, string>

export class HeaderError extends Error {
  override name = 'HeaderError'
}

/** @throws HeaderError that lists the expected columns */
export function readHeader(fields: readonly string[]): { width: number; toRow(fields: readonly string[]): RawRow } {
  const written = fields.map((field) => field.trim().toLowerCase())
  const ours = new Map(Object.entries(aliases).map(([column, alias]) => [alias, column]))
  const names = written.map((name) => {
    const column = ours.get(name)
    return column && !written.includes(column) ? column : name
  })
  const missing = requiredColumns.filter((column) => !names.includes(column))
  const doubled = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (missing.length > 0 || doubled) {
    const problem = doubled ? `names the column ${doubled} twice` : `has no column ${missing.join(' and no column ')}`
    throw new HeaderError(
      `The first line ${problem}. It must be a header with these columns in any order, at least ${requiredColumns.join(' and ')}: ${columns.join(', ')}.`,
    )
  }
  const positions = columns.map((column) => [column, names.indexOf(column)] as const)
  return {
    width: fields.length,
    toRow: (row) => Object.fromEntries(positions.map(([column, at]) => [column, at === -1 ? '' : (row[at] ?? '').trim()])) as RawRow,
  }
}

const upperLegalForms = new Set(['llc', 'llp', 'lllp', 'pllc'])
/** Abbreviations that stay uppercase in names written in all caps. */
const initials = new Set([
  'THC',
  'CBD',
  'USA',
  'US',
  'DBA',
  'II',
  'III',
  'IV',
  'NE',
  'NW',
  'SE',
  'SW',
  'LLC',
  'LLP',
  'LLLP',
  'PLLC',
  'LP',
  'NV',
  'NYC',
  'LA',
  'DC',
  'MJ',
  'TJ',
  'AZ',
  'CO',
  'WA',
  'OR',
])

/** Normalizes spaces and case without changing words. `tidyStreet` and `tidyCity` do the same for addresses. */
export function tidyName(text: string): string {
  const name = spaced(text).replace(/[\s*]+$/, '')
  return repairTitleCase(isAllCaps(name) ? titleCase(name) : isAllLowercase(name) ? capitalized(name) : name)
    .split(' ')
    .map((word) => (upperLegalForms.has(word.replace(/[.,]+$/, '').toLowerCase()) || /^Iii?$/.test(word) ? word.toUpperCase() : word))
    .join(' ')
}

export function tidyStreet(text: string): string {
  const street = spaced(text)
  return (
    repairTitleCase(isAllCaps(street) ? titleCase(street) : street)
      .replace(/\b(ne|nw|se|sw)\b/gi, (direction) => direction.toUpperCase())
      .replace(/\b(po) box\b/gi, 'PO Box')
      // Splits "DrUnit 28", "RoadSuite 100" and "Hwy101".
      .replace(/(\p{Ll})(?=(?:Unit|Suite|Ste|Apt|Bldg|Building|Floor|Room)\b)/gu, '$1 ')
      .replace(/\b(Hwy|Highway)(?=\d)/g, '$1 ')
  )
}

export const tidyCity = (text: string): string => {
  const city = spaced(text)
  return repairTitleCase(isAllCaps(city) ? titleCase(city) : isAllLowercase(city) ? capitalized(city) : city)
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()

/** One word in capitals may be a brand (RISE); two mean that caps lock was on. */
const isAllCaps = (text: string) => !/\p{Ll}/u.test(text) && text.split(' ').filter((word) => /\p{L}{3}/u.test(word)).length > 1
const isAllLowercase = (text: string) => /\p{Ll}/u.test(text) && !/\p{Lu}/u.test(text)

const titleCase = (text: string) =>
  text.replace(/[\p{L}\p{M}'’]+/gu, (word) =>
    initials.has(word) || word.length === 1 ? word : word.charAt(0) + word.slice(1).toLowerCase(),
  )

const capitalized = (text: string) =>
  text.replace(/(^|[\s(/-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

/** Repairs bad title-casing of "Bob's", "7th" and "Bouffée": Bob'S, 7Th, BoufféE. */
const repairTitleCase = (text: string) =>
  text
    .replace(/(\p{L}['’])S\b/gu, '$1s')
    .replace(/(\d)(St|Nd|Rd|Th)\b/g, (_, digit: string, ending: string) => digit + ending.toLowerCase())
    .replace(/([^\p{ASCII}\W]|[À-žḀ-ỿ])(\p{Lu})(?=$|[^\p{L}])/gu, (whole, letter: string, last: string) =>
      /\p{Ll}/u.test(letter) ? letter + last.toLowerCase() : whole,
    )

const streetWords: Record<string, string> = {
  street: 'st',
  avenue: 'ave',
  av: 'ave',
  road: 'rd',
  boulevard: 'blvd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  highway: 'hwy',
  parkway: 'pkwy',
  place: 'pl',
  circle: 'cir',
  square: 'sq',
  terrace: 'ter',
  trail: 'trl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
}
const unitWords = new Set(['suite', 'ste', 'unit', 'apt', 'building', 'bldg', 'number', 'no', 'space', 'room', 'rm'])

/** Common spellings of an address have the same key: "755 South Jason Street, Unit 150" and "755 S. Jason St #150". */
export function streetKey(street: string): string {
  return foldText(street)
    .replace(/['.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => streetWords[word] ?? word)
    .filter((word) => !unitWords.has(word))
    .join(' ')
}
