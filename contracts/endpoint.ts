import type { KeyScope } from './choices.ts'
import type * as z from './zod.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an endpoint. The feature's policy decides access to individual objects.
 * - `public`: anyone, signed in or not
 * - `account`: any session, even if the account has no birthday yet (an OpenID sign-up before onboarding)
 * - `member`: a session of an account with a known age
 * - `moderator`, `admin`: that role or a higher one, in a session with a confirmed second factor
 * - `key`: a business's API key with the endpoint's `scope`, instead of a person
 *
 * Suspended people can use only `public` calls and those with `whileSuspended`, the default for `account`: their case, an appeal, their
 * purchases, their data. Until its second factor is confirmed, a session counts as a visitor in `public` calls and can otherwise use only
 * calls with `beforeSecondFactor`.
 */
export type Access = 'public' | 'account' | 'member' | 'moderator' | 'admin' | 'key'

/** Request format. `bytes` is `application/octet-stream`; `document` is JSON so large that it is parsed separately. */
export type RequestFormat = 'json' | 'bytes' | 'document'

export type RateLimit =
  | 'read'
  | 'write'
  | 'post'
  | 'upload'
  | 'drawing'
  | 'visit'
  | 'taste'
  | 'sign-in'
  | 'register'
  | 'mail'
  | 'guide'
  | 'menu-sync'

/**
 * Who reads the free text in a call. tests/speaking-calls.test.ts checks that every call with free text in its body declares one of these.
 */
export type TextAudience =
  /** Other people. Muted people can't make the call, and rate limits depend on trust. */
  | 'published'
  /**
   * Sometimes other people: a call may also set only prices, stock or hours, or concern a private hunt. The feature rejects public text by
   * muted people (`requireNotMuted`). Rate limits ignore trust, because an owner may edit a menu of 800 items in an afternoon.
   */
  | 'mixed'
  /** No one, until another call publishes the text. */
  | 'draft'
  /** Only the account itself: sign-in, settings, questions to the guide, and names, codes and tokens that no one else sees. */
  | 'account'
  /** Only the payer and the payee. */
  | 'payment'
  /** Only moderators, admins and support: reports, appeals, claims, license and support requests. */
  | 'moderation'
  /** Everyone. Moderators or admins write it in their official role. */
  | 'office'
  /** Only people who share a hunt: answers from testers with a paper card and no account. */
  | 'card'

type Schema = z.ZodMiniType
type NoSchema = undefined

export type Endpoint<
  Params extends Schema | NoSchema = Schema | NoSchema,
  Query extends Schema | NoSchema = Schema | NoSchema,
  Body extends Schema | NoSchema = Schema | NoSchema,
  Response extends Schema | NoSchema = Schema | NoSchema,
> = {
  readonly method: Method
  /** In Fastify's syntax: `/api/businesses/:id`. */
  readonly path: `/api/${string}`
  /** A sentence in the imperative that says what the call does, and then, if needed, what callers must know. */
  readonly summary: string
  readonly tag: string
  readonly access: Access
  /** The scope that a key needs. Set if and only if `access` is `key`. */
  readonly scope: KeyScope | undefined
  readonly rateLimit: RateLimit
  /** The response is one page of a list: a JSON array, with a `Link: <…>; rel="next"` header if there are more. */
  readonly paginated: boolean
  /** Undefined if the call neither accepts nor publishes free text. */
  readonly words: TextAudience | undefined
  readonly whileSuspended: boolean
  /** Available before the second factor is confirmed. Only for calls needed to confirm it. */
  readonly beforeSecondFactor: boolean
  /** Available to accounts pending deletion. Only for calls needed to restore the account or export its data. */
  readonly whileLeaving: boolean
  /** Accepts an `Idempotency-Key` header. Repeating a key from the same account returns the first response. */
  readonly idempotent: boolean
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** If this is `bytes`, `body` must be undefined. */
  readonly receives: RequestFormat
  /** `undefined` means no body (204). */
  readonly response: Response
  readonly status: 200 | 201 | 202 | 204
  /** May respond with 202 and the same body while a job finishes the work. */
  readonly mayContinue: boolean
  /** In bytes, if larger than the default. */
  readonly maxBytes: number | undefined
}

type Definition<P, Q, B, R, A extends Access, G extends boolean, C extends RequestFormat> = Pick<
  Endpoint,
  'method' | 'path' | 'summary' | 'tag'
> & {
  access: A
  scope?: KeyScope
  rateLimit?: RateLimit
  paginated?: G
  idempotent?: boolean
  words?: TextAudience
  whileSuspended?: boolean
  beforeSecondFactor?: boolean
  whileLeaving?: boolean
  params?: P
  query?: Q
  body?: B
  receives?: C
  response?: R
  status?: 200 | 201 | 202
  mayContinue?: boolean
  maxBytes?: number
}

/** The server registers the call, the web app makes it, and the OpenAPI document is generated from it. */
export function endpoint<
  P extends Schema | NoSchema = undefined,
  Q extends Schema | NoSchema = undefined,
  B extends Schema | NoSchema = undefined,
  R extends Schema | NoSchema = undefined,
  A extends Access = Access,
  G extends boolean = false,
  C extends RequestFormat = 'json',
>(d: Definition<P, Q, B, R, A, G, C>): Endpoint<P, Q, B, R> & { readonly access: A; readonly paginated: G; readonly receives: C } {
  return {
    method: d.method,
    path: d.path,
    summary: d.summary,
    tag: d.tag,
    access: d.access,
    scope: d.scope,
    rateLimit: d.rateLimit ?? (d.method === 'GET' ? 'read' : 'write'),
    paginated: (d.paginated ?? false) as G,
    idempotent: d.idempotent ?? false,
    words: d.words,
    whileSuspended: d.whileSuspended ?? d.access === 'account',
    beforeSecondFactor: d.beforeSecondFactor ?? false,
    whileLeaving: d.whileLeaving ?? false,
    params: d.params as P,
    query: d.query as Q,
    body: d.body as B,
    receives: (d.receives ?? 'json') as C,
    response: d.response as R,
    status: d.response ? (d.status ?? 200) : 204,
    mayContinue: d.mayContinue ?? false,
    maxBytes: d.maxBytes,
  }
}

declare const declaredAs: unique symbol

/**
 * An endpoint without its schemas, as the web app calls it (see `contracts/calls`). `E` provides the types of the input and the response.
 */
export type Call<E extends Endpoint = Endpoint> = Pick<E, 'method' | 'path'> & { readonly [declaredAs]?: E }

type Declared<C extends Endpoint | Call> = C extends Endpoint ? C : C extends Call<infer E> ? E : never

export type Parsed<S> = S extends Schema ? z.output<S> : undefined

export type ResponseOf<C extends Endpoint | Call> = Parsed<Declared<C>['response']>

type Part<Name extends string, S> = S extends Schema ? { [K in Name]: z.input<S> } : { [K in Name]?: undefined }
type Input<E extends Endpoint> = Part<'params', E['params']> &
  (E['query'] extends Schema ? { query?: z.input<E['query']> } : { query?: undefined }) &
  Part<'body', E['body']>
/** The input of `call(endpoint, input)`: only the parts the endpoint declares. */
export type InputOf<C extends Endpoint | Call> = Input<Declared<C>>
