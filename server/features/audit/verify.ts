import type { Db, Tx } from '#server/db/connect.ts'
import { auditHash } from './record.ts'

const batchSize = 1000

/** A position in the log that was recorded elsewhere, and its hash at the time. */
export type KnownEntry = { sequence: number; hash: string }

export type AuditBreak = {
  sequence: number
  /**
   * - `changed`: the row was altered, or does not follow from the previous one
   * - `missing`: rows before the end are missing
   * - `cut_off`: the end is not where the head says
   * - `rewritten`: the chain is intact, but the row at a recorded position differs
   */
  kind: 'changed' | 'missing' | 'cut_off' | 'rewritten'
}

export type AuditCheck = { rows: number; head: KnownEntry; found: AuditBreak | null }

/**
 * Reads the whole log in batches of 1,000, in one snapshot, so rows may be added meanwhile. `rows` counts the valid rows and `head`
 * is the last of them.
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
