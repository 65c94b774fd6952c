import type { Passkey } from '#contracts/sign-in.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import {
  deleteOtherSessions,
  deleteOtherSignInMethods,
  deletePasskeys,
  deleteSessionsOf,
  findAccount,
  isPasswordUnchanged,
  markEmailVerified,
  passkeysOf,
  setPassword,
} from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { deletePendingEmailChange } from './email-changes.queries.ts'
import { limitOwnMail, limitProof } from './limits.ts'
import { consumeMailToken, endMailTokens, findMailTokenOwner } from './one-use-secrets.ts'
import { toPasskey } from './passkeys.ts'
import { requireStrongPassword } from './password-strength.ts'
import { auditOwn, lockAccount, lockOwnAccount, requireActiveRole, sendSignInNotice, signalSessionsEnded } from './proof.ts'
import { findProof } from './second-factor.queries.ts'

/**
 * Changes the password, given the current one. Ends every other session and invalidates emailed password links and any pending
 * change of address.
 * @throws AppError signed_out, second_factor_required, conflict (no password yet), invalid_input (wrong or unchanged), weak_password,
 * too_many_requests
 */
export async function changePassword(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  requireActiveRole(actor)
  const proof = await findProof(ctx.db, actor.id, actor.sessionId)
  const person = await findAccount(ctx.db, actor.id)
  if (!proof || !person) throw new AppError('signed_out')
  const { email, password_hash: present } = proof
  if (present === null) throw new AppError('conflict', { message: 'This account has no password yet. Request a link by email to set one.' })
  await limitProof(ctx, actor)
  const wrong = () => invalidField('currentPassword', 'This isn’t your password.')
  if (!(await auth.verifyPassword(currentPassword, present))) throw wrong()
  if (password === currentPassword) throw invalidField('password', 'This is already your password.')
  requireStrongPassword(password, { email, firstName: person.first_name, lastName: person.last_name, brandName: ctx.brand.name })
  const hash = await auth.hashPassword(password)

  await inTransaction(ctx.db, async (tx) => {
    const owner = await lockOwnAccount(tx, actor)
    if (!(await isPasswordUnchanged(tx, actor.id, present))) throw wrong()
    await setPassword(tx, actor.id, hash, ctx.clock.now())
    await endMailTokens(tx, 'reset-password', owner)
    await deletePendingEmailChange(tx, actor.id)
    await deleteOtherSessions(tx, actor.id, actor.sessionId)
    await sendSignInNotice(ctx, tx, actor.id, 'password-changed')
  })
  await signalSessionsEnded(ctx, actor.id)
}

/**
 * Emails the account's address a link to set a password. For accounts without a password or with a forgotten one.
 * @throws AppError signed_out, second_factor_required, too_many_requests
 */
export async function emailPasswordLink(ctx: Context, actor: Actor): Promise<void> {
  requireActiveRole(actor)
  const account = await findAccount(ctx.db, actor.id)
  if (!account) throw new AppError('signed_out')
  await limitOwnMail(ctx, actor.id)
  await ctx.jobs.enqueue('accounts.mail-reset-link', { email: account.email })
}

/** Empty if the address isn't confirmed yet, because the reset then removes every passkey. @throws AppError invalid_token */
export async function passkeysOfReset(ctx: Context, token: string): Promise<Passkey[]> {
  const owner = await findMailTokenOwner(ctx.db, 'reset-password', token, ctx.clock.now())
  if (!owner) throw new AppError('invalid_token')
  return owner.email_verified ? (await passkeysOf(ctx.db, owner.id)).map(toPasskey) : []
}

type Reset = { token: string; password: string; removePasskeys: readonly string[] }

/**
 * Spends the token of an emailed link to set a new password. Ends every session, removes the chosen passkeys, confirms the
 * address (the link reached it), and emails the owner a list of the remaining passkeys and API keys. If the address wasn't confirmed before,
 * no other way into the account remains.
 * @throws AppError invalid_token, weak_password (the link still works)
 */
export async function resetPassword(ctx: Context, auth: Auth, { token, password, removePasskeys }: Reset): Promise<{ email: string }> {
  const now = ctx.clock.now()
  const owner = await findMailTokenOwner(ctx.db, 'reset-password', token, now)
  if (!owner) throw new AppError('invalid_token')
  requireStrongPassword(password, {
    email: owner.email,
    firstName: owner.first_name,
    lastName: owner.last_name,
    brandName: ctx.brand.name,
  })
  const passwordHash = await auth.hashPassword(password)

  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, owner.id)
    if (!(await consumeMailToken(tx, 'reset-password', owner, token, now))) throw new AppError('invalid_token')
    await setPassword(tx, owner.id, passwordHash, now)
    // Someone else may have signed up with this address.
    const removedOthers = !owner.email_verified && (await deleteOtherSignInMethods(tx, owner.id))
    await markEmailVerified(tx, owner.id, now)
    // A person who knew the old password may have requested a change of address.
    await deletePendingEmailChange(tx, owner.id)
    await deleteSessionsOf(tx, owner.id)
    const removed = await deletePasskeys(tx, owner.id, removePasskeys)
    await ctx.jobs.enqueue('accounts.mail-password-changed', { userId: owner.id, removedOthers }, { tx })
    await auditOwn(ctx, tx, owner.id, 'password.reset', removed > 0 ? { removedPasskeys: removed } : {})
  })
  await signalSessionsEnded(ctx, owner.id)
  return owner
}
