import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { openIdProvider } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { hashOf, storeValue, takeValue } from './one-use-secrets.ts'
import type { OpenId, Redirect } from './openid.ts'
import { requireProof, requireRoleShown } from './proof.ts'
import { sendSignInNotice } from './sign-in-news.ts'
import { lockAccount, requireWayIn, waysIn } from './ways-in.ts'

const quarterOfAnHour = 900_000

/** Keyed by the state that the provider sends back. Outlives better-auth's own state, so that a valid callback always finds it. */
const nameOf = (state: string) => `openid-connect:${hashOf(state)}`

function requireProvider({ openId }: Auth): OpenId {
  if (!openId) throw new AppError('conflict', { message: 'This site has no provider to connect an account from.' })
  return openId
}

/**
 * Returns the URL at which to connect a provider account. Only the session that started may finish.
 * @throws AppError second_factor_required, anything `requireProof` throws, conflict (already connected, or no provider), unavailable
 */
export async function connectOpenId(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { password, cookie }: { password: string; cookie: string | undefined },
): Promise<Redirect> {
  requireRoleShown(actor)
  const openId = requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  if ((await waysIn(ctx.db, ctx.config, actor.id)).openId)
    throw new AppError('conflict', { message: 'An account is already connected. Disconnect it first.' })
  const redirect = await openId.beginConnecting(cookie)
  const state = new URL(redirect.location).searchParams.get('state') ?? ''
  await storeValue(ctx.db, { identifier: nameOf(state), value: actor.sessionId, lifetimeMs: quarterOfAnHour }, ctx.clock.now())
  return redirect
}

const settings = (outcome: string) => `/settings?${new URLSearchParams({ openid: outcome })}#sign-in`

/**
 * Handles the provider's callback. Returns null for a sign-in; otherwise redirects to the settings with the outcome in the URL.
 */
export async function finishConnecting(
  ctx: Context,
  openId: OpenId,
  url: string,
  { cookie, userAgent }: { cookie: string | undefined; userAgent: string | undefined },
): Promise<Redirect | null> {
  const state = new URL(url, ctx.config.publicUrl).searchParams.get('state')
  const sessionId = state === null ? null : await takeValue(ctx.db, nameOf(state), ctx.clock.now())
  if (sessionId === null) return null
  const session = await ctx.sessions.read(cookie)
  if (session?.actor.sessionId !== sessionId) return { location: settings('another_session'), cookies: [] }
  const { location, cookies } = await openId.finish(url, { cookie, userAgent })
  const error = new URL(location, ctx.config.publicUrl).searchParams.get('error')
  if (error !== null) return { location: settings(error), cookies }
  await inTransaction(ctx.db, (tx) => sendSignInNotice(ctx, tx, session.actor.id, 'openid-connected'))
  return { location: settings('connected'), cookies }
}

/** @throws AppError second_factor_required, anything `requireProof` throws, conflict (the last sign-in method) */
export async function disconnectOpenId(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<void> {
  requireRoleShown(actor)
  requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, actor.id)
    const { numDeletedRows } = await tx
      .deleteFrom('credentials')
      .where('user_id', '=', actor.id)
      .where('provider_id', '=', openIdProvider)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await requireWayIn(tx, ctx.config, actor.id)
    await sendSignInNotice(ctx, tx, actor.id, 'openid-disconnected')
  })
}
