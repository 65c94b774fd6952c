import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonKeyScope } from '#contracts/choices.ts'
import { type Actor, requirePersonKey } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { enterUntilClosed, type Gate } from '#server/kernel/gate.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import type { Allowance } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import {
  type BrapiQuery,
  crop,
  type Filter,
  ignoredWarning,
  listResponse,
  objectOf,
  type Paging,
  parseParams,
  type QueryReader,
  type QueryResult,
  singleResponse,
  textOf,
} from './asked.ts'
import { huntsOf } from './hunts.ts'

/** BrAPI 2.1, a plant breeding standard: https://brapi.org. Its shapes differ from this API's, so these calls have no contract. */
export const basePath = '/api/brapi/v2'

/** For writes and searches: 1,000 rows of 1 KB. */
const maxJsonBytes = 1024 * 1024

/** `Checked` is what `before` found. */
type Call<Checked> = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  scope: PersonKeyScope
  /** Defaults to the allowance for reads or writes. */
  allowance?: Allowance
  maxBytes?: number
  /** Runs before the body is read. */
  before?: (call: Made) => Promise<Checked>
  /** Limits each person's concurrent calls, from before the body is read until the call ends. */
  bodyGate?: Gate
  handle: (call: Made & { reply: FastifyReply; checked: Awaited<Checked> }) => Promise<object>
}

type Made = { ctx: Context; actor: Actor; request: FastifyRequest }

/**
 * Checks, in order, a write's origin, the rate limit, the key, the person's rights, the key's scope, `before`, `bodyGate` and the
 * body. Ignores sessions, so that a browser's cookie has no effect.
 */
export function addCall<Checked = undefined>({ app, ctx }: Api, call: Call<Checked>): void {
  const { method, path, scope, maxBytes = maxJsonBytes, before, bodyGate, handle } = call
  const { allowance = scope === 'hunts:read' ? 'read' : 'write' } = call
  const admitted = new WeakMap<FastifyRequest, { actor: Actor; checked: Awaited<Checked> }>()
  app.route({
    method,
    url: `${basePath}${path}`,
    ...(method === 'GET' ? {} : { bodyLimit: maxBytes }),
    onRequest: async (request, reply) => {
      if (method !== 'GET') requireOwnOrigin(request, ctx.config)
      const key = await ctx.personKeys.read(request.headers.authorization)
      const limited = key ? `keys-of:${key.actor.id}` : `address:${addressGroup(request.ip)}`
      await ctx.rateLimiter.consume(allowance, limited)
      const actor = requirePersonKey(scope, key)
      const checked = (await before?.({ ctx, actor, request })) as Awaited<Checked>
      admitted.set(request, { actor, checked })
      if (bodyGate) await enterUntilClosed(bodyGate, reply, actor.id)
    },
    handler: async (request, reply) => {
      const admission = admitted.get(request)
      if (!admission) throw new AppError('signed_out')
      reply.header('cache-control', 'no-store')
      return handle({ ctx, ...admission, request, reply })
    },
  })
}

/** Call before adding routes. */
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
  service: string
  /** Plural names of the service's filters, beyond those that all lists have. */
  filters: readonly string[]
  read: QueryReader
  /** Adds `GET /<service>/{id}`, which uses this filter. */
  single?: string
  /** Adds `POST /search/<service>`, which responds with the results. */
  search?: boolean
}

/** Small, because a plant may have hundreds of values. */
const maxUnitsWithValues = 50

const filtersOfAll = ['commonCropNames', 'programDbIds', 'trialDbIds'] as const

type Who = { ctx: Context; actor: Actor }

/** A request's parameters, with the person's hunts that pass the common filters. */
export async function parseRequest(
  { ctx, actor }: Who,
  filters: readonly string[],
  given: Record<string, unknown>,
  isSearch: boolean,
): Promise<{ asked: BrapiQuery; paging: Paging; ignored: string[] }> {
  const { filter, paging: wanted, ignored } = parseParams([...filtersOfAll, ...filters], given, isSearch)
  // The response states the reduced page size.
  const paging = filter.includeObservations?.includes('true')
    ? { ...wanted, pageSize: Math.min(wanted.pageSize, maxUnitsWithValues) }
    : wanted
  return { asked: await buildQuery({ ctx, actor }, filter, paging), paging, ignored }
}

async function buildQuery({ ctx, actor }: Who, filter: Filter, paging: Paging): Promise<BrapiQuery> {
  const isOurCrop = filter.commonCropNames?.some((name) => name.toLowerCase() === crop.toLowerCase()) ?? true
  const isAsked = (name: string, id: string) => filter[name]?.includes(id) ?? true
  const hunts = isOurCrop ? await huntsOf(ctx.db, actor) : []
  const asked = hunts.filter(({ id, ownerId }) => isAsked('trialDbIds', id) && isAsked('programDbIds', ownerId))
  return { ctx, actor, hunts: asked, filter, paging }
}

export function addList(api: Api, { service, filters, read, single, search = false }: List): void {
  const find = async (asked: BrapiQuery): Promise<QueryResult> => (asked.hunts.length === 0 ? { rows: [], total: 0 } : read(asked))
  const list = async (who: Who, given: Record<string, unknown>, isSearch: boolean) => {
    const { asked, paging, ignored } = await parseRequest(who, filters, given, isSearch)
    const { rows, total } = await find(asked)
    return listResponse(rows, total, paging, ignored.map(ignoredWarning))
  }
  addCall(api, {
    ...{ method: 'GET', path: `/${service}`, scope: 'hunts:read' },
    handle: ({ ctx, actor, request }) => list({ ctx, actor }, request.query as Record<string, unknown>, false),
  })
  if (search) {
    addCall(api, {
      ...{ method: 'POST', path: `/search/${service}`, scope: 'hunts:read' },
      handle: ({ ctx, actor, request }) => list({ ctx, actor }, objectOf(request.body), true),
    })
  }
  if (single) {
    addCall(api, {
      ...{ method: 'GET', path: `/${service}/:id`, scope: 'hunts:read' },
      handle: async ({ ctx, actor, request }) => {
        const { id } = request.params as { id: string }
        const { rows } = await find(await buildQuery({ ctx, actor }, { [single]: [textOf(id)] }, { page: 0, pageSize: 1 }))
        if (!rows[0]) throw notFound(`No entry in ${service} has the ID ${id}, or you can't see it.`)
        return singleResponse(rows[0])
      },
    })
  }
}
