import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Parsed, RateLimit } from '#contracts/endpoint.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import { type Actor, type KeyActor, requireAccess, requireKey, type Session } from './actor.ts'
import { type CacheTopic, matchesEtag, type StoredAnswer, storedAnswer } from './answer-cache.ts'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'
import { AppError, invalidInput, notFound } from './errors.ts'
import { enterUntilClosed, type Gate } from './gate.ts'
import { type IdempotencyKey, idempotencyKey } from './idempotency.ts'
import { maxJsonDepth, maxPublicBodyBytes, waitBeforeParsing } from './json-body.ts'
import type { Page } from './keyset.ts'
import { requireOwnOrigin } from './own-origin.ts'
import './issue-words.ts'
import { isInnerCall } from './rate-limit.ts'
import { freshnessFor, lastWriteCookie, readLastWrite, readNearby } from './replica-reads.ts'
import { answerSchema, type Serialize, type SharedPart, writerInParts } from './serializer.ts'

export type Api = { app: FastifyInstance; ctx: Context }

type ActorFor<A extends Access> = A extends 'public' ? Actor | null : A extends 'key' ? null : Actor

export type Call<E extends Endpoint> = {
  ctx: Context
  actor: ActorFor<E['access']>
  /** Null if and only if `actor` is null. */
  session: E['access'] extends 'public' ? Session | null : E['access'] extends 'key' ? null : Session
  /** The key that makes the call; null on calls for people. */
  key: E['access'] extends 'key' ? KeyActor : null
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  /** Undefined if the endpoint receives bytes, or a document that the handler parses itself. */
  body: E['receives'] extends 'json' ? Parsed<E['body']> : undefined
  /** The body of an endpoint that receives bytes or a document; may be empty. */
  bytes: E['receives'] extends 'json' ? undefined : Buffer
  /** Null if the client sent none, and always null on endpoints that aren't `idempotent` or whose body the handler parses. */
  idempotency: IdempotencyKey | null
  request: FastifyRequest
  reply: FastifyReply
}

type ItemOf<E extends Endpoint> = z.input<NonNullable<E['response']>> extends readonly (infer Item)[] ? Item : never

type Answer<E extends Endpoint> = E['response'] extends z.ZodMiniType
  ? Promise<E['paginated'] extends true ? Page<ItemOf<E>> : z.input<E['response']>>
  : Promise<void>

type Caller = { session: Session | null; key: KeyActor | null }

type Options<E extends Endpoint> = {
  /** The response depends only on the URL, not on the viewer (`actor` is null), and is cached until the topic is invalidated. */
  cacheAs?: CacheTopic
  /** Computes this viewer's response, which is never cached, if the shared one is 404. Returns undefined to keep the 404. */
  ownAnswer?: (actor: Actor, call: Call<E>) => Promise<Awaited<Answer<E>> | undefined>
  /**
   * Who may be served by a database replica. By default, no one. The handler must only read, through `ctx.db`. `anyone`: nothing in the
   * response depends on what others let the viewer see. `visitors`: blocks, roles and subscriptions decide what members see.
   */
  replicaFor?: 'anyone' | 'visitors'
  /** The handler caches parts of its response by the topic's generation, which it reads before its first `await`. */
  sharesPartsAs?: CacheTopic
  /** For lists whose items are largely the same for many viewers. */
  sharedPart?: SharedPart<ItemOf<E>>
  /** The write affects nothing that a cache or replica serves, so its author's later reads don't wait for it. */
  isUnread?: boolean
  /** The account, or the key's business, enters this gate before the body is read and leaves it when the call ends. */
  bodyGate?: Gate
  /** A call enters this gate after its JSON has arrived and before it is parsed, and leaves it when the call ends. */
  parseGate?: Gate
}

/**
 * Registers an endpoint: own origin → session → access → rate limit → read the body → parse → handle → serialize only declared fields. With
 * `paginated`, the handler returns a `Page`, and the `Link` header (RFC 8288) contains the next one's URL.
 */
export function route<E extends Endpoint>(api: Api, endpoint: E, handler: (call: Call<E>) => Answer<E>, options: Options<E> = {}): void {
  const { app, ctx } = api
  const { cacheAs, sharesPartsAs = cacheAs, replicaFor, ownAnswer, sharedPart, isUnread = false, bodyGate, parseGate } = options
  const isWrite = endpoint.method !== 'GET'
  const checkAnswers = !ctx.config.isProduction

  const answer = async (call: Call<E>): Promise<{ value: unknown; link: string | undefined }> => {
    const result = await handler(call)
    if (!endpoint.paginated) return { value: result, link: undefined }
    const { items, nextCursor } = result as Page<unknown>
    // A cached response is shared, so its links must not contain other parameters of this URL.
    const url = cacheAs ? knownPart(endpoint, call.request.url) : call.request.url
    return { value: items, link: nextCursor === null ? undefined : `<${withCursor(url, nextCursor)}>; rel="next"` }
  }
  /** Cached responses are shared, so they don't wait for this browser's own writes. */
  const read = (call: Call<E>, isForCache: boolean): ReturnType<typeof answer> => {
    if (!replicaFor || (replicaFor === 'visitors' && call.actor)) return answer(call)
    const position = isForCache ? undefined : readLastWrite(ctx, call.request).position
    const wanted = { position, ...(sharesPartsAs ? freshnessFor(ctx, sharesPartsAs) : {}) }
    return readNearby(ctx, wanted, (nearby) => answer({ ...call, ctx: nearby }))
  }
  const { response } = endpoint
  const writeParts = response && sharedPart && writerInParts(answerSchema(response), sharedPart)
  let serialize: Serialize | undefined
  const write = (reply: FastifyReply, value: unknown): string | Buffer => {
    if (checkAnswers) assertDeclared(endpoint, value)
    if (writeParts) return writeParts(value as ItemOf<E>[], (part) => reply.compileSerializationSchema(part))
    // Compiled on first use, because compiling all calls would take a tenth of the startup time.
    serialize ??= reply.compileSerializationSchema(answerSchema(response as NonNullable<E['response']>))
    return serialize(value as Record<string, unknown>)
  }

  /** In public calls, a viewer who must still confirm the second factor counts as signed out. Most other calls refuse them. */
  const readSession = (request: FastifyRequest) => ctx.sessions.read(request.headers.cookie, { evenOwing: endpoint.access !== 'public' })

  /** Ignores the session, so a browser's cookie can't act through calls for keys. */
  const admitKey = async (request: FastifyRequest): Promise<Caller> => {
    if (isWrite) requireOwnOrigin(request, ctx.config)
    const read = await ctx.keys.read(request.headers.authorization)
    await ctx.rateLimiter.consume(endpoint.rateLimit, read ? `key:${read.id}` : `address:${addressGroup(request.ip)}`)
    const key = requireKey(endpoint, read)
    // Counts toward the same limit as the person's own publishing, so several keys don't let anyone publish more.
    if (endpoint.words === 'published') await ctx.rateLimiter.consume(`speak-${key.creator.trust}`, `account:${key.creator.id}`)
    return { session: null, key }
  }

  /** All checks that don't need the input. Cacheable responses must not depend on the viewer, so their session isn't read. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    if (endpoint.access === 'key') return admitKey(request)
    if (isWrite) requireOwnOrigin(request, ctx.config)
    const session = cacheAs ? null : await readSession(request)
    if (session?.renewedCookie) reply.header('set-cookie', session.renewedCookie)
    const actor = session?.actor ?? null
    if (isWrite) requireExpectedAccount(request, actor)
    requireAccess(endpoint, actor)
    if (isWrite && actor?.isDemo) ctx.demo.requireListed(endpoint)
    // The page's own rate limit covers calls that the page makes.
    if (!isInnerCall(request)) await ctx.rateLimiter.consume(endpoint.rateLimit, limitKey(endpoint, actor, request.ip))
    if (endpoint.words === 'published' && actor) await ctx.rateLimiter.consume(`speak-${actor.trust}`, `account:${actor.id}`)
    return { session, key: null }
  }
  const admitted = new WeakMap<FastifyRequest, Caller>()
  const admitWrite = async (request: FastifyRequest, reply: FastifyReply) => {
    const by = await admit(request, reply)
    admitted.set(request, by)
    if (bodyGate) await enterUntilClosed(bodyGate, reply, by.key?.businessId ?? by.session?.actor.id)
    if (parseGate) waitBeforeParsing(request, () => enterUntilClosed(parseGate, reply))
  }

  const cacheKeyOf = cacheAs ? createCacheKeys(endpoint) : undefined

  register(app, endpoint, {
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint, ...(replicaFor ? { replicaFor } : {}) },
    // Reads are admitted in the handler, which saves the cost of a hook.
    ...(isWrite ? { onRequest: admitWrite } : {}),
    ...bodyLimitOf(endpoint),
    handler: async (request, reply) => {
      const { session, key } = (isWrite ? admitted.get(request) : undefined) ?? (await admit(request, reply))
      const actor = session?.actor ?? null
      const readCall = (): Call<E> => {
        const isJson = endpoint.receives === 'json'
        const body = isJson ? parse(endpoint.body, request.body) : undefined
        return {
          ctx,
          actor,
          session,
          key,
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
        if (!isUnread && !key) reply.header('set-cookie', await lastWriteCookie(ctx))
        return endpoint.response ? sendJson(reply, write(reply, value)) : reply.send()
      }
      const isFromCache = cacheAs !== undefined && !readLastWrite(ctx, request).isRecent
      const cacheKey = isFromCache ? cacheKeyOf?.(request) : undefined
      // Most reads of cached responses end here. They take a few microseconds, so another promise would noticeably slow them down.
      const cached = isFromCache && cacheKey !== undefined ? ctx.cache.find(cacheAs, cacheKey) : undefined
      if (cached) return sendStored(request, reply, cached)

      const produce = async (): Promise<StoredAnswer> => {
        const { value, link } = await read(readCall(), isFromCache)
        return storedAnswer(write(reply, value), link)
      }
      const produceOwn = async (error: unknown): Promise<StoredAnswer> => {
        const viewer =
          ownAnswer && error instanceof AppError && error.code === 'not_found' ? (await readSession(request))?.actor : undefined
        const own = viewer && (await ownAnswer?.(viewer, readCall()))
        if (!own) throw error
        return storedAnswer(write(reply, own))
      }
      const produced = isFromCache && cacheKey !== undefined ? ctx.cache.answer(cacheAs, cacheKey, produce) : produce()
      return sendStored(request, reply, await produced.catch(produceOwn))
    },
  })
}

/** Only endpoints that expect bytes accept them. A document is JSON that the handler parses. */
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
        done(new AppError('unsupported_media_type', { message: 'Send the raw bytes (Content-Type: application/octet-stream).' })),
      )
    }
    scope.route(options)
  })
}

/** By default, only public calls have a low limit, because all others refuse visitors before reading the body. */
function bodyLimitOf({ access, maxBytes }: Endpoint): { bodyLimit?: number } {
  if (maxBytes !== undefined) return { bodyLimit: maxBytes }
  return access === 'public' ? { bodyLimit: maxPublicBodyBytes } : {}
}

/**
 * A write may be sent only as the account whose page or device it was made on, not as another one that has since signed in with that
 * browser. Calls that need no account remain open to visitors, including people who haven't confirmed the second factor.
 * @throws AppError other_account
 */
function requireExpectedAccount(request: FastifyRequest, actor: Actor | null): void {
  const expected = request.headers['expected-account']
  if (expected === undefined || !actor || expected === actor.id) return
  throw new AppError('other_account')
}

/** Includes IDs but not the query: the same data for another post is a different write. */
const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] as string

function sendStored(request: FastifyRequest, reply: FastifyReply, { body, etag, link }: StoredAnswer): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (link) reply.header('link', link)
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.status(304).send() : sendJson(reply, body)
}

const sendJson = (reply: FastifyReply, body: string | Buffer) => reply.type('application/json; charset=utf-8').send(body)

/** What each limit counts by. Visitors are always counted by IP address, and so are calls with an unknown key. */
const countedBy: Readonly<Record<RateLimit, 'account' | 'key' | 'address'>> = {
  read: 'account',
  write: 'account',
  post: 'account',
  upload: 'account',
  drawing: 'account',
  visit: 'account',
  guide: 'account',
  'menu-sync': 'key',
  taste: 'address',
  'sign-in': 'address',
  register: 'address',
  mail: 'address',
}

function limitKey(endpoint: Endpoint, actor: Actor | null, ip: string): string {
  return actor && countedBy[endpoint.rateLimit] === 'account' ? `account:${actor.id}` : `address:${addressGroup(ip)}`
}

const maxIssues = 1_000

/** An internal option of Zod, covered by a test with a long invalid list. Collecting all issues in such a list takes many seconds. */
export const abortEarlyOptions = { reportInput: false, abortEarly: true }

/** Shortens lists to one more row than the number of reported issues, so a limit up to that number is still exceeded. */
function shortened(input: unknown, depth = maxJsonDepth): unknown {
  if (typeof input !== 'object' || input === null || depth === 0) return input
  if (Array.isArray(input)) return input.slice(0, maxIssues + 1).map((item) => shortened(item, depth - 1))
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortened(value, depth - 1)]))
}

function parse<S extends z.ZodMiniType | undefined>(schema: S, input: unknown): Parsed<S> {
  if (!schema) return undefined as Parsed<S>
  // An entirely invalid list has as many issues as the body has room for, and collecting them all would block the process for many seconds.
  const result = schema.safeParse(input ?? {}, abortEarlyOptions)
  if (result.success) return result.data as Parsed<S>
  const beginning = schema.safeParse(shortened(input) ?? {})
  throw invalidInput((beginning.success ? result : beginning).error?.issues.slice(0, maxIssues) ?? [])
}

/** A malformed ID can't match anything, so the response is not_found. */
function parseParams<E extends Endpoint>(endpoint: E, input: unknown): Parsed<E['params']> {
  const result = endpoint.params?.safeParse(input)
  if (result && !result.success) throw notFound()
  return result?.data as Parsed<E['params']>
}

/** In characters. Enough for the URLs requested within seconds. Long ones are parsed each time. */
const cacheKeyLimits = { maxSize: 2_000_000, maxEntrySize: 4_000 }

/**
 * Computes a request's cache key. Equivalent requests have the same key even if their URLs differ. Omits unknown parameters. Recent URLs
 * aren't parsed again.
 * @throws AppError not_found, invalid_input
 */
function createCacheKeys(endpoint: Endpoint): (request: FastifyRequest) => string {
  const known = new LRUCache<string, string>({ ...cacheKeyLimits, sizeCalculation: (cacheKey, url) => cacheKey.length + url.length })
  return (request) => {
    const before = known.get(request.url)
    if (before !== undefined) return before
    const entries = Object.entries(parse(endpoint.query, request.query) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
    const question = `${endpoint.path} ${JSON.stringify([parseParams(endpoint, request.params), entries])}`
    known.set(request.url, question)
    return question
  }
}

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

/** Outside production, a response that violates its contract is an error. */
function assertDeclared(endpoint: Endpoint, value: unknown): void {
  const result = endpoint.response?.safeParse(value)
  if (result && !result.success) {
    throw new Error(`${endpoint.method} ${endpoint.path} broke its contract: ${JSON.stringify(result.error.issues)}`)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    replicaFor?: 'anyone' | 'visitors'
  }
}
