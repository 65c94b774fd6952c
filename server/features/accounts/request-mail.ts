import type { Context } from '../../kernel/context.ts'
import { mayMail, type Origin } from './limits.ts'

/**
 * Has a link mailed to an address. Whether the address has an account is looked up by the job, after the answer, so
 * that neither the answer nor its time tells. An address that has had enough mail gets no more: the links in its mailbox still work.
 * @throws AppError too_many_requests
 */
export async function requestMail(
  ctx: Context,
  job: 'accounts.mail-reset-link' | 'accounts.mail-verification-link',
  email: string,
  origin: Origin,
): Promise<void> {
  if (await mayMail(ctx, email, origin)) await ctx.jobs.enqueue(job, { email })
}
