import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '../../contracts/endpoint.ts'
import type { Trust } from '../../contracts/trust.ts'
import type { Logger } from '../log.ts'
import { AppError } from './errors.ts'

/** Requests per window, for one account or one address group. Multiplied by `RATE_LIMIT_SCALE`. */
const allowances: Record<
  RateLimit | `speak-${Trust}` | 'page' | 'sign-in-email' | 'sign-in-email-total' | 'mail-email' | 'mail-email-total' | 'guide-model',
  { points: number; seconds: number }
> = {
  read: { points: 1200, seconds: 60 },
  // Pages, by address: each also loads what fills it, which counts as reading.
  page: { points: 600, seconds: 60 },
  write: { points: 240, seconds: 60 },
  // All that others read, together: the less an account is known, the slower.
  'speak-new': { points: 30, seconds: 3600 },
  'speak-known': { points: 150, seconds: 3600 },
  'speak-trusted': { points: 600, seconds: 3600 },
  // Each goes into the feeds and notifications of everybody who follows.
  post: { points: 60, seconds: 3600 },
  // A chunk of a mebibyte each.
  upload: { points: 600, seconds: 60 },
  // Sent by the page itself, several visits at a time: they must not use up what a person writes with.
  visit: { points: 240, seconds: 60 },
  // A table of testers may share one address. By address even for those signed in: a card has 128 bits, and nobody shall try many.
  taste: { points: 120, seconds: 60 },
  // Questions of one person in a day; those that a provider is paid for are fewer, and the guide answers the others by itself.
  guide: { points: 200, seconds: 86_400 },
  'guide-model': { points: 50, seconds: 86_400 },
  // A document that is made for whoever asks, or taken in: nobody else is answered meanwhile.
  drawing: { points: 20, seconds: 60 },
  // These three cost a password hash or a mail, and are what guessing and flooding go through.
  'sign-in': { points: 30, seconds: 300 },
  register: { points: 20, seconds: 3600 },
  mail: { points: 15, seconds: 3600 },
  // Per email address and network, known browser or session.
  'sign-in-email': { points: 10, seconds: 300 },
  'mail-email': { points: 5, seconds: 3600 },
  // Per email address, from all strangers together: guesses and mails that are spread over many machines.
  'sign-in-email-total': { points: 200, seconds: 3600 },
  'mail-email-total': { points: 15, seconds: 3600 },
}

export type Allowance = keyof typeof allowances

export type RateLimiter = {
  /** @throws AppError too_many_requests, with the seconds to wait */
  consume(allowance: Allowance, key: string): Promise<void>
  /** Takes one `consume` back, for what turned out not to count. */
  giveBack(allowance: Allowance, key: string): Promise<void>
}

export type RateLimitSettings = { scale: number; store: { kind: 'memory' } | { kind: 'postgres'; pool: pg.Pool } }

/** Counts in memory (one node), or in PostgreSQL (several nodes share the counts; memory takes over while it is away). */
export function createRateLimiter(settings: RateLimitSettings, log: Logger): RateLimiter {
  const limiters = new Map<string, RateLimiterAbstract>(
    Object.entries(allowances).map(([name, { points, seconds }]): [string, RateLimiterAbstract] => {
      const options = { keyPrefix: name, points: Math.ceil(points * settings.scale), duration: seconds }
      const memory = new RateLimiterMemory(options)
      if (settings.store.kind === 'memory') return [name, memory]
      return [
        name,
        new RateLimiterPostgres({
          ...options,
          storeClient: settings.store.pool,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          insuranceLimiter: memory,
          // Once an allowance is used up, the rest of the window is answered without asking the database.
          inMemoryBlockOnConsumed: options.points + 1,
        }),
      ]
    }),
  )
  return {
    async consume(allowance, key) {
      try {
        await limiters.get(allowance)?.consume(key)
      } catch (error) {
        if (error instanceof RateLimiterRes) {
          throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
        }
        // Counting must not take the product down.
        log.error({ err: error, allowance }, 'rate limiter failed; the request goes on')
      }
    },
    async giveBack(allowance, key) {
      try {
        await limiters.get(allowance)?.reward(key)
      } catch (error) {
        log.error({ err: error, allowance }, 'rate limiter failed; the request goes on')
      }
    },
  }
}
