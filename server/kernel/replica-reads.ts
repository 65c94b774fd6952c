import { createHmac, timingSafeEqual } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { type FreshnessRequirement, unknownPosition, type WalPosition } from '#server/db/replicas.ts'
import type { CacheTopic } from './answer-cache.ts'
import type { Context } from './context.ts'
import { AppError } from './errors.ts'

/** The minimum time a browser's reads skip the answer cache after a write. Longer than another node caches anything. */
const recentSeconds = 15
/** Longer than any usable replica can lag. A long time costs nothing, because comparing positions is cheap. */
const positionSeconds = 24 * 60 * 60
/** After a write with an unknown position, a browser reads from the primary for this long. */
const unknownPositionSeconds = 10 * 60

const name = 'written'
const pattern = new RegExp(`(?:^|;\\s*)${name}=(\\d{1,12})\\.(\\d{0,20})\\.([\\w-]+)`)

type Site = Pick<Context, 'config' | 'clock' | 'reads'>

type LastWrite = {
  /**
   * The write was so recent that cached responses may lack it: another node may not have invalidated them, or may have read them from a
   * replica.
   */
  isRecent: boolean
  /** A replica must have replayed the log up to this position. */
  position: WalPosition
}

const noWrite: LastWrite = { isRecent: false, position: 0n }

/** Signed, because a made-up position would send all reads to the primary. */
const sign = ({ config }: Site, payload: string) =>
  createHmac('sha256', config.sessionSecret).update(`written ${payload}`).digest('base64url')

/** The cookie for the response to a write. Call after the commit. */
export async function lastWriteCookie(site: Site): Promise<string> {
  const position = await site.reads.position()
  const payload = `${Math.floor(site.clock.now().getTime() / 1000)}.${position ?? ''}`
  return stringifySetCookie({
    name,
    value: `${payload}.${sign(site, payload)}`,
    path: '/',
    maxAge: position === null ? recentSeconds : position === unknownPosition ? unknownPositionSeconds : positionSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: site.config.isHttps,
  })
}

export function readLastWrite(site: Site, { headers }: Pick<FastifyRequest, 'headers'>): LastWrite {
  const [, seconds, position, signature] = (headers.cookie && pattern.exec(headers.cookie)) || []
  if (seconds === undefined || position === undefined || signature === undefined) return noWrite
  const written = BigInt(position)
  const isRecent = site.clock.now().getTime() < (Number(seconds) + recentSeconds) * 1000 || !site.reads.haveAll(written)
  // The cache and all replicas already have this write, so a forged cookie changes nothing, and the slow signature check is skipped.
  if (!isRecent) return noWrite
  const [given, made] = [Buffer.from(signature), Buffer.from(sign(site, `${seconds}.${position}`))]
  return given.length === made.length && timingSafeEqual(given, made) ? { isRecent, position: written } : noWrite
}

/** The maximum lag of a replica that serves responses for the cache. They are cached for another five seconds, so the limit is low. */
const sharedLagMs = 1000

/**
 * For responses that are shared with other viewers: the replica must have every write that invalidated those responses in this process.
 * Read the topic's generation before the first `await`.
 */
export const freshnessFor = ({ cache }: Pick<Context, 'cache'>, topic: CacheTopic): FreshnessRequirement => ({
  since: cache.invalidatedAt(topic),
  maxLagMs: sharedLagMs,
})

/** The primary repeats a lookup that fails on a replica, because someone else may have just created the row. */
const isMissing = (error: unknown) => error instanceof AppError && error.code === 'not_found'

/** Runs a read that needs only `ctx.db`, on a replica or the primary. */
export const readNearby = <Answer>(ctx: Context, wanted: FreshnessRequirement, run: (ctx: Context) => Promise<Answer>): Promise<Answer> =>
  ctx.reads.read(wanted, (db) => run(db === ctx.db ? ctx : { ...ctx, db }), isMissing)

/** Signed-in people's pages are read from the primary, because they may depend on what others let them see. */
export const readNearbyAsVisitor = <Answer>(
  ctx: Context,
  request: FastifyRequest,
  { isSignedIn }: { isSignedIn: boolean },
  run: (ctx: Context) => Promise<Answer>,
): Promise<Answer> => (isSignedIn ? run(ctx) : readNearby(ctx, { position: readLastWrite(ctx, request).position }, run))
