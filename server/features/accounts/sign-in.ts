import type { AccountType } from '#contracts/accounts.ts'
import type { PasskeyAnswer, PasskeyOptions } from '#contracts/sign-in.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor, Session } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import {
  deleteSessionById,
  findPasskey,
  findSignIn,
  isPasswordUnchanged,
  markUsed,
  markVerifiedByPasskey,
  passkeysOf,
} from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { limitSignIn, rememberDevice } from './limits.ts'
import { takeValue } from './one-use-secrets.ts'
import { checkPasskey, issueChallenge, passkeyOptions, requirePasskeys } from './passkeys.ts'
import { auditOwn } from './proof.ts'

type Credentials = { email: string; password: string }
type SignedIn = { accountType: AccountType; hasCompletedOnboarding: boolean; cookies: string[] }
type Browser = { previous: Session | null; ip: string; cookie: string | undefined; userAgent: string | undefined }

/**
 * Signs in with a password. An unknown address takes as much work as a wrong password and gets the same response.
 * @param browser.previous the browser's current session, which ends
 * @throws AppError wrong_credentials; email_unverified, but only if the password is right; too_many_requests
 */
export async function login(ctx: Context, auth: Auth, { email, password }: Credentials, browser: Browser): Promise<SignedIn> {
  const giveBack = await limitSignIn(ctx, email, browser)
  const found = await findSignIn(ctx.db, email)
  const account = found?.is_demo && !ctx.config.isOnThisMachine ? undefined : found
  const isRight = await auth.verifyPassword(password, account?.password_hash ?? null)
  if (!account || !isRight) throw new AppError('wrong_credentials')
  await giveBack()
  if (ctx.config.emailVerification === 'required' && !account.email_verified) throw new AppError('email_unverified')

  const session = await auth.startSession(account.id, browser.userAgent)
  // A concurrent password change ends only the sessions that exist by then, so end this one here.
  if (!(await isPasswordUnchanged(ctx.db, account.id, account.password_hash))) {
    await deleteSessionById(ctx.db, session.id)
    throw new AppError('wrong_credentials')
  }
  if (browser.previous) await deleteSessionById(ctx.db, browser.previous.actor.sessionId)
  return {
    accountType: account.user_type,
    hasCompletedOnboarding: account.has_completed_onboarding,
    cookies: [session.cookie, rememberDevice(ctx, browser.cookie, email)],
  }
}

const refused = () =>
  new AppError('wrong_credentials', { message: 'We don’t recognize this passkey, or it took too long. Try again, or sign in another way.' })

/** Only the browser that started the sign-in may finish it: its cookie contains `binding`, and the server stores the hash. */
const signInName = (binding: string) => `passkey-sign-in:${hashOfSecret(binding)}`

/** @throws AppError conflict if this site can't have passkeys */
export async function beginPasskeySignIn(ctx: Context): Promise<{ options: PasskeyOptions; binding: string }> {
  requirePasskeys(ctx)
  const binding = newSecret()
  const challenge = await issueChallenge(ctx, signInName(binding))
  // Discoverable credentials: the device stores its passkeys, so no address is requested and no account is revealed.
  return { options: passkeyOptions(ctx, challenge, []), binding }
}

type PasskeyBrowser = { binding: string | undefined; previous: Session | null; cookie: string | undefined; userAgent: string | undefined }

/**
 * Signs in with a passkey. The device has verified a fingerprint, face or PIN, so this counts as confirming the second factor.
 * @param previous the browser's current session, which ends
 * @throws AppError wrong_credentials; email_unverified
 */
export async function signInWithPasskey(
  ctx: Context,
  auth: Auth,
  answer: PasskeyAnswer,
  { binding, previous, cookie, userAgent }: PasskeyBrowser,
): Promise<SignedIn> {
  const now = ctx.clock.now()
  const challenge = binding ? await takeValue(ctx.db, signInName(binding), now) : null
  const passkey = await findPasskey(ctx.db, answer.id)
  const use = challenge !== null && passkey ? await checkPasskey(ctx, { challenge, answer, passkey }) : null
  if (!passkey || !use) throw refused()
  const account = await ctx.db
    .selectFrom('users')
    .select(['email', 'email_verified', 'user_type', 'has_completed_onboarding'])
    .where('id', '=', passkey.user_id)
    .executeTakeFirst()
  if (!account) throw refused()
  if (ctx.config.emailVerification === 'required' && !account.email_verified) throw new AppError('email_unverified')

  const session = await auth.startSession(passkey.user_id, userAgent)
  const isGood = await inTransaction(ctx.db, async (tx) => {
    // The passkey may have been removed, or a copy used, in the meantime.
    if (!(await markUsed(tx, passkey.id, use, now))) return false
    await markVerifiedByPasskey(tx, session.id, now)
    return true
  })
  if (!isGood) {
    await deleteSessionById(ctx.db, session.id)
    throw refused()
  }
  if (previous) await deleteSessionById(ctx.db, previous.actor.sessionId)
  return {
    accountType: account.user_type,
    hasCompletedOnboarding: account.has_completed_onboarding,
    cookies: [session.cookie, rememberDevice(ctx, cookie, account.email)],
  }
}

const proofName = ({ sessionId }: Actor) => `passkey-proof:${sessionId}`

/** @throws AppError conflict (the account has no passkey) */
export async function beginProof(ctx: Context, actor: Actor): Promise<PasskeyOptions> {
  const known = await passkeysOf(ctx.db, actor.id)
  if (known.length === 0) throw new AppError('conflict', { message: 'This account has no passkey.' })
  return passkeyOptions(ctx, await issueChallenge(ctx, proofName(actor)), known)
}

/**
 * Re-authenticates the current session with a passkey: no password is needed for a while, and a moderator's or admin's role applies again.
 * @throws AppError invalid_token (another account's passkey, a wrong response, or too late)
 */
export async function reauthenticateWithPasskey(ctx: Context, actor: Actor, answer: PasskeyAnswer): Promise<void> {
  const now = ctx.clock.now()
  const challenge = await takeValue(ctx.db, proofName(actor), now)
  const found = await findPasskey(ctx.db, answer.id)
  const passkey = found?.user_id === actor.id ? found : null
  const use = challenge !== null && passkey ? await checkPasskey(ctx, { challenge, answer, passkey }) : null
  const wrong = () => new AppError('invalid_token', { message: 'This passkey isn’t on your account, or it took too long. Try again.' })
  if (!passkey || !use) throw wrong()
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markUsed(tx, passkey.id, use, now))) throw wrong()
    await markVerifiedByPasskey(tx, actor.sessionId, now)
    await auditOwn(ctx, tx, actor.id, 'passkey.shown')
  })
}
