import type { Registration } from '../../../contracts/accounts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { insertAccount } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { requireAdult } from './birthday.ts'
import { limitByEmail } from './limits.ts'
import { requireStrongPassword } from './password-strength.ts'

export type Registered = {
  confirmEmail: boolean
  /** Signs the new account in; null while its address has to be confirmed first. */
  cookie: string | null
}

/**
 * Makes an account with a password.
 *
 * Where addresses must be confirmed, a known address gets the same answer after the same work, and its owner a mail;
 * where they need not be (a machine of one's own), the caller is told and may sign in.
 * @throws AppError underage, weak_password, email_taken, too_many_requests
 */
export async function register(ctx: Context, auth: Auth, registration: Registration, userAgent: string | undefined): Promise<Registered> {
  const { email, password, accountType, ...details } = registration
  const confirmEmail = ctx.config.emailVerification === 'required'
  requireAdult(details.birthday, ctx.clock)
  requireStrongPassword(password, { ...details, email, brandName: ctx.brand.name })
  if (confirmEmail) await limitByEmail(ctx, 'mail-email', email)
  const passwordHash = await auth.hashPassword(password)

  const userId = await inTransaction(ctx.db, async (tx) => {
    const id = await insertAccount(tx, { ...details, email, userType: accountType, passwordHash }, ctx.clock.now())
    if (id) await ctx.jobs.enqueue('accounts.mail-verification-link', { email }, { tx })
    else if (confirmEmail) await ctx.jobs.enqueue('accounts.mail-existing-account', { email }, { tx })
    return id
  })

  if (confirmEmail) return { confirmEmail, cookie: null }
  if (!userId) throw emailTaken()
  const { cookie } = await auth.startSession(userId, userAgent)
  return { confirmEmail, cookie }
}

function emailTaken(): AppError {
  const { message } = new AppError('email_taken')
  return new AppError('email_taken', { fields: { email: message } })
}
