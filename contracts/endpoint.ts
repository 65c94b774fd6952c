import './without-eval.ts'
import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an endpoint at all. What they may do with one object is decided by the feature's policy.
 * - `public`: anybody, signed in or not
 * - `account`: a session, even one whose account still lacks a birthday (an OpenID sign-up before onboarding)
 * - `member`: a session of an account whose age is known
 * - `moderator`, `admin`: that role or a higher one, in a session that has shown the second factor
 *
 * Who is suspended keeps what `account` opens, and calls that say `whileSuspended`: their case, an appeal, their data.
 * Who has a second factor and has not shown it in this session is a visitor to `public` calls, and refused by all others
 * but those that say `beforeSecondFactor`.
 */
export type Access = 'public' | 'account' | 'member' | 'moderator' | 'admin'

/** What a call carries: JSON, raw bytes (`application/octet-stream`), or a document: JSON so large that it is parsed apart from other calls. */
export type Receives = 'json' | 'bytes' | 'document'

/** The allowances are in `server/kernel/rate-limit.ts`. */
export type RateLimit = 'read' | 'write' | 'post' | 'upload' | 'drawing' | 'visit' | 'taste' | 'sign-in' | 'register' | 'mail' | 'guide'

/**
 * Who reads the free text that a call takes. Each call whose body has any names one of these; tests/speaking-calls.test.ts fails for one that
 * does not.
 */
export type Words =
  /** Others read it. Refused to the muted, at a pace that grows with trust. */
  | 'published'
  /**
   * Others read some of it, and some calls carry none: prices, stock, hours, a private hunt. The feature refuses the muted what others
   * would read (`requireVoice`). Not paced by trust: an owner changes a menu of 800 items in an afternoon.
   */
  | 'mixed'
  /** No one else reads it until another call publishes it. */
  | 'draft'
  /** Only the account itself reads it: sign-in, settings, questions to the guide. Names, codes and tokens that no one is shown, too. */
  | 'account'
  /** Only the payer and the payee read it. */
  | 'payment'
  /** Only moderators, admins and support read it: reports, appeals, claims, license and support requests. */
  | 'moderation'
  /** A moderator or admin writes it in office, and answers for it. */
  | 'office'
  /** Only the people who share a hunt read it: a tester's answer, given from a paper card without an account. */
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
  /** Fastify's form: `/api/businesses/:id`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly tag: string
  readonly access: Access
  readonly rateLimit: RateLimit
  /** The answer is one page of a list: a JSON array with a `Link: <…>; rel="next"` header when there is more. */
  readonly paginated: boolean
  /** Undefined: it takes no free text and publishes none. */
  readonly words: Words | undefined
  /** Open to those who are suspended. */
  readonly whileSuspended: boolean
  /** Open to a session that still owes its second factor: what showing it takes, and nothing else. */
  readonly beforeSecondFactor: boolean
  /** Open to those whose account is to be deleted: what keeping it takes, and taking their data along. */
  readonly whileLeaving: boolean
  /** Takes an `Idempotency-Key` header: the same key from the same account gives the first answer again. */
  readonly idempotent: boolean
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** `bytes`: the request carries raw bytes (`application/octet-stream`) instead of JSON, and `body` is undefined. `document`: see `Receives`. */
  readonly receives: Receives
  /** `undefined` is an answer without a body (204). */
  readonly response: Response
  readonly status: 200 | 201 | 202 | 204
  /** The size limit of the body where it is larger than usual. */
  readonly maxBytes: number | undefined
}

type Definition<P, Q, B, R, A extends Access, G extends boolean, C extends Receives> = Pick<
  Endpoint,
  'method' | 'path' | 'summary' | 'tag'
> & {
  access: A
  rateLimit?: RateLimit
  paginated?: G
  idempotent?: boolean
  words?: Words
  whileSuspended?: boolean
  beforeSecondFactor?: boolean
  whileLeaving?: boolean
  params?: P
  query?: Q
  body?: B
  receives?: C
  response?: R
  status?: 200 | 201 | 202
  maxBytes?: number
}

/** Declares one call of the API: the server registers it, the web app calls it, and the OpenAPI document is made of it. */
export function endpoint<
  P extends Schema | NoSchema = undefined,
  Q extends Schema | NoSchema = undefined,
  B extends Schema | NoSchema = undefined,
  R extends Schema | NoSchema = undefined,
  A extends Access = Access,
  G extends boolean = false,
  C extends Receives = 'json',
>(d: Definition<P, Q, B, R, A, G, C>): Endpoint<P, Q, B, R> & { readonly access: A; readonly paginated: G; readonly receives: C } {
  return {
    method: d.method,
    path: d.path,
    summary: d.summary,
    tag: d.tag,
    access: d.access,
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
    maxBytes: d.maxBytes,
  }
}

/** What a handler receives: after parsing. */
export type Parsed<S> = S extends Schema ? z.output<S> : undefined

export type ResponseOf<E extends Endpoint> = E['response'] extends Schema ? z.output<E['response']> : undefined

type Part<Name extends string, S> = S extends Schema ? { [K in Name]: z.input<S> } : { [K in Name]?: undefined }
/** The input of `call(endpoint, input)`: only the parts that the endpoint declares. */
export type InputOf<E extends Endpoint> = Part<'params', E['params']> &
  (E['query'] extends Schema ? { query?: z.input<E['query']> } : { query?: undefined }) &
  Part<'body', E['body']>
