import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { markEmailVerified } from './accounts.queries.ts'
import { findMailTokenOwner } from './mail-tokens.ts'

/**
 * Confirms the address that the link was mailed to. The link may be opened again while it is valid, and changes nothing
 * then: mail programs and hasty people open links twice. It signs nobody in.
 * @throws AppError invalid_token
 */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const owner = await findMailTokenOwner(ctx.db, 'verify-email', token, now)
  if (!owner) throw new AppError('invalid_token')
  await markEmailVerified(ctx.db, owner.id, now)
}
