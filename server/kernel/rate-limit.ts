import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '#contracts/endpoint.ts'
import type { Trust } from '#contracts/people.rules.ts'
import type { Logger } from '#server/log.ts'
import { addressGroup } from './client-address.ts'
import { AppError } from './errors.ts'

/** Requests per window per account or address group, multiplied by `RATE_LIMIT_SCALE`. */
const allowances: Record<
  | RateLimit
  | `speak-${Trust}`
  | 'page'
  | 'sensor'
  | 'sign-in-email'
  | 'sign-in-email-total'
  | 'mail-email'
  | 'mail-email-total'
  | 'guide-model',
  { points: number; seconds: number }
> = {
  read: { points: 1200, seconds: 60 },
  // Pages, by address. Calls that load a page's data count as reads.
  page: { points: 600, seconds: 60 },
  write: { points: 240, seconds: 60 },
  // Everything published, combined. Lower for less trusted accounts.
  'speak-new': { points: 30, seconds: 3600 },
  'speak-known': { points: 150, seconds: 3600 },
  'speak-trusted': { points: 600, seconds: 3600 },
  // Each post goes into the feeds and notifications of all followers.
  post: { points: 60, seconds: 3600 },
  // Each chunk is 1 MiB.
  upload: { points: 600, seconds: 60 },
  // The page itself sends several visits at a time, which must not use up the person's own writes.
  visit: { points: 240, seconds: 60 },
  // Enough for a table of testers who share an address. By address even when signed in, to limit guesses at a card's 128-bit token.
  taste: { points: 120, seconds: 60 },
  // By key. A point of sale sends its changes as they happen, and each may contain thousands of items.
  'menu-sync': { points: 60, seconds: 60 },
  // By key. Sensors report once a minute, and a hub that was offline sends batches.
  sensor: { points: 60, seconds: 60 },
  // A person's questions per day. `guide-model` limits those that a paid provider answers, and the guide answers the rest itself.
  guide: { points: 200, seconds: 86_400 },
  'guide-model': { points: 50, seconds: 86_400 },
  // Documents, pictures, imports and rankings, which take a lot of CPU time.
  drawing: { points: 20, seconds: 60 },
  // The next three cost a password hash or an email, and are the targets of guessing and flooding.
  'sign-in': { points: 30, seconds: 300 },
  register: { points: 20, seconds: 3600 },
  mail: { points: 15, seconds: 3600 },
  // For sign-ins, counted by email address and network or known browser. Otherwise, counted by session, account or recipient.
  'sign-in-email': { points: 10, seconds: 300 },
  'mail-email': { points: 5, seconds: 3600 },
  // Per email address from all strangers combined, against distributed guessing and mail flooding.
  'sign-in-email-total': { points: 200, seconds: 3600 },
  'mail-email-total': { points: 15, seconds: 3600 },
}

export type Allowance = keyof typeof allowances

export type RateLimiter = {
  /** @throws AppError too_many_requests, with the seconds to wait */
  consume(allowance: Allowance, key: string): Promise<void>
  /** Refunds one `consume` that turned out not to count. */
  giveBack(allowance: Allowance, key: string): Promise<void>
}

export type RateLimitSettings = { scale: number; store: { kind: 'memory' } | { kind: 'postgres'; pool: pg.Pool } }

/** Counts in memory (one node) or in PostgreSQL (shared by several nodes; falls back to memory while it is down). */
export function createRateLimiter(settings: RateLimitSettings, log: Logger): RateLimiter {
  const limiters = Object.fromEntries(
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
          // Once an allowance is used up, the rest of the window needs no database query.
          inMemoryBlockOnConsumed: options.points + 1,
        }),
      ]
    }),
  ) as Record<Allowance, RateLimiterAbstract>
  return {
    async consume(allowance, key) {
      try {
        await limiters[allowance].consume(key)
      } catch (error) {
        if (error instanceof RateLimiterRes) {
          throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
        }
        // A failing rate limiter must not take the site down.
        log.error({ err: error, allowance }, 'rate limiter failed; the request continues')
      }
    },
    async giveBack(allowance, key) {
      try {
        await limiters[allowance].reward(key)
      } catch (error) {
        log.error({ err: error, allowance }, 'rate limiter failed; the request continues')
      }
    },
  }
}

/**
 * Limits emails of each kind to one address, no matter how many people request them. The address is hashed, because a table may store the
 * counts.
 * @throws AppError too_many_requests
 */
export async function limitByRecipient(rateLimiter: RateLimiter, kind: 'claim' | 'invitation', email: string): Promise<void> {
  await rateLimiter.consume('mail-email', createHash('sha256').update(`${kind}:${email}`).digest('base64url'))
}

/** For URLs without a contract, which don't require signing in. @throws AppError too_many_requests */
export const admit = (
  ctx: { rateLimiter: RateLimiter },
  request: FastifyRequest,
  allowance: 'read' | 'write' | 'page' | 'drawing' = 'read',
): Promise<void> => ctx.rateLimiter.consume(allowance, `address:${addressGroup(request.ip)}`)

/** Marks calls that this process makes to itself, such as a page's first calls. The value is secret. */
export const innerCall = { 'inner-call': randomUUID() } as const

export const isInnerCall = (request: FastifyRequest): boolean => request.headers['inner-call'] === innerCall['inner-call']
