import { utcDate } from '#contracts/age.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { daysBetween } from './match-license.ts'
import { recheckLicenses } from './recheck.ts'
import type { LicenseChange } from './verification.events.ts'
import { licenseMail } from './verification.mails.ts'
import { keepersOf, verificationRow } from './verification.queries.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'verification.recheck': Record<string, never>
    'verification.mail-change': { verificationId: string; change: LicenseChange }
  }
}

type VerificationJob = Extract<JobName, `verification.${string}`>

export function verificationJobs(ctx: Context): Pick<JobHandlers, VerificationJob> {
  return {
    async 'verification.recheck'() {
      const counts = await recheckLicenses(ctx)
      if (counts.checked > 0) ctx.log.info(counts, 'checked the verified licenses against the register')
    },
    'verification.mail-change': (data) => mailChange(ctx, data),
  }
}

/** Before business hours in the Americas, so that expired badges are removed by opening time. */
export const verificationSchedules: readonly JobSchedule[] = [{ name: 'verification.recheck', cron: '7 0 * * *', data: {} }]

/** Emails owner and managers, unless the status has changed again. */
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
