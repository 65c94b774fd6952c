import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Parsed, RateLimit } from '../../contracts/endpoint.ts'
import { uploadChunkBytes } from '../../contracts/media.ts'
import { type Actor, requireAccess } from './actor.ts'
import { type CacheTopic, etagOf, freshCookie, isFresh, type StoredAnswer } from './answer-cache.ts'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'
import { AppError, invalidInput, notFound } from './errors.ts'
import './issue-words.ts'
import { type IdempotencyKey, idempotencyKey } from './idempotency.ts'
import type { Page } from './keyset.ts'
import { requireOwnOrigin } from './own-origin.ts'
import { answerSchema } from './serializer.ts'
import type { Session } from './session.ts'

/** What a feature registers its routes on. */
export type Api = { app: FastifyInstance; ctx: Context }

type ActorFor<A extends Access> = A extends 'public' ? Actor | null : Actor

export type Call<E extends Endpoint> = {
  ctx: Context
  actor: ActorFor<E['access']>
  /** The session behind `actor`; null exactly when `actor` is. */
  session: E['access'] extends 'public' ? Session | null : Session
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  /** The raw bytes of an endpoint that receives them; empty when none came. */
  bytes: E['receives'] extends 'bytes' ? Buffer : undefined
  /** Null when the client sent none, and always on endpoints that do not declare `idempotent`. */
  idempotency: IdempotencyKey | null
  request: FastifyRequest
  reply: FastifyReply
}

type Answer<E extends Endpoint> = E['response'] extends z.ZodMiniType
  ? E['paginated'] extends true
    ? Page<z.input<E['response']> extends readonly (infer Item)[] ? Item : never>
    : z.input<E['response']>
  : undefined

type Options<E extends Endpoint> = {
  /** The answer depends on the address alone, not on who asks (`actor` is null): keep it until the topic is written. */
  cacheAs?: CacheTopic
  /** Where what is kept for everybody has nothing (404), what it is for whoever asks; never kept. Undefined: nothing either. */
  ownAnswer?: (actor: Actor, call: Call<E>) => Promise<Answer<E> | undefined>
  /** What it writes is in no answer that is kept: kept ones stay good for whoever made the call. */
  isUnread?: boolean
}

/**
 * Registers one endpoint: own origin → session → access → rate limit → parse → handle → declared fields only.
 * With `paginated`, the handler answers a `Page` and the next one goes into the `Link` header (RFC 8288).
 */
export function route<E extends Endpoint>(
  api: Api,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>>,
  options: Options<E> = {},
): void {
  const { app, ctx } = api
  const { cacheAs, ownAnswer, isUnread = false } = options
  const publicOrigin = new URL(ctx.config.publicUrl).origin
  const isWrite = endpoint.method !== 'GET'
  const checkAnswers = !ctx.config.isProduction

  const answer = async (call: Call<E>): Promise<{ value: unknown; link: string | undefined }> => {
    const result = await handler(call)
    if (!endpoint.paginated) return { value: result, link: undefined }
    const { items, nextCursor } = result as Page<unknown>
    return { value: items, link: nextCursor === null ? undefined : `<${withCursor(call.request.url, nextCursor)}>; rel="next"` }
  }
  const write = (reply: FastifyReply, value: unknown): string => {
    if (checkAnswers) assertDeclared(endpoint, value)
    return reply.serialize(value as object) as string
  }

  /** To a public call, whoever owes the second factor is a visitor; every other one refuses them by itself. */
  const readSession = (request: FastifyRequest) => ctx.sessions.read(request.headers.cookie, { evenOwing: endpoint.access !== 'public' })

  /** A large body is for those who may send it: nobody else's is taken in. */
  const refuseUnread = async (request: FastifyRequest) => {
    if (isWrite) requireOwnOrigin(request, publicOrigin)
    requireAccess(endpoint, (await readSession(request))?.actor ?? null)
  }

  register(app, endpoint, {
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.maxBytes === undefined ? {} : { bodyLimit: endpoint.maxBytes, onRequest: refuseUnread }),
    ...(endpoint.response ? { schema: { response: { [endpoint.status]: answerSchema(endpoint.response) } } } : {}),
    handler: async (request, reply) => {
      if (isWrite) requireOwnOrigin(request, publicOrigin)
      // What may be kept for everybody must not depend on who asks, so nobody is looked up.
      const session = cacheAs ? null : await readSession(request)
      if (session?.renewedCookie) reply.header('set-cookie', session.renewedCookie)
      const actor = session?.actor ?? null
      requireAccess(endpoint, actor)
      if (isWrite && actor?.isDemo) ctx.demo.requireListed(endpoint)
      if (isWrite) requireExpectedAccount(request, actor)
      await ctx.rateLimiter.consume(endpoint.rateLimit, limitKey(endpoint, actor, request.ip))
      if (endpoint.words === 'published' && actor) await ctx.rateLimiter.consume(`speak-${actor.trust}`, `account:${actor.id}`)
      const readCall = (): Call<E> => {
        const receivesBytes = endpoint.receives === 'bytes'
        const body = receivesBytes ? undefined : parse(endpoint.body, request.body)
        return {
          ctx,
          actor,
          session,
          params: parseParams(endpoint, request.params),
          query: parse(endpoint.query, request.query),
          body,
          bytes: receivesBytes ? ((request.body as Buffer | undefined) ?? Buffer.alloc(0)) : undefined,
          idempotency: endpoint.idempotent ? idempotencyKey(request.headers['idempotency-key'], pathOf(request), body) : null,
          request,
          reply,
        } as Call<E>
      }
      reply.status(endpoint.status)

      if (isWrite) {
        const call = readCall()
        if (actor?.isDemo) await ctx.demo.requireDemoSubject(endpoint, call)
        const { value } = await answer(call)
        if (!isUnread) reply.header('set-cookie', freshness(ctx))
        return endpoint.response ? sendJson(reply, write(reply, value)) : reply.send()
      }
      const produce = async (): Promise<StoredAnswer> => {
        // A kept answer came of valid input, so the input is looked at only now.
        const { value, link } = await answer(readCall())
        const body = write(reply, value)
        return { body, etag: etagOf(body), link }
      }
      const produceOwn = async (error: unknown): Promise<StoredAnswer> => {
        const asks = ownAnswer && error instanceof AppError && error.code === 'not_found' ? (await readSession(request))?.actor : undefined
        const own = asks && (await ownAnswer?.(asks, readCall()))
        if (!own) throw error
        const body = write(reply, own)
        return { body, etag: etagOf(body), link: undefined }
      }
      const kept = cacheAs && !isFresh(request) ? ctx.cache.answer(cacheAs, request.url, produce) : produce()
      const stored = await kept.catch(produceOwn)
      reply.header('etag', stored.etag).header('cache-control', 'private, no-cache')
      if (stored.link) reply.header('link', stored.link)
      return request.headers['if-none-match'] === stored.etag ? reply.status(304).send() : sendJson(reply, stored.body)
    },
  })
}

/** Bytes alone are taken where bytes are expected, and there alone. */
function register(app: FastifyInstance, endpoint: Endpoint, options: RouteOptions): void {
  if (endpoint.receives === 'json') {
    app.route(options)
    return
  }
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: uploadChunkBytes }, (_request, bytes, done) =>
      done(null, bytes),
    )
    scope.addContentTypeParser('*', (_request, _payload, done) =>
      done(new AppError('unsupported_media_type', { message: 'Send the bytes as they are (Content-Type: application/octet-stream).' })),
    )
    scope.route(options)
  })
}

/**
 * What was written without a network is sent in the name of whoever wrote it, and of nobody who has signed in on the device since.
 * @throws AppError signed_out
 */
function requireExpectedAccount(request: FastifyRequest, actor: Actor | null): void {
  const expected = request.headers['expected-account']
  if (expected === undefined || expected === actor?.id) return
  throw new AppError('signed_out', { message: 'Somebody else is signed in by now. Sign in with the account that wrote this.' })
}

/** With the ids in it, without the query: the same data to another post is another write. */
const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] as string

const sendJson = (reply: FastifyReply, body: string) => reply.type('application/json; charset=utf-8').send(body)

const countedByAccount: readonly RateLimit[] = ['read', 'write', 'post', 'upload', 'drawing', 'visit', 'guide']

/** Sign-in and mail are counted by address even for those signed in, everything else by account where there is one. */
function limitKey(endpoint: Endpoint, actor: Actor | null, ip: string): string {
  return actor && countedByAccount.includes(endpoint.rateLimit) ? `account:${actor.id}` : `address:${addressGroup(ip)}`
}

/** So many wrong fields are named. */
const mostIssues = 1_000

/** Zod's types keep this option to themselves; a test of a long broken list holds it. */
const untilFirstWrongRow = { reportInput: false, abortEarly: true }

/** Lists as far as their wrong rows are named. One row more than bulk calls take, so that a list that is too long is still that. */
function shortened(input: unknown): unknown {
  if (Array.isArray(input)) return input.slice(0, mostIssues + 1).map(shortened)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortened(value)]))
}

function parse<S extends z.ZodMiniType | undefined>(schema: S, input: unknown): Parsed<S> {
  if (!schema) return undefined as Parsed<S>
  // A list that is wrong throughout has as many issues as a body has room for, and collecting those takes many seconds of everybody's.
  const result = schema.safeParse(input ?? {}, untilFirstWrongRow)
  if (result.success) return result.data as Parsed<S>
  const beginning = schema.safeParse(shortened(input) ?? {})
  throw invalidInput((beginning.success ? result : beginning).error?.issues.slice(0, mostIssues) ?? [])
}

/** An id of the wrong form names nothing: absent, not malformed. */
function parseParams<E extends Endpoint>(endpoint: E, input: unknown): Parsed<E['params']> {
  const result = endpoint.params?.safeParse(input)
  if (result && !result.success) throw notFound()
  return result?.data as Parsed<E['params']>
}

function withCursor(url: string, cursor: string): string {
  const [path, search = ''] = url.split('?')
  const query = new URLSearchParams(search)
  query.set('cursor', cursor)
  return `${path}?${query}`
}

const freshness = (ctx: Context) =>
  stringifySetCookie({
    name: freshCookie.name,
    value: '1',
    path: '/',
    maxAge: freshCookie.maxAgeSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.publicUrl.startsWith('https:'),
  })

/** Outside production an answer that breaks its own contract is an error, not a surprise in the page. */
function assertDeclared(endpoint: Endpoint, value: unknown): void {
  const result = endpoint.response?.safeParse(value)
  if (result && !result.success) {
    throw new Error(`${endpoint.method} ${endpoint.path} broke its contract: ${JSON.stringify(result.error.issues)}`)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
