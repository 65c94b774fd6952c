import type { Registration } from '#contracts/accounts.ts'
import { safeReturnTo } from '#contracts/addresses.ts'
import { utcDate } from '#contracts/age.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { insertAccount, markEmailVerified, markSignedUpAgain, setAgeConfirmed, setRole } from './accounts.queries.ts'
import { accountStatusOf } from './accounts.view.ts'
import { type Auth, hashPassword } from './auth.ts'
import { consumeMailLimit, type Origin, rememberDevice } from './limits.ts'
import { requireStrongPassword } from './password-strength.ts'
import { requireAdult } from './profile.ts'

export type Registered = {
  confirmEmail: boolean
  /** Empty if the address must be confirmed first. */
  cookies: string[]
}

/**
 * If addresses must be confirmed, an address that already has an account takes as much work and gets the same response as a new one, and
 * its owner is emailed. Otherwise, the caller gets email_taken or is signed in.
 * @throws AppError underage, invalid_input (impossible birthday), weak_password, email_taken, too_many_requests
 */
export async function register(
  ctx: Context,
  auth: Auth,
  registration: Registration,
  browser: Origin & { userAgent: string | undefined },
): Promise<Registered> {
  const { email, password, accountType, returnTo: wanted, ...details } = registration
  const returnTo = safeReturnTo(wanted)
  const confirmEmail = ctx.config.emailVerification === 'required'
  requireAdult(details.birthday, ctx.clock)
  requireStrongPassword(password, { ...details, email, brandName: ctx.brand.name })
  const mails = !confirmEmail || (await consumeMailLimit(ctx, email, browser))
  const passwordHash = await auth.hashPassword(password)

  const userId = await inTransaction(ctx.db, async (tx) => {
    const id = await insertAccount(tx, { ...details, email, userType: accountType, passwordHash }, ctx.clock.now())
    // Needed even if no email is sent now: the link in an earlier or later email must not confirm the first password.
    if (!id) await markSignedUpAgain(tx, email, ctx.clock.now())
    if (!mails) return id
    if (id) await ctx.jobs.enqueue('accounts.mail-verification-link', { email, returnTo }, { tx })
    else if (confirmEmail) await ctx.jobs.enqueue('accounts.mail-existing-account', { email, returnTo }, { tx })
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

export type NewAdmin = Pick<Registration, 'email' | 'password' | 'firstName' | 'lastName' | 'birthday'>

/**
 * Creates an admin account from the command line; the operator vouches for the address.
 * @returns false if the email already has an account, which is left unchanged, or is still reserved by a recent address change
 * @throws AppError underage, invalid_input (impossible birthday), weak_password
 */
export async function createAdmin({ db, clock, brand }: Pick<Context, 'db' | 'clock' | 'brand'>, admin: NewAdmin): Promise<boolean> {
  const { password, ...details } = admin
  requireAdult(details.birthday, clock)
  requireStrongPassword(password, { ...details, brandName: brand.name })
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const id = await insertAccount(tx, { ...details, userType: 'consumer', passwordHash }, clock.now())
    if (!id) return false
    await setRole(tx, id, 'admin')
    await setAgeConfirmed(tx, id, clock.now())
    await markEmailVerified(tx, id, clock.now())
    await auditNewAdmin(tx, id, clock)
    return true
  })
}

/**
 * Refuses an account whose address was never confirmed, because someone else may have registered it.
 * @returns false if there is no such account
 * @throws AppError conflict
 */
export async function promoteToAdmin(db: Db, email: string, clock: Clock): Promise<boolean> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('users')
      .select(['id', 'email_verified', 'created_at', 'is_demo', 'leaves_at', 'muted_until', 'suspended_until', 'banned_at'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirst()
    if (!account) return false
    const refuse = (message: string) => new AppError('conflict', { message: `${email} ${message} Nothing was changed.` })
    if (account.is_demo) throw refuse('belongs to a demo account with a public password.')
    if (account.leaves_at !== null) throw refuse('belongs to an account that is being deleted.')
    if (accountStatusOf(account, now).suspendedUntil !== null) throw refuse('belongs to a suspended account.')
    if (!account.email_verified)
      throw refuse(
        `was registered on ${utcDate(account.created_at)} and never confirmed, so the account may be someone else's. ` +
          'Request a link for a new password on the sign-in page; without SMTP_URL, the email is in DATA_DIR/outbox. ' +
          "The link confirms the address, ends all sessions, and removes passkeys that aren't yours. Then run this command again.",
      )
    await setRole(tx, account.id, 'admin')
    await setAgeConfirmed(tx, account.id, now)
    await auditNewAdmin(tx, account.id, clock)
    return true
  })
}

/** The actor is the system, because no one is signed in on the command line. */
const auditNewAdmin = (tx: Tx, subjectId: string, clock: Clock) =>
  recordAudit(tx, {
    at: clock.now(),
    actorId: null,
    action: 'role.changed',
    subjectType: 'user',
    subjectId,
    details: { role: 'admin', because: 'command' },
  })
