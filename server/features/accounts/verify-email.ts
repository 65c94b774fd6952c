import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { markEmailVerified } from './accounts.queries.ts'
import { findMailTokenOwner } from './mail-tokens.ts'

/**
 * Confirms the address that the link was mailed to. Idempotent while the link is valid, because mail clients and impatient
 * people open links twice. Does not sign in.
 * @throws AppError invalid_token
 */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const owner = await findMailTokenOwner(ctx.db, 'verify-email', token, now)
  if (!owner) throw new AppError('invalid_token')
  await markEmailVerified(ctx.db, owner.id, now)
}
