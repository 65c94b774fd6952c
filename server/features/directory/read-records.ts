import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse/sync'

export type FileRecord = { line: number; fields: string[]; isLatin1: boolean }
/** What could not be read as a record, with its text as it stands in the file. */
export type Unreadable = { line: number; reason: string; text: string }

/** No field of a license file is long; a longer line is a file of another kind, or has lost its line breaks. */
const maxLineBytes = 1024 * 1024
/** A quoted field may contain line breaks, but a quote that stays open longer than this was never meant to. */
const maxJoinedLines = 10

type Line = { number: number; text: string; isLatin1: boolean }

/**
 * Reads a CSV file in pieces, in bounded memory, and answers the records of each piece, the header among them.
 *
 * Line breaks are LF or CRLF; a byte order mark is dropped; a line that is not valid UTF-8 is read as Windows-1252.
 * What stands between two line breaks is a record, unless quotes say otherwise; so a broken quote costs its own line and
 * not, as CSV would have it, everything up to the next quote.
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
  // A file's last line break ends its last line and begins no other.
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

/** `rest`: lines of an open quote that the next piece may close. */
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
      } else records.push({ line: line.number, reason: 'A quote is opened and not closed.', text: line.text })
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

/** All at once, because a parser takes longer to set up than to read a line; one by one when they do not come out even. */
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

/** Takes quotes inside a field as they are (`5" pipe`), but only when the columns then come out right. */
function parseLoosely(text: string, width: number | null): string[] | null {
  if (width === null) return null
  try {
    const [fields, ...others] = parse(text, { relax_column_count: true, relax_quotes: true, record_delimiter: '\n' }) as string[][]
    return fields?.length === width && others.length === 0 ? fields : null
  } catch {
    return null
  }
}
