import type { IncomingHttpHeaders } from 'node:http'
import type { Brand } from '#contracts/brand.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Logger } from '#server/log.ts'
import type { KeyReader, PersonKeyReader, SessionReader } from './actor.ts'
import type { Ai } from './ai.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Clock } from './clock.ts'
import type { Events } from './events.ts'
import type { Jobs } from './jobs.ts'
import type { LiveBus } from './live.ts'
import type { Mailer } from './mail.ts'
import type { MediaMaker } from './media-maker.ts'
import type { Payments } from './payments.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Storage } from './storage.ts'

/** An address that won't be called, or that didn't return what was expected. Retrying doesn't help. */
export class OutsideRefused extends Error {
  override readonly name = 'OutsideRefused'
}

export type OutsideRequest = {
  /** Entered by someone. Must be https, unless `isHttpAllowed`. */
  url: string
  isHttpAllowed?: boolean
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  /** A header with a secret, which isn't sent to another origin after a redirect; by default `authorization`. */
  secretHeader?: string | undefined
  body?: string | Buffer
  /** The limit of the response's body; 0 leaves it unread. */
  maxBytes: number
  timeLimitMs: number
  /** By default, a redirect is an answer like any other. */
  maxRedirects?: number
  /** Throws if the first bytes of the body aren't what is wanted. */
  checkStart?: (start: Buffer) => void
}
/** The body is empty unless the status is 200. */
export type OutsideAnswer = { status: number; headers: Readonly<IncomingHttpHeaders>; body: Buffer }

/** Calls addresses on the public web, never ones in a private network. */
export type Outside = {
  /** @throws OutsideRefused if it isn't public, redirects too often, or responds with too much; other errors may go away */
  call(request: OutsideRequest): Promise<OutsideAnswer>
  /** Checks an address without calling it. @throws OutsideRefused if it isn't public; other errors may go away */
  check(url: string): Promise<void>
}

/**
 * Fetches a picture of at most `maxImageBytes` from another site, anonymously and never from a private network.
 * @throws OutsideRefused; retrying may help for any other error
 */
export type FetchPicture = (url: string) => Promise<Buffer>

/** Where a browser receives pushes: the data of its `PushSubscription`. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

/** Shown by the service worker on lock screens, so it doesn't say what the site is about. */
export type PushMessage = { title: string; body: string; url: string }

export type Pusher = {
  /** The VAPID public key that browsers subscribe with. */
  publicKey: string
  /**
   * Sends a push to the browser's push service. `gone` means that the subscription has ended and should be deleted.
   * @throws if the service couldn't be reached or is busy; the calling job retries
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>
}

/**
 * Keeps demo accounts, whose password is public, away from real data. `route` makes both checks for each write of a demo account; the
 * allowed calls are listed in features/demo/demo-account.ts.
 */
export type DemoGate = {
  /** Checked before the body is read. @throws AppError forbidden for a call that demo accounts may not make */
  requireListed(endpoint: Endpoint): void
  /** @throws AppError forbidden unless the call concerns demo content */
  requireDemoSubject(endpoint: Endpoint, input: { params: unknown; body: unknown }): Promise<void>
}

/** Everything external that a feature may use. Passed explicitly; tests replace fields. */
export type Context = {
  db: Db
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
  /** Null if no provider is configured. */
  ai: Ai | null
  cache: AnswerCache
  rateLimiter: RateLimiter
  sessions: SessionReader
  keys: KeyReader
  personKeys: PersonKeyReader
  demo: DemoGate
}

/** The context for use in a transaction. Lacks the answer cache, which must only be invalidated after the commit. */
export type WriteContext = Omit<Context, 'cache'>
