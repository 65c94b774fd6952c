import type * as z from 'zod/mini'
import { HuntDocument, maxArchiveRows } from '../../../contracts/hunt-archive.ts'
import { AppError, type Issue, invalidInput } from '../../kernel/errors.ts'
import { requireShallow } from '../../kernel/json-body.ts'
import { archiveTables } from './archive-tables.ts'

/** A row holds a few thousand characters of notes at most. */
const maxRowBytes = 256 * 1024
/** This many wrong fields are named; a file that is wrong throughout is not read to its end. */
const maxIssues = 1_000

const lists = new Set<string>(archiveTables.map(({ list }) => list))

/**
 * Reads an exported hunt row by row: a large one is in memory as bytes and as its rows, never as one text or one tree, and a wrong one is
 * refused after its first thousand wrong fields.
 * @throws AppError invalid_input, too_large
 */
export function parseDocument(json: Buffer): HuntDocument {
  requireShallow(json)
  const issues: Issue[] = []
  const rows: Record<string, unknown[]> = {}
  const others: Record<string, unknown> = {}
  let left = maxArchiveRows
  for (const { name, from, to, isList } of membersOf(json)) {
    if (!lists.has(name) || !isList) {
      others[name] = parseValue(json, from, to)
      continue
    }
    const row = rowSchema(name)
    const parsed: unknown[] = []
    rows[name] = parsed
    for (const [start, end] of itemsOf(json, from)) {
      if (left-- === 0) throw new AppError('too_large', { message: 'This document has more entries than one import takes.' })
      const result = row.safeParse(parseValue(json, start, end))
      const place = parsed.push(result.data) - 1
      for (const issue of result.error?.issues ?? []) issues.push({ ...issue, path: [name, place, ...issue.path] })
      if (issues.length >= maxIssues) throw invalidInput(issues.slice(0, maxIssues))
    }
  }
  // The rows are checked already; this names what is missing or wrong beside them.
  const frame = HuntDocument.safeParse({ ...others, ...Object.fromEntries(Object.keys(rows).map((name) => [name, []])) })
  if (frame.error) issues.unshift(...frame.error.issues)
  if (issues.length > 0 || !frame.data) throw invalidInput(issues.slice(0, maxIssues))
  return Object.assign(frame.data, rows)
}

const rowSchema = (list: string) => (HuntDocument.shape[list as 'plants'] as z.ZodMiniArray<z.ZodMiniType>).def.element

const notJson = () => new AppError('invalid_input', { message: 'The body is not valid JSON.' })

function parseValue(json: Buffer, from: number, to: number): unknown {
  if (to - from > maxRowBytes) throw new AppError('too_large', { message: 'An entry of this document is too large.' })
  try {
    return JSON.parse(json.toString('utf8', from, to))
  } catch {
    throw notJson()
  }
}

const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] = [...'"\\,:[]{}'].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number, number, number]

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipSpace(json: Buffer, at: number): number {
  let next = at
  while (isSpace(json[next])) next++
  return next
}

/** The place behind the value that begins here. Whether it is well formed is for JSON.parse. */
function endOfValue(json: Buffer, at: number): number {
  let depth = 0
  for (let next = at; next < json.length; next++) {
    const byte = json[next]
    if (byte === quote) {
      for (next++; next < json.length && json[next] !== quote; next++) if (json[next] === backslash) next++
      if (depth === 0) return next + 1
    } else if (byte === openList || byte === openObject) depth++
    else if (byte === closeList || byte === closeObject) {
      if (depth === 0) return next
      if (--depth === 0) return next + 1
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return next
  }
  throw notJson()
}

type Member = { name: string; from: number; to: number; isList: boolean }

/** The members of the object that the text is. */
function* membersOf(json: Buffer): Generator<Member> {
  const names = new Set<string>()
  let at = skipSpace(json, 0)
  if (json[at] !== openObject) throw notJson()
  at = skipSpace(json, at + 1)
  for (let isFirst = true; json[at] !== closeObject; isFirst = false) {
    if (!isFirst) at = skipSpace(json, behind(json, at, comma))
    if (json[at] !== quote) throw notJson()
    const end = endOfValue(json, at)
    const name = parseValue(json, at, end) as string
    if (names.has(name)) throw new AppError('invalid_input', { message: `“${name.slice(0, 40)}” is in this document twice.` })
    names.add(name)
    const from = skipSpace(json, behind(json, skipSpace(json, end), colon))
    const to = endOfValue(json, from)
    yield { name, from, to, isList: json[from] === openList }
    at = skipSpace(json, to)
  }
  if (skipSpace(json, at + 1) !== json.length) throw notJson()
}

/** Where the items of the list that begins here begin and end. */
function* itemsOf(json: Buffer, from: number): Generator<[number, number]> {
  let at = skipSpace(json, from + 1)
  for (let isFirst = true; json[at] !== closeList; isFirst = false) {
    if (!isFirst) at = skipSpace(json, behind(json, at, comma))
    const end = endOfValue(json, at)
    yield [at, end]
    at = skipSpace(json, end)
  }
}

function behind(json: Buffer, at: number, sign: number): number {
  if (json[at] !== sign) throw notJson()
  return at + 1
}
