import type { Tx } from '#server/db/connect.ts'
import type { AuditEntry } from '#server/features/audit/index.ts'
import { setLicenseVerified } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { VerificationRow } from './verification.queries.ts'

type End = {
  verification: Pick<VerificationRow, 'id' | 'business_id' | 'license_number_key' | 'state'>
  status: 'expired' | 'revoked' | 'unproven'
  /** Shown to the business and, if revoked, to the public. */
  reason: string | null
  actorId: string | null
  now: Date
}

/**
 * Removes the badge at once. The caller has locked the business, the verification is in force, and the caller records the returned entry
 * at the end of the transaction.
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
