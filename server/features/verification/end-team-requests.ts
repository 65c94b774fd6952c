import type { Tx } from '#server/db/connect.ts'
import type { AuditEntry } from '#server/features/audit/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'

/**
 * Called when a business turns out to belong to someone else. Withdraws pending requests of the former team and detaches their documents,
 * which the new team must not see. A verified license stays verified, because it is the business's. The caller has locked the business and
 * records the returned entries at the end of the transaction.
 */
export async function endTeamRequests(tx: Tx, businessId: string, actorId: string | null, now: Date): Promise<AuditEntry[]> {
  const shown = await tx
    .updateTable('license_verifications')
    .set({ document_id: null })
    .where('business_id', '=', businessId)
    .where('document_id', 'is not', null)
    .returning('id')
    .execute()
  await syncMediaUses(
    tx,
    'license',
    shown.map(({ id }) => id),
  )
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
