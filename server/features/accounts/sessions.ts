import type { SignInSession } from '#contracts/sign-in.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { deleteOtherSessions } from './accounts.queries.ts'
import { auditOwn, signalSessionsEnded } from './sign-in-news.ts'

/** Newest sign-in first. We don't store IP addresses, so none are shown. */
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

/** Ordered: many browsers also name others for compatibility, and the first match wins. */
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

/** Ordered. An iPad may identify as a Mac and is then shown as one; the user agent can't tell them apart. */
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

/** Describes a user agent, such as "Firefox on Windows". `device` is null if nothing in it is known. */
export function deviceOf(userAgent: string | null): { device: string | null; kind: Kind } {
  const text = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1]
  const [, system, kind = 'unknown'] = systems.find(([pattern]) => pattern.test(text)) ?? []
  const device = browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
  return { device, kind }
}
