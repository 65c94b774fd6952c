import { type SelectQueryBuilder, type StringReference, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { AppError } from './errors.ts'

/** `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

type Value = string | number | null

/** Encodes the sort key of a page's last row. Opaque to clients, but not secret. */
export function encodeCursor(key: readonly Value[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** `integer` is PostgreSQL's; `time` is an ISO date-time in UTC; `id` is a UUID. */
type Kind = 'string' | 'number' | 'integer' | 'time' | 'id'
export type CursorKey<Kinds extends readonly Kind[]> = {
  readonly [K in keyof Kinds]: Kinds[K] extends 'number' | 'integer' ? number : string
}

/**
 * Decodes a cursor and checks its shape against `kinds`, so a forged one can't reach a query.
 * @throws AppError invalid_input
 */
export function decodeCursor<const Kinds extends readonly Kind[]>(cursor: string | undefined, kinds: Kinds): CursorKey<Kinds> | null {
  if (cursor === undefined) return null
  let key: unknown
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    key = null
  }
  if (!Array.isArray(key) || key.length !== kinds.length || !key.every((part, i) => isOfKind(part, kinds[i] as Kind))) {
    throw new AppError('invalid_input', {
      message: 'This cursor isn’t valid. Start again from the first page.',
      fields: { cursor: 'Not valid' },
    })
  }
  return key as unknown as CursorKey<Kinds>
}

function isOfKind(part: unknown, kind: Kind): boolean {
  // JSON such as 1e999 parses to infinity.
  if (kind === 'number') return typeof part === 'number' && Number.isFinite(part)
  if (kind === 'integer') return Number.isInteger(part) && Math.abs(part as number) <= 2_147_483_647
  if (typeof part !== 'string') return false
  if (kind === 'id') return isUuid(part)
  if (kind === 'time') return isTime(part)
  // PostgreSQL text can't contain NUL.
  return !part.includes('\0')
}

/** Whether the text has the format of `toISOString` and is a date that PostgreSQL accepts: not February 30 or the year 0. */
function isTime(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** Cuts off the extra row that was read to detect a next page. */
export function toPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => readonly Value[]): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(keyOf(last)) : null }
}

type After = readonly [time: string, id: string] | null

/** Sorts by time and ID, newest first, and starts after the cursor's row. */
export const newestAfter = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  time: StringReference<DB, TB>,
  id: StringReference<DB, TB>,
  after: After,
) => startAfter(query, time, id, after, 'desc')

/** Like `newestAfter`, but oldest first. */
export const oldestAfter: typeof newestAfter = (query, time, id, after) => startAfter(query, time, id, after, 'asc')

function startAfter<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  time: string,
  id: string,
  after: After,
  direction: 'asc' | 'desc',
): SelectQueryBuilder<DB, TB, Row> {
  const key = sql`(${sql.ref(time)}, ${sql.ref(id)})`
  const sign = sql.raw(direction === 'desc' ? '<' : '>')
  const rest = after === null ? query : query.where(sql<boolean>`${key} ${sign} (${after[0]}::timestamptz, ${after[1]}::uuid)`)
  return rest.orderBy(sql.ref(time), direction).orderBy(sql.ref(id), direction)
}
