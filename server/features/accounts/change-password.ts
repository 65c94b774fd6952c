import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { deleteOtherSessions, findAccount, isPasswordStill, setPassword } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { dropWaitingChange } from './email-changes.queries.ts'
import { limitOwnMail, limitProof } from './limits.ts'
import { endMailTokens } from './mail-tokens.ts'
import { requireStrongPassword } from './password-strength.ts'
import { requireRoleShown } from './proof.ts'
import { findProof } from './second-factor.queries.ts'
import { tellOfChange, tellSessionsEnded } from './sign-in-news.ts'
import { lockAccount } from './ways-in.ts'

/**
 * Sets another password for somebody who knows the present one. Every other session ends; links to set a password and a new address that
 * waits are good for nothing any more, whoever asked for them.
 * @throws AppError second_factor_required, conflict (no password yet), invalid_input (a wrong one, or the same again), weak_password,
 * too_many_requests
 */
export async function changePassword(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  requireRoleShown(actor)
  const proof = await findProof(ctx.db, actor.id, actor.sessionId)
  const person = await findAccount(ctx.db, actor.id)
  if (!proof || !person) throw new AppError('signed_out')
  const { email, password_hash: present } = proof
  if (present === null) throw new AppError('conflict', { message: 'This account has no password yet. Have a link mailed to set one.' })
  await limitProof(ctx, actor)
  const wrong = () => invalidField('currentPassword', 'This is not your password.')
  if (!(await auth.verifyPassword(currentPassword, present))) throw wrong()
  if (password === currentPassword) throw invalidField('password', 'This is your password already.')
  requireStrongPassword(password, { email, firstName: person.first_name, lastName: person.last_name, brandName: ctx.brand.name })
  const hash = await auth.hashPassword(password)

  await inTransaction(ctx.db, async (tx) => {
    const owner = await lockAccount(tx, actor.id)
    // Somebody else who knew it may have been faster.
    if (!(await isPasswordStill(tx, actor.id, present))) throw wrong()
    await setPassword(tx, actor.id, hash, ctx.clock.now())
    await endMailTokens(tx, 'reset-password', owner)
    await dropWaitingChange(tx, actor.id)
    await deleteOtherSessions(tx, actor.id, actor.sessionId)
    await tellOfChange(ctx, tx, actor.id, 'password-changed')
  })
  await tellSessionsEnded(ctx, actor.id)
}

/**
 * Mails the link that sets a password to the account's own address: for accounts without one, and for those who forgot it.
 * @throws AppError second_factor_required, too_many_requests
 */
export async function mailPasswordLink(ctx: Context, actor: Actor): Promise<void> {
  requireRoleShown(actor)
  const account = await findAccount(ctx.db, actor.id)
  if (!account) throw new AppError('signed_out')
  await limitOwnMail(ctx, actor.id)
  await ctx.jobs.enqueue('accounts.mail-reset-link', { email: account.email })
}
