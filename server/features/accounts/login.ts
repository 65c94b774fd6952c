import type { AccountType } from '#contracts/accounts.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Session } from '#server/kernel/session.ts'
import { deleteSessionById, findSignIn, isPasswordStill } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { rememberDevice } from './known-devices.ts'
import { limitSignIn } from './limits.ts'

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
  // A concurrent password reset ended all sessions before this one existed, so end it here.
  if (!(await isPasswordStill(ctx.db, account.id, account.password_hash))) {
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
