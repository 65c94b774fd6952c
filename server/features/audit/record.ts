import { createHash } from 'node:crypto'
import type { Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

export type AuditEntry = {
  at: Date
  /** Null: the software itself. */
  actorId: string | null
  /** `license.verified`, `claim.approved`: the subject and what became of it. */
  action: `${string}.${string}`
  subjectType: string
  subjectId: string
  businessId?: string | null
  /** Ids, numbers and words of our own; never a secret, a code or somebody's text. */
  details?: Record<string, string | number | boolean | null>
}

/**
 * Adds to the audit log, in the transaction of what it tells. Rows are a chain of hashes; whoever adds locks its end, as the last
 * thing of the transaction: lock order comes after everything else. Answers the place and hash of the entry.
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

/** SHA-256 over the hash before and the row, its keys in order. */
export function auditHash(previous: string, row: Hashed): string {
  const { sequence, id, at, actor_id, action, subject_type, subject_id, business_id } = row
  const details = Object.entries(row.details).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([previous, sequence, id, at, actor_id, action, subject_type, subject_id, business_id, details])
  return createHash('sha256').update(text).digest('hex')
}
