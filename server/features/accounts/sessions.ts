import type pg from 'pg'
import { trustOf } from '#contracts/people.rules.ts'
import type { SignInSession } from '#contracts/sign-in.ts'
import type { Config } from '#server/config.ts'
import { batchPerTurn } from '#server/db/compile-once.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor, Session, SessionReader } from '#server/kernel/actor.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { deleteOtherSessions } from './accounts.queries.ts'
import { accountStatusOf, type CurrentUserRow, currentUserColumns, factorOf, redactUser, toCurrentUser } from './accounts.view.ts'
import { auditOwn, signalSessionsEnded } from './proof.ts'
import { hashSessionToken, type SessionCookie, sessionLifetimeMs, sessionRenewalMs } from './session-token.ts'

/** Newest sign-in first. Shows no IP addresses, because none are stored. */
export async function listSessions(
  { db, clock }: Context,
  actor: Actor,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SignInSession>> {
  const after = decodeCursor(cursor, ['id'])
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', actor.id)
    .where('expires_at', '>', clock.now())
    .$if(after !== null, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = toPage(rows, limit, ({ id }) => [id])
  const items = page.items.map((row) => ({
    id: row.id,
    isCurrent: row.id === actor.sessionId,
    ...deviceOf(row.user_agent),
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: (row.last_used_at ?? row.created_at).toISOString(),
  }))
  return { ...page, items }
}

/** No-op for another person's session. Sessions are read on every request, so this takes effect immediately on every process. */
export async function endSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  const hasEnded = await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', actor.id).where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await auditOwn(ctx, tx, actor.id, 'session.ended')
    return true
  })
  if (hasEnded) await signalSessionsEnded(ctx, actor.id)
}

export async function endOtherSessions(ctx: Context, actor: Actor): Promise<number> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    const count = await deleteOtherSessions(tx, actor.id, actor.sessionId)
    if (count > 0) await auditOwn(ctx, tx, actor.id, 'session.others_ended', { sessions: count })
    return count
  })
  if (ended > 0) await signalSessionsEnded(ctx, actor.id)
  return ended
}

type Kind = SignInSession['kind']

/** The first match wins, because many browsers also name others for compatibility. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

/** The first match wins. An iPad that identifies as a Mac is shown as a Mac, because the user agents are the same. */
const systems: readonly (readonly [RegExp, string, Kind])[] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows NT\b/, 'Windows', 'computer'],
  [/\bMac OS X\b/, 'macOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
]

/** Such as "Firefox on Windows". `device` is null if nothing in the user agent is known. */
export function deviceOf(userAgent: string | null): { device: string | null; kind: Kind } {
  const text = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1]
  const [, system, kind = 'unknown'] = systems.find(([pattern]) => pattern.test(text)) ?? []
  const device = browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
  return { device, kind }
}

type SessionRow = CurrentUserRow & {
  token: string
  session_id: string
  session_expires_at: Date
  session_used_at: Date
  second_factor_at: Date | null
  has_factor: boolean
  runs_business: boolean
}

// Raw SQL instead of the query builder: this runs on every request, and the pool prepares it once per connection. The list is in a
// subselect so that it is planned once, too: see `pageIds`.
const readSessions = `
  select s.token, s.id as session_id, s.expires_at as session_expires_at, s.second_factor_at,
    coalesce(s.last_used_at, s.created_at) as session_used_at, f.confirmed_at is not null as has_factor,
    exists (select from business_members m where m.user_id = u.id) as runs_business,
    ${currentUserColumns.map((column) => `u.${column}`).join(', ')}
  from sessions s join users u on u.id = s.user_id left join second_factors f on f.user_id = u.id
  where s.token = any((select $1::text[])::text[])`

const extendSession = 'update sessions set expires_at = $2, updated_at = $3 where id = $1 and expires_at < $2'

/** The device list needs only the approximate time of last use, so most requests write nothing. */
const usedWithinMs = 300_000
const noteUse = 'update sessions set last_used_at = $2 where id = $1 and coalesce(last_used_at, created_at) < $3'

type Parts = { pool: pg.Pool; cookie: SessionCookie; clock: Clock; config: Pick<Config, 'isOnThisMachine'> }

/**
 * Authenticates every request: the cookie's signature, then one prepared query. A request without a correctly signed cookie doesn't
 * query the database.
 */
export function createSessionReader({ pool, cookie, clock, config }: Parts): SessionReader {
  return {
    async read(cookieHeader, { evenOwing = false } = {}) {
      const token = cookie.read(cookieHeader)
      if (token === null) return null
      const row = await findSession(pool, hashSessionToken(token))
      const now = clock.now()
      const lastsMs = row ? row.session_expires_at.getTime() - now.getTime() : 0
      if (!row || lastsMs <= 0) return null
      // Demo accounts have a public password, and may have been loaded before the site went public.
      if (row.is_demo && !config.isOnThisMachine) return null
      const isDue = lastsMs < sessionLifetimeMs - sessionRenewalMs
      if (isDue) await pool.query(extendSession, [row.session_id, new Date(now.getTime() + sessionLifetimeMs), now])
      const usedSince = new Date(now.getTime() - usedWithinMs)
      if (row.session_used_at < usedSince) await pool.query(noteUse, [row.session_id, now, usedSince])
      const session = toSession(row, now, isDue ? cookie.set(token) : null)
      return session.actor.owesSecondFactor && !evenOwing ? null : session
    },
  }
}

const maxBatchSize = 100

/** By token hash. Under load, the database round trip dominates the cost of a session check. */
const findSession = batchPerTurn(maxBatchSize, async (pool: pg.Pool, tokenHashes: readonly string[]) => {
  const { rows } = await pool.query<SessionRow>(readSessions, [tokenHashes])
  const found = new Map(rows.map((row) => [row.token, row]))
  return tokenHashes.map((hash) => found.get(hash))
})

function toSession(row: SessionRow, now: Date, renewedCookie: string | null): Session {
  const factor = factorOf({ role: row.role, hasFactor: row.has_factor, shownAt: row.second_factor_at }, now)
  const owesSecondFactor = factor.secondFactor === 'owed'
  const { mutedUntil, suspendedUntil } = accountStatusOf(row, now)
  const actor: Actor = {
    id: row.id,
    sessionId: row.session_id,
    role: factor.activeRole,
    grantedRole: row.role,
    owesSecondFactor,
    trust: trustOf({ createdAt: row.created_at, isEmailVerified: row.email_verified }, now),
    mutedUntil,
    suspendedUntil,
    hasPlan: row.subscription_tier !== null,
    leavesAt: row.leaves_at,
    userType: row.user_type,
    isDemo: row.is_demo,
    birthday: row.birthday,
  }
  return {
    actor,
    // Created on demand, because most calls never need the user.
    get user() {
      const user = toCurrentUser(row, { ...factor, runsBusiness: row.runs_business })
      return owesSecondFactor ? redactUser(user) : user
    },
    renewedCookie,
  }
}
