import type { Registration } from '#contracts/accounts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { insertAccount } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { requireAdult } from './birthday.ts'
import { rememberDevice } from './known-devices.ts'
import { mayMail, type Origin } from './limits.ts'
import { requireStrongPassword } from './password-strength.ts'

export type Registered = {
  confirmEmail: boolean
  /** Signs the new account in. Empty if its address must be confirmed first. */
  cookies: string[]
}

/**
 * Creates an account with a password.
 *
 * If addresses must be confirmed, a known address takes the same work and gets the same response, and its owner is mailed.
 * Otherwise (on the operator's own machine) the caller gets email_taken, or is signed in.
 * @throws AppError underage, weak_password, email_taken, too_many_requests
 */
export async function register(
  ctx: Context,
  auth: Auth,
  registration: Registration,
  browser: Origin & { userAgent: string | undefined },
): Promise<Registered> {
  const { email, password, accountType, ...details } = registration
  const confirmEmail = ctx.config.emailVerification === 'required'
  requireAdult(details.birthday, ctx.clock)
  requireStrongPassword(password, { ...details, email, brandName: ctx.brand.name })
  const mails = !confirmEmail || (await mayMail(ctx, email, browser))
  const passwordHash = await auth.hashPassword(password)

  const userId = await inTransaction(ctx.db, async (tx) => {
    const id = await insertAccount(tx, { ...details, email, userType: accountType, passwordHash }, ctx.clock.now())
    if (!mails) return id
    if (id) await ctx.jobs.enqueue('accounts.mail-verification-link', { email }, { tx })
    else if (confirmEmail) await ctx.jobs.enqueue('accounts.mail-existing-account', { email }, { tx })
    return id
  })

  if (confirmEmail) return { confirmEmail, cookies: [] }
  if (!userId) throw emailTaken()
  const { cookie } = await auth.startSession(userId, browser.userAgent)
  return { confirmEmail, cookies: [cookie, rememberDevice(ctx, browser.cookie, email)] }
}

function emailTaken(): AppError {
  const { message } = new AppError('email_taken')
  return new AppError('email_taken', { fields: { email: message } })
}
