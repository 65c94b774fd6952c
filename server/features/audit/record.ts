import { createHash } from 'node:crypto'
import type { Tx } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

export type AuditEntry = {
  at: Date
  /** Null for the system. */
  actorId: string | null
  /** Subject and outcome, such as `license.verified` or `claim.approved`. */
  action: `${string}.${string}`
  subjectType: string
  subjectId: string
  businessId?: string | null
  /** IDs, numbers and our own words only; never secrets, codes or people's text. */
  details?: Record<string, string | number | boolean | null>
}

/**
 * Adds to the audit log, in the transaction that makes the change. The rows form a hash chain. This locks its head, which is
 * last in the lock order, so call it last in the transaction. Returns the sequence and hash of the entry.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<{ sequence: number; hash: string }> {
  const head = await tx.selectFrom('audit_head').select(['sequence', 'hash']).where('id', '=', 1).forUpdate().executeTakeFirstOrThrow()
  const row = {
    sequence: head.sequence + 1,
    id: newId(),
    at: entry.at.toISOString(),
    actor_id: entry.actorId,
    action: entry.action,
    subject_type: entry.subjectType,
    subject_id: entry.subjectId,
    business_id: entry.businessId ?? null,
    details: entry.details ?? {},
  }
  const hash = auditHash(head.hash, row)
  await tx
    .insertInto('audit_log')
    .values({ ...row, details: JSON.stringify(row.details), previous_hash: head.hash, hash })
    .execute()
  await tx.updateTable('audit_head').set({ sequence: row.sequence, hash }).where('id', '=', 1).execute()
  return { sequence: row.sequence, hash }
}

type Hashed = {
  sequence: number
  id: string
  at: string
  actor_id: string | null
  action: string
  subject_type: string
  subject_id: string
  business_id: string | null
  details: object
}

/** SHA-256 of the previous hash and the row with its keys in order. */
export function auditHash(previous: string, row: Hashed): string {
  const { sequence, id, at, actor_id, action, subject_type, subject_id, business_id } = row
  const details = Object.entries(row.details).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([previous, sequence, id, at, actor_id, action, subject_type, subject_id, business_id, details])
  return createHash('sha256').update(text).digest('hex')
}
