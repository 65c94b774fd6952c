import type { Tx } from '../../db/connect.ts'
import type { AuditEntry } from '../audit/index.ts'
import { syncMediaUses } from '../media/index.ts'

/**
 * When a business turns out to be somebody else's: what its former team asked for ends, and what they showed for it is not for the
 * new one to see. A license that was verified stays so: it is the business's. The business is locked by the caller, who records
 * what is answered as the last thing of the transaction.
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
