import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Parsed, RateLimit } from '../../contracts/endpoint.ts'
import { uploadChunkBytes } from '../../contracts/media.ts'
import { type Actor, requireAccess } from './actor.ts'
import { isInnerCall } from './admit.ts'
import { type CacheTopic, etagOf, freshCookie, isFresh, type StoredAnswer } from './answer-cache.ts'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'
import { AppError, invalidInput, notFound } from './errors.ts'
import './issue-words.ts'
import type { Gate } from './gate.ts'
import { type IdempotencyKey, idempotencyKey } from './idempotency.ts'
import { maxJsonDepth, maxPublicBodyBytes } from './json-body.ts'
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
  /** Undefined where the endpoint receives bytes, or a document that the handler parses elsewhere. */
  body: E['receives'] extends 'json' ? Parsed<E['body']> : undefined
  /** The bytes of an endpoint that receives them; empty when none came. */
  bytes: E['receives'] extends 'json' ? undefined : Buffer
  /** Null when the client sent none, and always on endpoints that do not declare `idempotent` or whose body the handler parses. */
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
  /** Entered before the body is taken in, left when the call is over. */
  bodyGate?: Gate
}

/**
 * Registers one endpoint: own origin → session → access → rate limit → take in the body → parse → handle → declared fields only.
 * With `paginated`, the handler answers a `Page` and the next one goes into the `Link` header (RFC 8288).
 */
export function route<E extends Endpoint>(
  api: Api,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>>,
  options: Options<E> = {},
): void {
  const { app, ctx } = api
  const { cacheAs, ownAnswer, isUnread = false, bodyGate } = options
  const isWrite = endpoint.method !== 'GET'
  const checkAnswers = !ctx.config.isProduction

  const answer = async (call: Call<E>): Promise<{ value: unknown; link: string | undefined }> => {
    const result = await handler(call)
    if (!endpoint.paginated) return { value: result, link: undefined }
    const { items, nextCursor } = result as Page<unknown>
    // A cached answer goes to others too, who did not ask with what else stands in this address.
    const url = cacheAs ? knownPart(endpoint, call.request.url) : call.request.url
    return { value: items, link: nextCursor === null ? undefined : `<${withCursor(url, nextCursor)}>; rel="next"` }
  }
  const write = (reply: FastifyReply, value: unknown): string => {
    if (checkAnswers) assertDeclared(endpoint, value)
    return reply.serialize(value as object) as string
  }

  /** To a public call, whoever owes the second factor is a visitor; every other one refuses them by itself. */
  const readSession = (request: FastifyRequest) => ctx.sessions.read(request.headers.cookie, { evenOwing: endpoint.access !== 'public' })

  /** All that can be refused without looking at what was sent. A cacheable answer must not depend on who asks, so no session is read for it. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Session | null> => {
    if (isWrite) requireOwnOrigin(request, ctx.config)
    const session = cacheAs ? null : await readSession(request)
    if (session?.renewedCookie) reply.header('set-cookie', session.renewedCookie)
    const actor = session?.actor ?? null
    requireAccess(endpoint, actor)
    if (isWrite && actor?.isDemo) ctx.demo.requireListed(endpoint)
    if (isWrite) requireExpectedAccount(request, actor)
    // A page counts its views by itself.
    if (!isInnerCall(request)) await ctx.rateLimiter.consume(endpoint.rateLimit, limitKey(endpoint, actor, request.ip))
    if (endpoint.words === 'published' && actor) await ctx.rateLimiter.consume(`speak-${actor.trust}`, `account:${actor.id}`)
    return session
  }
  const admitted = new WeakMap<FastifyRequest, Session | null>()
  const admitWrite = async (request: FastifyRequest, reply: FastifyReply) => {
    admitted.set(request, await admit(request, reply))
    if (bodyGate) await enterUntilClosed(bodyGate, reply)
  }

  const questionOf = cacheAs ? createQuestions(endpoint) : undefined

  register(app, endpoint, {
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // What has no body to wait for is admitted by the handler, without the cost of a hook.
    ...(isWrite ? { onRequest: admitWrite } : {}),
    ...bodyLimitOf(endpoint),
    ...(endpoint.response ? { schema: { response: { [endpoint.status]: answerSchema(endpoint.response) } } } : {}),
    handler: async (request, reply) => {
      const session = isWrite ? (admitted.get(request) ?? null) : await admit(request, reply)
      const actor = session?.actor ?? null
      const readCall = (): Call<E> => {
        const isJson = endpoint.receives === 'json'
        const body = isJson ? parse(endpoint.body, request.body) : undefined
        return {
          ctx,
          actor,
          session,
          params: parseParams(endpoint, request.params),
          query: parse(endpoint.query, request.query),
          body,
          bytes: isJson ? undefined : ((request.body as Buffer | undefined) ?? Buffer.alloc(0)),
          idempotency: endpoint.idempotent && isJson ? idempotencyKey(request.headers['idempotency-key'], pathOf(request), body) : null,
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
      const kept = cacheAs && questionOf && !isFresh(request) ? ctx.cache.answer(cacheAs, questionOf(request), produce) : produce()
      const stored = await kept.catch(produceOwn)
      reply.header('etag', stored.etag).header('cache-control', 'private, no-cache')
      if (stored.link) reply.header('link', stored.link)
      return request.headers['if-none-match'] === stored.etag ? reply.status(304).send() : sendJson(reply, stored.body)
    },
  })
}

/** Bytes alone are taken where bytes are expected, and there alone. A document is JSON that is parsed by the handler. */
function register(app: FastifyInstance, endpoint: Endpoint, options: RouteOptions): void {
  if (endpoint.receives === 'json') {
    app.route(options)
    return
  }
  const isDocument = endpoint.receives === 'document'
  const type = isDocument ? 'application/json' : 'application/octet-stream'
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: endpoint.maxBytes ?? uploadChunkBytes }, (_request, bytes, done) =>
      done(null, bytes),
    )
    if (!isDocument) {
      scope.addContentTypeParser('*', (_request, _payload, done) =>
        done(new AppError('unsupported_media_type', { message: 'Send the bytes as they are (Content-Type: application/octet-stream).' })),
      )
    }
    scope.route(options)
  })
}

/** Who has no session is refused by all other calls before the body. */
function bodyLimitOf({ access, maxBytes }: Endpoint): { bodyLimit?: number } {
  if (maxBytes !== undefined) return { bodyLimit: maxBytes }
  return access === 'public' ? { bodyLimit: maxPublicBodyBytes } : {}
}

/** The place is given back however the call ends, also when the connection is lost while it waits. */
async function enterUntilClosed(gate: Gate, { raw }: FastifyReply): Promise<void> {
  let isClosed = false
  let leave = () => {}
  raw.once('close', () => {
    isClosed = true
    leave()
  })
  leave = await gate.enter()
  if (isClosed) leave()
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
function shortened(input: unknown, depth = maxJsonDepth): unknown {
  if (typeof input !== 'object' || input === null || depth === 0) return input
  if (Array.isArray(input)) return input.slice(0, mostIssues + 1).map((item) => shortened(item, depth - 1))
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortened(value, depth - 1)]))
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

/** Enough for the addresses that are asked for within seconds; a long one is parsed each time. In characters. */
const questionMemory = { maxSize: 2_000_000, maxEntrySize: 4_000 }

/**
 * Names what a request for a cacheable answer asks. Requests that ask the same have the same name, however they write it; parameters that
 * the call doesn't know are left out. Addresses that were asked lately need not be parsed again.
 * @throws AppError not_found, invalid_input
 */
function createQuestions(endpoint: Endpoint): (request: FastifyRequest) => string {
  const known = new LRUCache<string, string>({ ...questionMemory, sizeCalculation: (question, url) => question.length + url.length })
  return (request) => {
    const before = known.get(request.url)
    if (before !== undefined) return before
    const entries = Object.entries(parse(endpoint.query, request.query) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
    const question = `${endpoint.path} ${JSON.stringify([parseParams(endpoint, request.params), entries])}`
    known.set(request.url, question)
    return question
  }
}

/** An address with the parameters that the call knows, in one order. */
function knownPart(endpoint: Endpoint, url: string): string {
  const [path, search = ''] = url.split('?')
  const names = Object.keys((endpoint.query as z.ZodMiniObject | undefined)?.shape ?? {}).sort()
  const query = new URLSearchParams(search)
  const entries = names.flatMap((name) => query.getAll(name).map((value): [string, string] => [name, value]))
  return `${path}?${new URLSearchParams(entries)}`
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
