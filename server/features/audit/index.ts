import { createHash } from 'node:crypto'
import type { Db, Tx } from '#server/db/connect.ts'
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
  /** Only IDs, numbers and fixed terms; never secrets, codes or text that people wrote. */
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

/** SHA-256 of the previous hash and the row, with the keys of its details sorted. */
function auditHash(previous: string, row: Hashed): string {
  const { sequence, id, at, actor_id, action, subject_type, subject_id, business_id } = row
  const details = Object.entries(row.details).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([previous, sequence, id, at, actor_id, action, subject_type, subject_id, business_id, details])
  return createHash('sha256').update(text).digest('hex')
}

const batchSize = 1000

/** A position in the log that was recorded elsewhere, and its hash at the time. */
export type KnownEntry = { sequence: number; hash: string }

export type AuditBreak = {
  sequence: number
  /**
   * - `changed`: the row was altered, or does not follow from the previous one
   * - `missing`: rows before the end are missing
   * - `cut_off`: the log's end doesn't match its head, or is before the recorded position
   * - `rewritten`: the chain is intact, but the row at a recorded position differs
   */
  kind: 'changed' | 'missing' | 'cut_off' | 'rewritten'
}

export type AuditCheck = { rows: number; head: KnownEntry; found: AuditBreak | null }

/**
 * Reads the whole log in batches of 1,000, in one snapshot, so rows may be added in the meantime. `rows` counts the rows of the intact
 * chain and `head` is the last of them.
 * @param known the expected row at a recorded position; the chain itself can't reveal that all of it was rewritten
 */
export function verifyAudit(db: Db, known: KnownEntry | null = null): Promise<AuditCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => readChain(tx, known))
}

async function readChain(tx: Tx, known: KnownEntry | null): Promise<AuditCheck> {
  const end = await tx.selectFrom('audit_head').select(['sequence', 'hash']).executeTakeFirstOrThrow()
  let head: KnownEntry = { sequence: 0, hash: '' }
  const broken = (sequence: number, kind: AuditBreak['kind']): AuditCheck => ({ rows: head.sequence, head, found: { sequence, kind } })
  for (;;) {
    const rows = await tx
      .selectFrom('audit_log')
      .selectAll()
      .where('sequence', '>', head.sequence)
      .orderBy('sequence')
      .limit(batchSize)
      .execute()
    for (const row of rows) {
      const expected = head.sequence + 1
      if (row.sequence !== expected) return broken(expected, 'missing')
      const isWhole =
        row.previous_hash === head.hash &&
        row.hash === auditHash(head.hash, { ...row, at: row.at.toISOString(), details: row.details as object })
      if (!isWhole) return broken(expected, 'changed')
      head = { sequence: expected, hash: row.hash }
      if (known?.sequence === expected && known.hash !== row.hash) return broken(expected, 'rewritten')
    }
    if (rows.length < batchSize) break
  }
  if (end.sequence !== head.sequence || end.hash !== head.hash) return broken(Math.min(end.sequence, head.sequence) + 1, 'cut_off')
  if (known && known.sequence > head.sequence) return broken(head.sequence + 1, 'cut_off')
  return { rows: head.sequence, head, found: null }
}

export const findAuditBreak = async (db: Db): Promise<number | null> => (await verifyAudit(db)).found?.sequence ?? null
