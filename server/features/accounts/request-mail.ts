import type { Context } from '#server/kernel/context.ts'
import { mayMail, type Origin } from './limits.ts'

/**
 * Mails a link to an address. The job looks the account up after the response, so neither the response nor its timing reveals
 * whether there is one. An address that has had enough mail gets no more; its earlier links still work.
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
