import type { IncomingHttpHeaders } from 'node:http'
import type { Brand } from '#contracts/brand.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Reads } from '#server/db/replicas.ts'
import type { Logger } from '#server/log.ts'
import type { KeyReader, PersonKeyReader, SessionReader } from './actor.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Events } from './events.ts'
import type { Jobs } from './jobs.ts'
import type { LiveBus } from './live.ts'
import type { Mailer } from './mail.ts'
import type { MediaMaker } from './media-maker.ts'
import type { Payments } from './payments.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Storage } from './storage.ts'

/** A URL that must not be called, or that didn't return what was expected. Retrying doesn't help. */
export class OutsideRefused extends Error {
  override readonly name = 'OutsideRefused'
}

export type OutsideRequest = {
  /** User input. Must be https, unless `isHttpAllowed`. */
  url: string
  isHttpAllowed?: boolean
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  /** A header with a secret, which isn't sent to another origin after a redirect. Defaults to `authorization`. */
  secretHeader?: string | undefined
  body?: string | Buffer
  /** Maximum size of the response's body. With 0, the body isn't read. */
  maxBytes: number
  timeLimitMs: number
  /** By default, a redirect is returned like any other response. */
  maxRedirects?: number
  /** Throws if the first bytes of the body aren't as expected. */
  checkStart?: (start: Buffer) => void
}
/** The body is empty unless the status is 200. */
export type OutsideAnswer = { status: number; headers: Readonly<IncomingHttpHeaders>; body: Buffer }

/** Calls URLs on the public web, never in a private network. */
export type Outside = {
  /** @throws OutsideRefused if the URL isn't public, redirects too often, or responds with too much. Other errors may be temporary. */
  call(request: OutsideRequest): Promise<OutsideAnswer>
  /** Checks a URL without calling it. @throws OutsideRefused if it isn't public. Other errors may be temporary. */
  check(url: string): Promise<void>
}

/**
 * Fetches a picture of at most `maxImageBytes` from another site, anonymously and never from a private network.
 * @throws OutsideRefused. Retrying may help for any other error.
 */
export type FetchPicture = (url: string) => Promise<Buffer>

/** Where a browser receives pushes: the data of its `PushSubscription`. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

/** Shown by the service worker on lock screens, so it must not reveal what the site is about. */
export type PushMessage = { title: string; body: string; url: string }

export type Pusher = {
  publicKey: string
  /**
   * Sends a push to the browser's push service. `gone` means that the subscription has ended and should be deleted. `refused` means
   * that the service doesn't accept this server's key for it; the browser subscribes again when the person next signs in or opens the
   * preferences.
   * @throws if the service is busy or can't be reached. The calling job retries.
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone' | 'refused'>
}

/**
 * Protects real data from demo accounts, whose password is public. `route` makes both checks for each write by a demo account.
 * features/demo/demo-account.ts lists the allowed calls.
 */
export type DemoGate = {
  /** Runs before the body is read. @throws AppError forbidden for a call that demo accounts may not make */
  requireListed(endpoint: Endpoint): void
  /** @throws AppError forbidden unless the call concerns demo content */
  requireDemoSubject(endpoint: Endpoint, input: { params: unknown; body: unknown }): Promise<void>
}

/** Everything external that a feature may use. Passed explicitly, so tests can replace fields. */
export type Context = {
  db: Db
  /** Where reads may run instead of `db`: see `readNearby`. */
  reads: Reads
  config: Config
  brand: Brand
  log: Logger
  clock: Clock
  mail: Mailer
  jobs: Jobs
  events: Events
  live: LiveBus
  pusher: Pusher
  storage: Storage
  mediaMaker: MediaMaker
  outside: Outside
  fetchPicture: FetchPicture
  payments: Payments
  ai: Ai | null
  cache: AnswerCache
  rateLimiter: RateLimiter
  sessions: SessionReader
  keys: KeyReader
  personKeys: PersonKeyReader
  demo: DemoGate
}

/** For use in a transaction. Lacks the answer cache, which must only be invalidated after the commit. */
export type WriteContext = Omit<Context, 'cache'>

/** An external language model. Its output is unreliable, so check it. */
export type Ai = {
  /** The host that receives the prompts, as shown to people: `api.example.com`. */
  readonly host: string
  /** @throws AiUnavailable if there is no usable response */
  complete(request: AiRequest): Promise<string>
}

export type AiRequest = {
  system: string
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  maxTokens: number
  signal?: AbortSignal
}

/** The model didn't respond, or the response is unreadable. The message never contains any of the prompt or response. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable'
}

/** Replaceable in tests. Code that depends on time never calls `new Date()` directly. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
