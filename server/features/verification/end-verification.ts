import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import type { AuditEntry } from '../audit/index.ts'
import { setLicenseVerified } from '../businesses/index.ts'
import type { VerificationRow } from './verification.queries.ts'

type End = {
  verification: Pick<VerificationRow, 'id' | 'business_id' | 'license_number_key' | 'state'>
  status: 'expired' | 'revoked' | 'unproven'
  /** For the business; of a revoked one, for the public too. */
  reason: string | null
  actorId: string | null
  now: Date
}

/**
 * Takes the badge away at once. The caller has locked the business, the verification holds, and the caller records the answered entry
 * as the last thing of the transaction.
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
  // Nothing says that an unproven license is inactive, or that it is this business's.
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
