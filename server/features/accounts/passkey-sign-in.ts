import type { AccountType } from '../../../contracts/accounts.ts'
import type { PasskeyAnswer, PasskeyOptions } from '../../../contracts/sign-in.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Session } from '../../kernel/session.ts'
import { deleteSessionById } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { rememberDevice } from './known-devices.ts'
import { hashOf, newSecret, takeValue } from './one-use-secrets.ts'
import { checkPasskey, issueChallenge, passkeyOptions, requirePasskeys } from './passkey-ceremony.ts'
import { findPasskey, markShownByPasskey, markUsed, passkeysOf } from './passkeys.queries.ts'
import { auditOwn } from './sign-in-news.ts'

const refused = () =>
  new AppError('wrong_credentials', { message: 'This passkey is not known here, or took too long. Try again, or sign in another way.' })

/** The browser that began is the one that may finish: it holds `binding` in a cookie, and we its hash. */
const signInName = (binding: string) => `passkey-sign-in:${hashOf(binding)}`

/** @throws AppError conflict where there are no passkeys */
export async function beginPasskeySignIn(ctx: Context): Promise<{ options: PasskeyOptions; binding: string }> {
  requirePasskeys(ctx)
  const binding = newSecret()
  const challenge = await issueChallenge(ctx, signInName(binding))
  // Which passkeys there are is the device's knowledge: nobody is asked for an address, and none is confirmed to exist.
  return { options: passkeyOptions(ctx, challenge, []), binding }
}

type SignedIn = { accountType: AccountType; hasCompletedOnboarding: boolean; cookies: string[] }
type Browser = { binding: string | undefined; previous: Session | null; cookie: string | undefined; userAgent: string | undefined }

/**
 * Signs in with a passkey. Its device has asked for a finger, a face or a PIN, so that the second factor counts as shown.
 * @param previous the session that the browser still carries; it ends
 * @throws AppError wrong_credentials; email_unverified
 */
export async function signInWithPasskey(
  ctx: Context,
  auth: Auth,
  answer: PasskeyAnswer,
  { binding, previous, cookie, userAgent }: Browser,
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
    // It may have been removed, or its copy used, while we looked at it.
    if (!(await markUsed(tx, passkey.id, use, now))) return false
    await markShownByPasskey(tx, session.id, now)
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
 * Shows a passkey in a session that goes on: it is asked for no password for a while, and a role counts again.
 * @throws AppError invalid_token (another account's passkey, no answer to what was asked, or too late)
 */
export async function showPasskey(ctx: Context, actor: Actor, answer: PasskeyAnswer): Promise<void> {
  const now = ctx.clock.now()
  const challenge = await takeValue(ctx.db, proofName(actor), now)
  const found = await findPasskey(ctx.db, answer.id)
  const passkey = found?.user_id === actor.id ? found : null
  const use = challenge !== null && passkey ? await checkPasskey(ctx, { challenge, answer, passkey }) : null
  const wrong = () => new AppError('invalid_token', { message: 'This is not a passkey of your account, or it took too long. Try again.' })
  if (!passkey || !use) throw wrong()
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markUsed(tx, passkey.id, use, now))) throw wrong()
    await markShownByPasskey(tx, actor.sessionId, now)
    await auditOwn(ctx, tx, actor.id, 'passkey.shown')
  })
}
