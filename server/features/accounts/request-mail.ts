import type { Context } from '../../kernel/context.ts'
import { limitByEmail } from './limits.ts'

/**
 * Has a link mailed to an address. Whether the address has an account is looked up by the job, after the answer, so
 * that neither the answer nor its time tells.
 * @throws AppError too_many_requests
 */
export async function requestMail(
  ctx: Context,
  job: 'accounts.mail-reset-link' | 'accounts.mail-verification-link',
  email: string,
): Promise<void> {
  await limitByEmail(ctx, 'mail-email', email)
  await ctx.jobs.enqueue(job, { email })
}
