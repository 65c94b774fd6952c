import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { deleteSessionsOf, markEmailVerified, setPassword } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { dropWaitingChange } from './email-changes.queries.ts'
import { consumeMailToken, findMailTokenOwner } from './mail-tokens.ts'
import { requireStrongPassword } from './password-strength.ts'
import { auditOwn, tellSessionsEnded } from './sign-in-news.ts'
import { lockAccount } from './ways-in.ts'

/**
 * Sets a new password with the token of a mailed link, which is used up. Every session of the account ends, the
 * address counts as confirmed (the link reached it), and its owner gets a notice.
 * @throws AppError invalid_token, weak_password (the link then still works)
 */
export async function resetPassword(ctx: Context, auth: Auth, { token, password }: { token: string; password: string }): Promise<void> {
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
    // Whoever asked for another address may have known the old password.
    await dropWaitingChange(tx, owner.id)
    await deleteSessionsOf(tx, owner.id)
    await ctx.jobs.enqueue('accounts.mail-password-changed', { userId: owner.id }, { tx })
    await auditOwn(ctx, tx, owner.id, 'password.reset')
  })
  await tellSessionsEnded(ctx, owner.id)
}
