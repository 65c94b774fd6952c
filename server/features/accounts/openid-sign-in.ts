import { parseCookie, stringifySetCookie } from 'cookie'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { hashOfSecret } from '#server/kernel/secrets.ts'
import {
  type Account,
  deleteOpenIdCredential,
  findAccountByEmail,
  findByOpenId,
  insertOpenIdAccount,
  insertOpenIdCredential,
  markEmailVerified,
  markSignedUpAgain,
} from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { storeValue, takeValue } from './one-use-secrets.ts'
import { type Checks, type OpenId, type OpenIdProfile, OpenIdRefused } from './openid.ts'
import { findSignInMethods, lockOwnAccount, requireActiveRole, requireProof, requireSignInMethod, sendSignInNotice } from './proof.ts'
import { cookiePrefix } from './session-token.ts'

type Redirect = { location: string; cookies: string[] }

type Purpose = { returnTo: string } | { sessionId: string }
type Attempt = Pick<Checks, 'nonce' | 'codeVerifier'> & Purpose

/** How long a person has to sign in at the provider, in ms. */
const attemptMs = 600_000
const nameOf = (state: string) => `openid:${hashOfSecret(state)}`

/** Only the browser that started the sign-in may finish it: its cookie contains the state. */
const cookieName = ({ config, brand }: Pick<Context, 'config' | 'brand'>) => `${cookiePrefix(config)}${brand.slug}.openid`

function stateCookie(ctx: Context, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: cookieName(ctx),
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.isHttps,
  })
}

/** @throws AppError unavailable if the provider can't be reached */
export async function beginOpenId(ctx: Context, openId: OpenId, purpose: Purpose): Promise<Redirect> {
  const { location, checks } = await openId.begin()
  const { state, ...stored } = checks
  const attempt: Attempt = { ...stored, ...purpose }
  await storeValue(ctx.db, { identifier: nameOf(state), value: JSON.stringify(attempt), lifetimeMs: attemptMs }, ctx.clock.now())
  return { location, cookies: [stateCookie(ctx, state, attemptMs / 1000)] }
}

/**
 * Handles the provider's callback, which works once. Redirects to the page that the person came from, or to the auth page or the
 * settings with the outcome in the URL.
 */
export async function finishOpenId(
  ctx: Context,
  auth: Auth,
  openId: OpenId,
  url: string,
  { cookie, userAgent }: { cookie: string | undefined; userAgent: string | undefined },
): Promise<Redirect> {
  const state = new URL(url, ctx.config.publicUrl).searchParams.get('state') ?? ''
  const stored = await takeValue(ctx.db, nameOf(state), ctx.clock.now())
  if (stored === null) return { location: authPage({ error: 'state_mismatch' }), cookies: [] }
  const attempt: Attempt = JSON.parse(stored)
  const cookies = [stateCookie(ctx, '', 0)]
  try {
    if (parseCookie(cookie ?? '')[cookieName(ctx)] !== state) throw new OpenIdRefused('state_mismatch')
    const checks = { state, nonce: attempt.nonce, codeVerifier: attempt.codeVerifier }
    if ('returnTo' in attempt) {
      const account = await accountOf(ctx, await openId.finish(url, checks), attempt.returnTo)
      const session = await auth.startSession(account.id, userAgent)
      return { location: attempt.returnTo, cookies: [...cookies, session.cookie] }
    }
    const session = await ctx.sessions.read(cookie)
    if (session?.actor.sessionId !== attempt.sessionId) throw new OpenIdRefused('another_session')
    await connect(ctx, session.actor, await openId.finish(url, checks))
    return { location: settings('connected'), cookies }
  } catch (error) {
    const code = refusalOf(error)
    if (code === null) throw error
    return { location: 'returnTo' in attempt ? authPage({ returnTo: attempt.returnTo, error: code }) : settings(code), cookies }
  }
}

function refusalOf(error: unknown): string | null {
  if (error instanceof OpenIdRefused) return error.code
  // The session ended while the provider answered.
  return error instanceof AppError && error.code === 'signed_out' ? 'another_session' : null
}

const authPage = (query: Record<string, string>) => `/auth?${new URLSearchParams(query)}`
const settings = (outcome: string) => `/settings?${new URLSearchParams({ openid: outcome })}#sign-in`

type SignedIn = Pick<Account, 'id' | 'email' | 'email_verified'>

/**
 * An account with the same address is connected only if both sides have confirmed the address: otherwise, the person who signed
 * up here or the provider's user may not own it.
 * @throws OpenIdRefused account_not_linked, email_not_verified
 */
async function accountOf(ctx: Context, profile: OpenIdProfile, returnTo: string): Promise<SignedIn> {
  const isConfirmationRequired = ctx.config.emailVerification === 'required'
  const account = await inTransaction(ctx.db, async (tx): Promise<SignedIn | null> => {
    const now = ctx.clock.now()
    const { email, isEmailVerified } = profile
    const known = await findByOpenId(tx, profile)
    if (known && isEmailVerified && !known.email_verified && known.email === email) {
      await markEmailVerified(tx, known.id, now)
      return { ...known, email_verified: true }
    }
    if (known) return known
    const sameEmail = await findAccountByEmail(tx, email)
    if (sameEmail && !(isEmailVerified && sameEmail.email_verified)) {
      if (isEmailVerified) await markSignedUpAgain(tx, email, now)
      return null
    }
    const id = sameEmail?.id ?? (await insertOpenIdAccount(tx, profile, now))
    if (id === null || !(await insertOpenIdCredential(tx, id, profile, now))) throw new OpenIdRefused('account_not_linked')
    return { id, email, email_verified: isEmailVerified }
  })
  if (!account) throw new OpenIdRefused('account_not_linked')
  if (!isConfirmationRequired || account.email_verified) return account
  await ctx.jobs.enqueue('accounts.mail-verification-link', { email: account.email, returnTo })
  throw new OpenIdRefused('email_not_verified')
}

/**
 * Idempotent for the same provider account.
 * @throws OpenIdRefused unable_to_link_account, already_connected, account_already_linked_to_different_user
 * @throws AppError signed_out
 */
async function connect(ctx: Context, actor: Actor, profile: OpenIdProfile): Promise<void> {
  if (!profile.isEmailVerified) throw new OpenIdRefused('unable_to_link_account')
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnAccount(tx, actor)
    const owner = await findByOpenId(tx, profile)
    if (owner?.id === actor.id) return
    // Another tab may have connected another account in the meantime.
    if (!owner && (await findSignInMethods(tx, ctx.config, actor.id)).openId) throw new OpenIdRefused('already_connected')
    if (owner || !(await insertOpenIdCredential(tx, actor.id, profile, ctx.clock.now())))
      throw new OpenIdRefused('account_already_linked_to_different_user')
    await sendSignInNotice(ctx, tx, actor.id, 'openid-connected')
  })
}

function requireProvider({ openId }: Auth): OpenId {
  if (!openId) throw new AppError('conflict', { message: 'This site has no sign-in provider to connect an account with.' })
  return openId
}

/**
 * Returns the URL at which to connect a provider account. Requires re-authentication here, so the provider account may have a different
 * email address.
 * @throws AppError second_factor_required, anything `requireProof` throws, conflict (already connected, or no provider), unavailable
 */
export async function connectOpenId(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<Redirect> {
  requireActiveRole(actor)
  const openId = requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  if ((await findSignInMethods(ctx.db, ctx.config, actor.id)).openId)
    throw new AppError('conflict', { message: 'An account is already connected. Disconnect it first.' })
  return beginOpenId(ctx, openId, { sessionId: actor.sessionId })
}

/** @throws AppError second_factor_required, anything `requireProof` throws, conflict (the last sign-in method, or no provider) */
export async function disconnectOpenId(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<void> {
  requireActiveRole(actor)
  requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnAccount(tx, actor)
    if (!(await deleteOpenIdCredential(tx, actor.id))) return
    await requireSignInMethod(tx, ctx.config, actor.id)
    await sendSignInNotice(ctx, tx, actor.id, 'openid-disconnected')
  })
}
