import { createHash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'

/**
 * Counts a try against an email address, wherever it comes from and whether or not the address has an account.
 * The address is hashed: the counts may lie in a table.
 * @throws AppError too_many_requests
 */
export async function limitByEmail(ctx: Context, allowance: 'sign-in-email' | 'mail-email', email: string): Promise<void> {
  await ctx.rateLimiter.consume(allowance, createHash('sha256').update(email).digest('base64url'))
}
