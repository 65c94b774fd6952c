import { utcDate } from '#contracts/age.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail, type Mail, oneLine } from '#server/kernel/mail.ts'
import type { LicenseChange } from './end-verification.ts'
import { daysBetween, longDate } from './match-license.ts'
import { recheckLicenses } from './recheck.ts'
import { keepersOf, type VerificationRow, verificationRow } from './verification.queries.ts'

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

type Ctx = Pick<Context, 'brand' | 'config'>
type About = {
  to: string
  change: LicenseChange
  business: { name: string; slug: string }
  verification: Pick<VerificationRow, 'license_number' | 'expires_on' | 'status' | 'reason'>
  daysLeft: number | null
}

function licenseMail({ brand, config }: Ctx, { to, change, business, verification, daysLeft }: About): Mail {
  const name = `“${oneLine(business.name)}”`
  const license = `license ${oneLine(verification.license_number)}`
  const page = `${config.publicUrl}/business-dashboard/license?${new URLSearchParams({ business: business.slug })}`
  const day = verification.expires_on === null ? '' : longDate(verification.expires_on)
  const [subject, ...paragraphs] = {
    verified: [
      'your license is verified',
      `The ${license} of ${name} is verified, and its page says so.${day && ` It expires on ${day}. We'll remind you.`}`,
    ],
    unproven: [
      'your license needs one more step',
      `Your license needs one more step: prove you control it. We no longer verify a license just because it matches the public register, since anyone can read the register. So the page of ${name} doesn't show the ${license} as verified for now.`,
      'Open the license page and choose how to prove it: a code sent to the contact that the register lists, or the license as a PDF.',
    ],
    rejected: [
      'about your request',
      `We couldn't confirm the ${license} of ${name}. The reason:`,
      `“${oneLine(verification.reason ?? '')}”`,
    ],
    expiring: [
      'a date to keep in mind',
      `The ${license} of ${name} expires ${daysLeft === 0 ? 'today' : daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`}, on ${day}. When you've renewed it, verify it again to keep it on the page.`,
    ],
    ended: [
      'a date has passed',
      verification.status === 'expired'
        ? `The ${license} of ${name} expired on ${day}. Its page no longer shows it as verified.`
        : `The page of ${name} no longer shows its ${license} as verified. The reason: ${oneLine(verification.reason ?? '')}`,
      "When it's renewed, verify it again.",
    ],
  }[change] as [string, ...string[]]
  return composeMail(brand, to, subject, [...paragraphs, page])
}
