import { utcDate } from '../../../contracts/age.ts'
import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '../../kernel/jobs.ts'
import { daysBetween } from './license-words.ts'
import { recheckLicenses } from './recheck.ts'
import type { LicenseChange } from './verification.events.ts'
import { licenseMail } from './verification.mails.ts'
import { keepersOf, verificationRow } from './verification.queries.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Checks every verified license against the register and the calendar. */
    'verification.recheck': Record<string, never>
    'verification.mail-change': { verificationId: string; change: LicenseChange }
  }
}

type VerificationJob = Extract<JobName, `verification.${string}`>

export function verificationJobs(ctx: Context): Pick<JobHandlers, VerificationJob> {
  return {
    async 'verification.recheck'() {
      const counts = await recheckLicenses(ctx)
      if (counts.checked > 0) ctx.log.info(counts, 'verified licenses were checked against the register')
    },
    'verification.mail-change': (data) => mailChange(ctx, data),
  }
}

/** Before the working day of the Americas begins, so that a badge of yesterday is gone when doors open. */
export const verificationSchedules: readonly JobSchedule[] = [{ name: 'verification.recheck', cron: '7 0 * * *', data: {} }]

/** To the owner and the managers. What changed again since is not told any more. */
async function mailChange(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'brand' | 'config'>,
  { verificationId, change }: { verificationId: string; change: LicenseChange },
): Promise<void> {
  const verification = await verificationRow(ctx.db, verificationId)
  if (!verification || !isStill(change, verification.status)) return
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['name', 'slug'])
    .where('id', '=', verification.business_id)
    .executeTakeFirstOrThrow()
  const { expires_on } = verification
  const daysLeft = expires_on === null ? null : daysBetween(utcDate(ctx.clock.now()), expires_on)
  for (const { email } of await keepersOf(ctx.db, verification.business_id)) {
    await ctx.mail.send(licenseMail(ctx, { to: email, change, business, verification, daysLeft }))
  }
}

function isStill(change: LicenseChange, status: string): boolean {
  if (change === 'ended') return status === 'expired' || status === 'revoked'
  if (change === 'rejected' || change === 'unproven') return status === change
  return status === 'verified'
}
