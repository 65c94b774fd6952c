import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { PersonKeyScope } from '#contracts/choices.ts'
import type { Words } from '#contracts/endpoint.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { type Actor, requirePersonKey } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import type { Api } from '#server/kernel/route.ts'
import { type GrownHunt, huntsOf } from './grown-hunts.ts'

/** BrAPI 2.1, a standard of plant breeding: https://brapi.org. Its shapes can't follow our own calls, so these have no contract. */
export const basePath = '/api/brapi/v2'

/** The only crop. Clients send it back as a filter. */
export const crop = 'Cannabis'

/** By the plural names of a search: `studyDbIds`. */
export type Filter = { readonly [name: string]: readonly string[] | undefined }
export type Paging = { page: number; pageSize: number }
export type Asked = {
  ctx: Context
  actor: Actor
  /** The person's hunts, limited to the trials and programs that were asked for. */
  hunts: readonly GrownHunt[]
  filter: Filter
  paging: Paging
}
export type Found = { rows: readonly object[]; total: number }
export type Read = (asked: Asked) => Promise<Found>

/** BrAPI's maximum and default. */
const maxPageSize = 1000
/** For writes and searches: 1,000 rows of a kilobyte. */
const maxBytes = 1024 * 1024

export type Call = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  scope: PersonKeyScope
  words?: Words
  handle: (call: { ctx: Context; actor: Actor; request: FastifyRequest; reply: FastifyReply }) => Promise<object>
}

/** Key → limit → the person's rights and the key's scope → the body. Ignores sessions, so that a browser's cookie can't act here. */
export function addCall({ app, ctx }: Api, { method, path, scope, words, handle }: Call): void {
  const admitted = new WeakMap<FastifyRequest, Actor>()
  app.route({
    method,
    url: `${basePath}${path}`,
    ...(method === 'GET' ? {} : { bodyLimit: maxBytes }),
    onRequest: async (request) => {
      if (method !== 'GET') requireOwnOrigin(request, ctx.config)
      const key = await ctx.personKeys.read(request.headers.authorization)
      const limited = key ? `keys-of:${key.actor.id}` : `address:${addressGroup(request.ip)}`
      await ctx.rateLimiter.consume(scope === 'hunts:read' ? 'read' : 'write', limited)
      admitted.set(request, requirePersonKey({ scope, words }, key))
    },
    handler: async (request, reply) => {
      const actor = admitted.get(request)
      if (!actor) throw new AppError('signed_out')
      reply.header('cache-control', 'no-store')
      return handle({ ctx, actor, request, reply })
    },
  })
}

/** BrAPI's errors are plain text. Call before adding calls. */
export function answerErrorsAsText(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode < 400 || typeof payload !== 'string') return payload
    const { message, fields = {} } = JSON.parse(payload) as { message: string; fields?: Record<string, string> }
    reply.type('text/plain; charset=utf-8').removeHeader('content-length')
    const details = Object.entries(fields).filter(([, text]) => text !== message)
    return [message, ...details.map(([field, text]) => `${field}: ${text}`)].join('\n')
  })
}

type List = {
  /** The name of the service, such as `studies`. */
  service: string
  /** Plural names of the filters it knows, besides those of all lists. */
  filters: readonly string[]
  read: Read
  /** Also `GET /<service>/{id}`, by this filter. */
  single?: string
  /** Also `POST /search/<service>`, with its results in the response. */
  search?: boolean
}

const filtersOfAll = ['commonCropNames', 'programDbIds', 'trialDbIds'] as const

export function addList(api: Api, { service, filters, read, single, search = false }: List): string[] {
  const names = [...filtersOfAll, ...filters]
  const find = async (ctx: Context, actor: Actor, filter: Filter, paging: Paging): Promise<Found> => {
    const isOurCrop = filter.commonCropNames?.some((name) => name.toLowerCase() === crop.toLowerCase()) ?? true
    const hunts = isOurCrop ? await huntsOf(ctx.db, actor) : []
    const isAsked = (name: string, id: string) => filter[name]?.includes(id) ?? true
    const asked = hunts.filter(({ id, ownerId }) => isAsked('trialDbIds', id) && isAsked('programDbIds', ownerId))
    return asked.length === 0 ? { rows: [], total: 0 } : read({ ctx, actor, hunts: asked, filter, paging })
  }
  const list = async (ctx: Context, actor: Actor, given: Record<string, unknown>, isSearch: boolean) => {
    const { filter, paging, ignored } = readAsked(names, given, isSearch)
    const { rows, total } = await find(ctx, actor, filter, paging)
    return answerList(rows, total, paging, ignored.map(ignoredWarning))
  }
  addCall(api, {
    ...{ method: 'GET', path: `/${service}`, scope: 'hunts:read' },
    handle: ({ ctx, actor, request }) => list(ctx, actor, request.query as Record<string, unknown>, false),
  })
  const routes = [`GET ${basePath}/${service}`]
  if (search) {
    addCall(api, {
      ...{ method: 'POST', path: `/search/${service}`, scope: 'hunts:read' },
      handle: ({ ctx, actor, request }) => list(ctx, actor, objectOf(request.body), true),
    })
    routes.push(`POST ${basePath}/search/${service}`)
  }
  if (single) {
    addCall(api, {
      ...{ method: 'GET', path: `/${service}/:id`, scope: 'hunts:read' },
      handle: async ({ ctx, actor, request }) => {
        const { id } = request.params as { id: string }
        const { rows } = await find(ctx, actor, { [single]: [id] }, { page: 0, pageSize: 1 })
        if (!rows[0]) throw notFound(`There is no entry with the ID ${id} in ${service}, or you can't see it.`)
        return answerOne(rows[0])
      },
    })
    routes.push(`GET ${basePath}/${service}/:id`)
  }
  return routes
}

export type Status = { messageType: 'WARNING' | 'ERROR'; message: string }

const ignoredWarning = (name: string): Status => ({
  messageType: 'WARNING',
  message: `The filter ${name} isn’t supported and was ignored.`,
})

const pageNumbers = ({ page, pageSize }: Paging, total: number) => ({
  currentPage: page,
  pageSize,
  totalCount: total,
  totalPages: Math.ceil(total / pageSize),
})

export const answerList = (rows: readonly object[] | readonly string[], total: number, paging: Paging, status: readonly Status[] = []) => ({
  metadata: { datafiles: [], status, pagination: pageNumbers(paging, total) },
  result: { data: rows },
})

/** All of these, on one page. */
export const answerAll = (rows: readonly object[] | readonly string[], status: readonly Status[] = []) =>
  answerList(rows, rows.length, { page: 0, pageSize: Math.max(rows.length, 1) }, status)

export const answerOne = (result: object, paging: Paging = { page: 0, pageSize: 1 }, total = 1) => ({
  metadata: { datafiles: [], status: [], pagination: pageNumbers(paging, total) },
  result,
})

export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new AppError('invalid_input', { message: 'Send a JSON object.' })
}

/** The same in a search. */
const withoutPlural: readonly string[] = ['active', 'includeObservations', 'observationTimeStampRangeStart', 'observationTimeStampRangeEnd']
const pagingNames: readonly string[] = ['page', 'pageSize', 'pageToken']
const singular = (name: string): string => (withoutPlural.includes(name) ? name : name.replace(/s$/, ''))

/** Reads the parameters of a list, or the body of a search. Unknown ones are ignored, as BrAPI asks, but listed. */
export function readAsked(
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
    if (plural === undefined) ignored.push(name)
    else filter[plural] = (Array.isArray(value) ? value : [value]).map(textOf)
  }
  const paging = {
    page: wholeNumber('page', given.page, { min: 0, max: 1_000_000, otherwise: 0 }),
    pageSize: wholeNumber('pageSize', given.pageSize, { min: 1, max: maxPageSize, otherwise: maxPageSize }),
  }
  return { filter, paging, ignored }
}

/** PostgreSQL can't store NUL, so it matches nothing. Levels of observation are objects. */
function textOf(value: unknown): string {
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

/** The part of a short list that was asked for. */
export const pageOf = (all: readonly object[], { page, pageSize }: Paging): Found => ({
  rows: all.slice(page * pageSize, (page + 1) * pageSize),
  total: all.length,
})

/** Runs a query that selects `count(*) over () as total`. Beyond the last page there is no row to say it. */
export async function countedPage<Row extends { total: number }>(
  query: (limit: number, offset: number) => Promise<readonly Row[]>,
  { page, pageSize }: Paging,
): Promise<{ items: readonly Row[]; total: number }> {
  const items = await query(pageSize, page * pageSize)
  if (items[0]) return { items, total: Number(items[0].total) }
  const [first] = page === 0 ? [] : await query(1, 0)
  return { items, total: Number(first?.total ?? 0) }
}

/** BrAPI's own "additional information" holds text only. Leaves out what isn't known. */
export const infoOf = (values: Record<string, string | number | boolean | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  )

/** Leaves out fields without a value: BrAPI's schemas have no null. */
export const known = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '')) as Partial<Fields>

/** Days have no time of day. Noon UTC is that day in every time zone of the Americas and Europe. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`
