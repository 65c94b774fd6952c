import type { AccountType } from '../../../contracts/accounts.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Session } from '../../kernel/session.ts'
import { deleteSessionById, findSignIn, isPasswordStill } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { limitByEmail } from './limits.ts'

type Credentials = { email: string; password: string }
type SignedIn = { accountType: AccountType; hasCompletedOnboarding: boolean; cookie: string }

/**
 * Signs in with a password. An unknown address costs the same work as a wrong password, and gets the same answer.
 * @param previous the session that the browser still carries; it ends
 * @throws AppError wrong_credentials; email_unverified, but only to who knows the password; too_many_requests
 */
export async function login(
  ctx: Context,
  auth: Auth,
  { email, password }: Credentials,
  { previous, userAgent }: { previous: Session | null; userAgent: string | undefined },
): Promise<SignedIn> {
  await limitByEmail(ctx, 'sign-in-email', email)
  const account = await findSignIn(ctx.db, email)
  const isRight = await auth.verifyPassword(password, account?.password_hash ?? null)
  if (!account || !isRight) throw new AppError('wrong_credentials')
  if (ctx.config.emailVerification === 'required' && !account.email_verified) throw new AppError('email_unverified')

  const session = await auth.startSession(account.id, userAgent)
  // A reset that ended all sessions while we compared the old password did not see this one.
  if (!(await isPasswordStill(ctx.db, account.id, account.password_hash))) {
    await deleteSessionById(ctx.db, session.id)
    throw new AppError('wrong_credentials')
  }
  if (previous) await deleteSessionById(ctx.db, previous.actor.sessionId)
  return { accountType: account.user_type, hasCompletedOnboarding: account.has_completed_onboarding, cookie: session.cookie }
}
