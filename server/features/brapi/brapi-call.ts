import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonKeyScope } from '#contracts/choices.ts'
import { type Actor, requirePersonKey } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import type { Allowance } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import {
  type Asked,
  answerList,
  answerOne,
  crop,
  type Filter,
  type Found,
  ignoredWarning,
  objectOf,
  type Paging,
  type Read,
  readAsked,
} from './asked.ts'
import { huntsOf } from './grown-hunts.ts'

/** BrAPI 2.1, a standard of plant breeding: https://brapi.org. Its shapes can't follow our own calls, so these have no contract. */
export const basePath = '/api/brapi/v2'

/** For writes and searches: 1,000 rows of a kilobyte. */
const maxBytes = 1024 * 1024

export type Call = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  scope: PersonKeyScope
  /** By default, that of a read or a write. */
  allowance?: Allowance
  handle: (call: { ctx: Context; actor: Actor; request: FastifyRequest; reply: FastifyReply }) => Promise<object>
}

/** Key → limit → the person's rights and the key's scope → the body. Ignores sessions, so that a browser's cookie can't act here. */
export function addCall(
  { app, ctx }: Api,
  { method, path, scope, allowance = scope === 'hunts:read' ? 'read' : 'write', handle }: Call,
): void {
  const admitted = new WeakMap<FastifyRequest, Actor>()
  app.route({
    method,
    url: `${basePath}${path}`,
    ...(method === 'GET' ? {} : { bodyLimit: maxBytes }),
    onRequest: async (request) => {
      if (method !== 'GET') requireOwnOrigin(request, ctx.config)
      const key = await ctx.personKeys.read(request.headers.authorization)
      const limited = key ? `keys-of:${key.actor.id}` : `address:${addressGroup(request.ip)}`
      await ctx.rateLimiter.consume(allowance, limited)
      admitted.set(request, requirePersonKey(scope, key))
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

/** A plant may have hundreds of values. */
const maxUnitsWithValues = 50

const filtersOfAll = ['commonCropNames', 'programDbIds', 'trialDbIds'] as const

type Who = { ctx: Context; actor: Actor }

/** What was asked for, about the hunts that the person sees and that the common filters leave. */
export async function askedFor(
  { ctx, actor }: Who,
  filters: readonly string[],
  given: Record<string, unknown>,
  isSearch: boolean,
): Promise<{ asked: Asked; paging: Paging; ignored: string[] }> {
  const { filter, paging: wanted, ignored } = readAsked([...filtersOfAll, ...filters], given, isSearch)
  // A client learns from the response that the page is smaller than it asked for.
  const paging = filter.includeObservations?.includes('true')
    ? { ...wanted, pageSize: Math.min(wanted.pageSize, maxUnitsWithValues) }
    : wanted
  return { asked: await within({ ctx, actor }, filter, paging), paging, ignored }
}

async function within({ ctx, actor }: Who, filter: Filter, paging: Paging): Promise<Asked> {
  const isOurCrop = filter.commonCropNames?.some((name) => name.toLowerCase() === crop.toLowerCase()) ?? true
  const isAsked = (name: string, id: string) => filter[name]?.includes(id) ?? true
  const hunts = isOurCrop ? await huntsOf(ctx.db, actor) : []
  const asked = hunts.filter(({ id, ownerId }) => isAsked('trialDbIds', id) && isAsked('programDbIds', ownerId))
  return { ctx, actor, hunts: asked, filter, paging }
}

export function addList(api: Api, { service, filters, read, single, search = false }: List): void {
  const find = async (asked: Asked): Promise<Found> => (asked.hunts.length === 0 ? { rows: [], total: 0 } : read(asked))
  const list = async (who: Who, given: Record<string, unknown>, isSearch: boolean) => {
    const { asked, paging, ignored } = await askedFor(who, filters, given, isSearch)
    const { rows, total } = await find(asked)
    return answerList(rows, total, paging, ignored.map(ignoredWarning))
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
        const { rows } = await find(await within({ ctx, actor }, { [single]: [id] }, { page: 0, pageSize: 1 }))
        if (!rows[0]) throw notFound(`There is no entry with the ID ${id} in ${service}, or you can't see it.`)
        return answerOne(rows[0])
      },
    })
  }
}
