import type { Passkey } from '#contracts/sign-in.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { deleteSessionsOf, markEmailVerified, setPassword } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { dropWaitingChange } from './email-changes.queries.ts'
import { consumeMailToken, findMailTokenOwner } from './mail-tokens.ts'
import { deletePasskeys, passkeysOf } from './passkeys.queries.ts'
import { toPasskey } from './passkeys.ts'
import { requireStrongPassword } from './password-strength.ts'
import { auditOwn, signalSessionsEnded } from './sign-in-news.ts'
import { lockAccount } from './ways-in.ts'

/** @throws AppError invalid_token */
export async function passkeysOfReset(ctx: Context, token: string): Promise<Passkey[]> {
  const owner = await findMailTokenOwner(ctx.db, 'reset-password', token, ctx.clock.now())
  if (!owner) throw new AppError('invalid_token')
  return (await passkeysOf(ctx.db, owner.id)).map(toPasskey)
}

type Reset = { token: string; password: string; removePasskeys: readonly string[] }

/**
 * Sets a new password with the token of a mailed link, which is spent. Ends every session, removes the chosen passkeys, confirms
 * the address (the link reached it), and mails the owner a list of the remaining passkeys.
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
    await markEmailVerified(tx, owner.id, now)
    // A pending change of address may have been requested by a person who knew the old password.
    await dropWaitingChange(tx, owner.id)
    await deleteSessionsOf(tx, owner.id)
    const removed = await deletePasskeys(tx, owner.id, removePasskeys)
    await ctx.jobs.enqueue('accounts.mail-password-changed', { userId: owner.id }, { tx })
    await auditOwn(ctx, tx, owner.id, 'password.reset', removed > 0 ? { removedPasskeys: removed } : {})
  })
  await signalSessionsEnded(ctx, owner.id)
  return owner
}
