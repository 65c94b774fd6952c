import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { figure } from '#contracts/fields.ts'
import { Day } from '#contracts/hunts.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import type { GrownHunt } from './hunts.ts'

/** The only crop. Clients send it back as a filter. */
export const crop = 'Cannabis'

/** Keyed by a search's plural names, such as `studyDbIds`. */
export type Filter = { readonly [name: string]: readonly string[] | undefined }
export type Paging = { page: number; pageSize: number }
export type BrapiQuery = {
  ctx: Context
  actor: Actor
  /** The person's hunts, limited to the requested trials and programs. */
  hunts: readonly GrownHunt[]
  filter: Filter
  paging: Paging
}
export type QueryResult = { rows: readonly object[]; total: number }
export type QueryReader = (asked: BrapiQuery) => Promise<QueryResult>

/** The maximum here, and BrAPI's default. Also limits the values of a filter, because more IDs wouldn't fit on a page. */
const maxPageSize = 1000
/** A response names at most this many unknown filters. */
const maxIgnored = 20

export type Status = { messageType: 'WARNING' | 'ERROR'; message: string }

export const ignoredWarning = (name: string): Status => ({
  messageType: 'WARNING',
  message: `The filter ${name} isn’t supported and was ignored.`,
})

const pageNumbers = ({ page, pageSize }: Paging, total: number) => ({
  currentPage: page,
  pageSize,
  totalCount: total,
  totalPages: Math.ceil(total / pageSize),
})

export const listResponse = (
  rows: readonly object[] | readonly string[],
  total: number,
  paging: Paging,
  status: readonly Status[] = [],
) => ({
  metadata: { datafiles: [], status, pagination: pageNumbers(paging, total) },
  result: { data: rows },
})

export const fullListResponse = (rows: readonly object[] | readonly string[], status: readonly Status[] = []) =>
  listResponse(rows, rows.length, { page: 0, pageSize: Math.max(rows.length, 1) }, status)

type Metadata = { paging: Paging; total: number; status: readonly Status[] }

export const singleResponse = (
  result: object,
  { paging, total, status }: Metadata = { paging: { page: 0, pageSize: 1 }, total: 1, status: [] },
) => ({
  metadata: { datafiles: [], status, pagination: pageNumbers(paging, total) },
  result,
})

export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new AppError('invalid_input', { message: 'Send a JSON object.' })
}

/** Filters that have the same name in a search as in a list, because they have no plural. */
const withoutPlural: readonly string[] = ['active', 'includeObservations', 'observationTimeStampRangeStart', 'observationTimeStampRangeEnd']
/** R writes TRUE, and Python True. */
const flags: readonly string[] = ['active', 'includeObservations']
const pagingNames: readonly string[] = ['page', 'pageSize', 'pageToken']
const singular = (name: string): string => (withoutPlural.includes(name) ? name : name.replace(/s$/, ''))

/** Unknown parameters are ignored, as BrAPI requires, but the response lists them. */
export function parseParams(
  names: readonly string[],
  given: Record<string, unknown>,
  isSearch: boolean,
): { filter: Filter; paging: Paging; ignored: string[] } {
  const byGiven = new Map(names.map((name) => [isSearch ? name : singular(name), name]))
  const filter: Record<string, readonly string[]> = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries(given)) {
    if (pagingNames.includes(name) || value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue
    const plural = byGiven.get(name)
    if (plural === undefined) {
      if (ignored.length < maxIgnored) ignored.push(name.slice(0, 100))
      continue
    }
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (values.length > maxPageSize) throw invalidField(name, `${name} can have up to ${figure(maxPageSize)} values`)
    filter[plural] = values.map((each) => (flags.includes(plural) ? textOf(each).toLowerCase() : textOf(each)))
  }
  const paging = {
    page: wholeNumber('page', given.page, { min: 0, max: 1_000_000, otherwise: 0 }),
    pageSize: wholeNumber('pageSize', given.pageSize, { min: 1, max: maxPageSize, otherwise: maxPageSize }),
  }
  return { filter, paging, ignored }
}

/** PostgreSQL can't store NUL, so text with it matches nothing. Observation levels are sent as objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return textOf((value as { levelName?: unknown }).levelName ?? '')
  return String(value).replaceAll('\0', '\uFFFD')
}

function wholeNumber(name: string, given: unknown, { min, max, otherwise }: { min: number; max: number; otherwise: number }): number {
  if (given === undefined || given === null || given === '') return otherwise
  const number = Number(given)
  if (!Number.isInteger(number) || number < min || number > max)
    throw invalidField(name, `${name} must be a whole number from ${min} to ${max}`)
  return number
}

/** Text that isn't an ID matches nothing. */
export const uuidsOf = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase()).filter(isUuid)

export const isOneOf = (column: RawBuilder<unknown>, ids: readonly string[] | undefined): RawBuilder<SqlBool> =>
  ids === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${column} = ${pageIds(uuidsOf(ids))}`

export const isTextOf = (column: RawBuilder<unknown>, texts: readonly string[] | undefined): RawBuilder<SqlBool> =>
  texts === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${column} = any(${texts}::text[])`

export const pageOf = (all: readonly object[], { page, pageSize }: Paging): QueryResult => ({
  rows: all.slice(page * pageSize, (page + 1) * pageSize),
  total: all.length,
})

/** Runs a query that selects `count(*) over () as total`. A page beyond the last one has no row with the total. */
export async function countedPage<Row extends { total: number }>(
  query: (limit: number, offset: number) => Promise<readonly Row[]>,
  { page, pageSize }: Paging,
): Promise<{ items: readonly Row[]; total: number }> {
  const items = await query(pageSize, page * pageSize)
  if (items[0]) return { items, total: items[0].total }
  const [first] = page === 0 ? [] : await query(1, 0)
  return { items, total: first?.total ?? 0 }
}

/** BrAPI's `additionalInfo` may contain only text. Leaves out unknown values. */
export const infoOf = (values: Record<string, string | number | boolean | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  )

/** Leaves out fields without a value, because BrAPI's schemas don't allow null. */
export const known = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '')) as Partial<Fields>

/**
 * The day of a time, in its own time zone. Undefined if the day doesn't exist: JavaScript reads February 30 as March 2, and
 * PostgreSQL can't store it.
 */
export function dayOf(time: string): string | undefined {
  const day = time.slice(0, 10)
  return Day.safeParse(day).success && !Number.isNaN(Date.parse(time)) ? day : undefined
}

/** Noon UTC falls on the same day in every time zone of the Americas and Europe. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`
