import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness, setLicenseVerified } from '#server/features/businesses/index.ts'
import { unlinkLicense } from '#server/features/directory/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { provenBy } from './proof.ts'
import { type LockedVerification, lockVerification, registerRow } from './verification.queries.ts'

/** `ended`: it expired or the register changed. `unproven`: it was matched with the register, without other proof. */
export type LicenseChange = 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'license.changed': { verificationId: string; change: LicenseChange }
  }
}

type End = {
  verification: Pick<LockedVerification, 'id' | 'business_id' | 'license_number_key' | 'state'>
  status: 'expired' | 'revoked' | 'unproven'
  /** Shown to the business and, if revoked, to the public. */
  reason: string | null
  actorId: string | null
  now: Date
}

/**
 * Removes the badge of a license that is verified. The caller records the returned entry at the end of the transaction.
 */
export async function endVerification(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  { verification, status, reason, actorId, now }: End,
): Promise<AuditEntry> {
  const { id, business_id: businessId } = verification
  await tx
    .updateTable('license_verifications')
    .set({ status, reason, ended_at: now, checked_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
  // An unproven license isn't known to be inactive, nor to be this business's.
  await setLicenseVerified(tx, businessId, null, now, status === 'unproven' ? 'none' : 'inactive')
  await ctx.events.publish(tx, 'license.changed', { verificationId: id, change: status === 'unproven' ? 'unproven' : 'ended' })
  return {
    at: now,
    actorId,
    action: `license.${status}`,
    subjectType: 'license_verification',
    subjectId: id,
    businessId,
    details: { number: verification.license_number_key, state: verification.state, reason },
  }
}

const reason = 'Your license needs one more step: prove you control it.'

/**
 * A register match alone used to verify a license. Runs on each start: licenses without other proof lose their badge and the owners are
 * notified; listings claimed by a code keep it. Idempotent.
 */
export async function endUnprovenVerifications(ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'log'>): Promise<void> {
  const counts = { ended: 0, proven: 0 }
  for (const { id, business_id } of await matchedOnly(ctx.db)) {
    const outcome = await inTransaction(ctx.db, async (tx) => {
      const business = await lockBusiness(tx, business_id)
      if (!business) return null
      const verification = await lockVerification(tx, business.id, id)
      if (verification.status !== 'verified' || verification.basis !== 'register') return null
      const { isProven, entry } = await settle(tx, ctx, verification)
      await recordAudit(tx, entry)
      return isProven ? 'proven' : 'ended'
    })
    if (outcome) counts[outcome]++
  }
  if (counts.ended + counts.proven === 0) return
  ctx.cache.invalidate('businesses')
  ctx.log.info(counts, 'settled licenses that were verified only by a match')
}

async function settle(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'events'>,
  verification: LockedVerification,
): Promise<{ isProven: boolean; entry: AuditEntry }> {
  const now = ctx.clock.now()
  const { id, business_id: businessId, license_id: licenseId } = verification
  const row = licenseId === null ? undefined : await registerRow(tx, licenseId)
  const proof = row && (await provenBy(tx, businessId, row))
  if (!proof) {
    // Unlink before recomputing the standing, so that the page no longer shows the license as the business's own.
    if (row?.business_id === businessId) await unlinkLicense(tx, row.id)
    return {
      isProven: false,
      entry: await endVerification(tx, ctx, { verification, status: 'unproven', reason, actorId: null, now }),
    }
  }
  await tx.updateTable('license_verifications').set({ basis: proof.basis, updated_at: now }).where('id', '=', id).execute()
  return {
    isProven: true,
    entry: {
      at: now,
      actorId: null,
      action: 'license.proven',
      subjectType: 'license_verification',
      subjectId: id,
      businessId,
      details: { basis: proof.basis },
    },
  }
}

const matchedOnly = (db: Db) =>
  db
    .selectFrom('license_verifications')
    .select(['id', 'business_id'])
    .where('status', '=', 'verified')
    .where('basis', '=', 'register')
    .orderBy('id')
    .execute()

/**
 * Called when a business turns out to belong to someone else. Withdraws pending requests of the former team and detaches their documents,
 * which the new team must not see. A verified license stays verified, because it is the business's. The caller records the returned
 * entries at the end of the transaction.
 */
export async function endTeamRequests(tx: Tx, businessId: Locked<'businesses'>, actorId: string | null, now: Date): Promise<AuditEntry[]> {
  const shown = await tx
    .updateTable('license_verifications')
    .set({ document_id: null })
    .where('business_id', '=', businessId)
    .where('document_id', 'is not', null)
    .returning('id')
    .execute()
  await syncMediaUses(tx, 'license', idsOf(shown))
  const ended = await tx
    .updateTable('license_verifications')
    .set({ status: 'withdrawn', ended_at: now, updated_at: now })
    .where('business_id', '=', businessId)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  return ended.map(({ id }) => ({
    at: now,
    actorId,
    action: 'license.withdrawn',
    subjectType: 'license_verification',
    subjectId: id,
    businessId,
  }))
}
