import { utcDate } from '#contracts/age.ts'
import { warningDays } from '#contracts/verification.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness, setLicenseVerified } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { nameKey } from '#server/kernel/license-keys.ts'
import { endVerification } from './end-verification.ts'
import { expiryOf } from './grant-verification.ts'
import { daysBetween, nameSimilarity, registerObjection } from './match-license.ts'
import { lockVerification, type RegisterRow, registerRow, type VerificationRow, verifiedIds } from './verification.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
export type Recheck = { checked: number; ended: number; warned: number }

const batch = 200
/** Below this similarity, the register's name is a different licensee. */
const sameLicensee = 0.6

/** Checks every verified license against the register and its expiration date, each in a short transaction. */
export async function recheckLicenses(ctx: Ctx): Promise<Recheck> {
  const counts: Recheck = { checked: 0, ended: 0, warned: 0 }
  const now = ctx.clock.now()
  for (let after: string | null = null; ; ) {
    const found = await verifiedIds(ctx.db, after, batch)
    for (const { id, business_id } of found) {
      const outcome = await inTransaction(ctx.db, async (tx) => {
        await lockBusiness(tx, business_id)
        const verification = await lockVerification(tx, id)
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

async function recheck(tx: Tx, ctx: Ctx, verification: VerificationRow, now: Date): Promise<'holds' | 'ended' | 'warned'> {
  const today = utcDate(now)
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

/** Why the register no longer supports a license, or null. Licenses approved from a document without a register row stay valid. */
function reasonToRevoke(verification: VerificationRow, row: RegisterRow | null): string | null {
  if (!row) return verification.basis === 'document' ? null : 'The register no longer lists this license.'
  const objection = registerObjection(row)
  if (objection !== null) return objection
  if (verification.basis === 'document' || nameSimilarity(nameKey(verification.license_name), row.name_key) >= sameLicensee) return null
  return 'The register now lists this license under another name.'
}

/**
 * The warning due this many days before expiration, or null. Only the nearest one is sent, once; warnings missed in an outage aren't sent
 * late.
 */
export function warningDue(daysLeft: number, warnedDays: number | null): (typeof warningDays)[number] | null {
  const nearest = warningDays.filter((days) => daysLeft <= days).at(-1)
  return nearest !== undefined && (warnedDays === null || warnedDays > nearest) ? nearest : null
}
