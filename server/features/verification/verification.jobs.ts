import { licenseDay } from '#contracts/time.ts'
import { warningDays } from '#contracts/verification.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness, setLicenseVerified } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { nameKey } from '#server/kernel/fold-text.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail, type Mail, oneLine } from '#server/kernel/mail.ts'
import { daysBetween, longDate, nameSimilarity, registerObjection } from './match-license.ts'
import { expiryOf } from './proof.ts'
import { endVerification } from './settle-verification.ts'
import {
  type LicenseChange,
  type LockedVerification,
  licenseManagers,
  lockVerification,
  type RegisterRow,
  registerRow,
  statusesAfter,
  type VerificationRow,
  verificationRow,
  verifiedIds,
} from './verification.queries.ts'

type Changed = { verificationId: string; change: LicenseChange }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'verification.recheck': Record<string, never>
    /** Queues an email to each owner and manager, so that a mailbox that refuses one affects no one else. */
    'verification.mail-change': Changed
    'verification.mail-person': Changed & { userId: string }
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
    'verification.mail-person': (data) => mailPerson(ctx, data),
  }
}

/** Runs soon after `licenseDay` changes. */
export const verificationSchedules: readonly JobSchedule[] = [{ name: 'verification.recheck', cron: '7 12 * * *', data: {} }]

async function mailChange({ db, jobs }: Pick<Context, 'db' | 'jobs'>, { verificationId, change }: Changed): Promise<void> {
  const verification = await verificationRow(db, verificationId)
  if (!verification) return
  await inTransaction(db, async (tx) => {
    for (const { id: userId } of await licenseManagers(tx, verification.business_id)) {
      await jobs.enqueue('verification.mail-person', { verificationId, change, userId }, { tx })
    }
  })
}

/** Sends nothing if the status has changed again, or if the person no longer manages the license. */
async function mailPerson(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'brand' | 'config'>,
  { verificationId, change, userId }: Changed & { userId: string },
): Promise<void> {
  const verification = await verificationRow(ctx.db, verificationId)
  if (!verification || !statusesAfter[change].includes(verification.status)) return
  const manager = (await licenseManagers(ctx.db, verification.business_id)).find(({ id }) => id === userId)
  if (!manager) return
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['name', 'slug'])
    .where('id', '=', verification.business_id)
    .executeTakeFirstOrThrow()
  const { expires_on } = verification
  const daysLeft = expires_on === null ? null : daysBetween(licenseDay(ctx.clock.now()), expires_on)
  await ctx.mail.send(licenseMail(ctx, { to: manager.email, change, business, verification, daysLeft }))
}

type About = {
  to: string
  change: LicenseChange
  business: { name: string; slug: string }
  verification: Pick<VerificationRow, 'license_number' | 'expires_on' | 'status' | 'reason'>
  daysLeft: number | null
}

function licenseMail({ brand, config }: Pick<Context, 'brand' | 'config'>, { to, change, business, verification, daysLeft }: About): Mail {
  const name = `“${oneLine(business.name)}”`
  const license = `license ${oneLine(verification.license_number)}`
  const page = `${config.publicUrl}/business-dashboard/license?${new URLSearchParams({ business: business.slug })}`
  const day = verification.expires_on === null ? '' : longDate(verification.expires_on)
  const [subject, ...paragraphs] = {
    verified: [
      'your license is verified',
      `The ${license} for ${name} is verified, and its page now shows that.${day && ` It expires on ${day}. We’ll remind you.`}`,
    ],
    unproven: [
      'your license needs one more step',
      `Your license needs one more step: prove you control it. We no longer verify a license just because it matches the public register, since anyone can read the register. Until you prove it, the page for ${name} won’t show ${license} as verified.`,
      'Open the license page and choose how to prove it: a code sent to the contact that the register lists, or the license as a PDF.',
    ],
    rejected: [
      'your license wasn’t verified',
      `We couldn’t confirm ${license} for ${name}. The reason:`,
      `“${oneLine(verification.reason ?? '')}”`,
    ],
    expiring: [
      daysLeft === 0 ? 'your license expires today' : 'your license expires soon',
      `The ${license} for ${name} expires ${daysLeft === 0 ? 'today' : daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`}, on ${day}. When you’ve renewed it, verify it again to keep it on the page.`,
    ],
    ended: [
      verification.status === 'expired' ? 'your license has expired' : 'your license is no longer verified',
      verification.status === 'expired'
        ? `The ${license} for ${name} expired on ${day}. Its page no longer shows it as verified.`
        : `The page for ${name} no longer shows its ${license} as verified. The reason: ${oneLine(verification.reason ?? '')}`,
      verification.status === 'expired' ? 'When it’s renewed, verify it again.' : 'If it’s still valid, verify it again.',
    ],
  }[change] as [string, ...string[]]
  return composeMail(brand, to, subject, [...paragraphs, page])
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
type Recheck = { checked: number; ended: number; warned: number }

const batch = 200
/** Below this similarity, the register's name counts as another licensee's. */
const sameLicensee = 0.6

/** Checks every verified license against the register and its expiration date, each in a short transaction. */
async function recheckLicenses(ctx: Ctx): Promise<Recheck> {
  const counts: Recheck = { checked: 0, ended: 0, warned: 0 }
  const now = ctx.clock.now()
  for (let after: string | null = null; ; ) {
    const found = await verifiedIds(ctx.db, after, batch)
    for (const { id, business_id } of found) {
      const outcome = await inTransaction(ctx.db, async (tx) => {
        const business = await lockBusiness(tx, business_id)
        if (!business) return 'over'
        const verification = await lockVerification(tx, business.id, id)
        return verification.status === 'verified' ? recheck(tx, ctx, verification, now) : 'over'
      })
      if (outcome === 'over') continue
      counts.checked++
      if (outcome !== 'holds') counts[outcome]++
    }
    after = found.at(-1)?.id ?? null
    if (found.length < batch) break
  }
  if (counts.checked > 0) ctx.cache.invalidate('businesses')
  return counts
}

async function recheck(tx: Tx, ctx: Ctx, verification: LockedVerification, now: Date): Promise<'holds' | 'ended' | 'warned'> {
  const today = licenseDay(now)
  const row = verification.license_id === null ? null : ((await registerRow(tx, verification.license_id)) ?? null)
  const end = async (status: 'expired' | 'revoked', reason: string | null) =>
    recordAudit(tx, await endVerification(tx, ctx, { verification, status, reason, actorId: null, now }))
  const reason = reasonToRevoke(verification, row)
  if (reason !== null) {
    await end('revoked', reason)
    return 'ended'
  }
  const expiry = row ? expiryOf(row, verification.stated_expires_on) : verification
  if (expiry.expires_on !== null && expiry.expires_on < today) {
    await tx
      .updateTable('license_verifications')
      .set({ expires_on: expiry.expires_on, expiry_source: expiry.expiry_source })
      .where('id', '=', verification.id)
      .execute()
    await end('expired', null)
    return 'ended'
  }
  const isMoved = expiry.expires_on !== verification.expires_on
  const warned = isMoved ? null : verification.warned_days
  const due = expiry.expires_on === null ? null : warningDue(daysBetween(today, expiry.expires_on), warned)
  await tx
    .updateTable('license_verifications')
    .set({
      expires_on: expiry.expires_on,
      expiry_source: expiry.expiry_source,
      warned_days: due ?? warned,
      checked_at: now,
      updated_at: now,
      ...(row && { authority: row.authority, source: row.source, source_date: row.source_date }),
    })
    .where('id', '=', verification.id)
    .execute()
  if (isMoved) await setLicenseVerified(tx, verification.business_id, { through: expiry.expires_on }, now)
  if (due === null) return 'holds'
  await ctx.events.publish(tx, 'license.changed', { verificationId: verification.id, change: 'expiring' })
  await recordAudit(tx, {
    at: now,
    actorId: null,
    action: 'license.warned',
    subjectType: 'license_verification',
    subjectId: verification.id,
    businessId: verification.business_id,
    details: { days: due, expires: expiry.expires_on },
  })
  return 'warned'
}

/** Why the register no longer supports a license, or null. A license approved from a document doesn't need a register row. */
function reasonToRevoke(verification: VerificationRow, row: RegisterRow | null): string | null {
  if (!row) return verification.basis === 'document' ? null : 'The register no longer lists this license.'
  const objection = registerObjection(row)
  if (objection !== null) return objection
  if (verification.basis === 'document' || nameSimilarity(nameKey(verification.license_name), row.name_key) >= sameLicensee) return null
  return 'The register now lists this license under a different name.'
}

/**
 * The warning due this many days before expiration, or null. Only the nearest one is sent, once; warnings missed in an outage aren't sent
 * late.
 */
export function warningDue(daysLeft: number, warnedDays: number | null): (typeof warningDays)[number] | null {
  const nearest = warningDays.filter((days) => daysLeft <= days).at(-1)
  return nearest !== undefined && (warnedDays === null || warnedDays > nearest) ? nearest : null
}
