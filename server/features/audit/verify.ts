import type { Db, Tx } from '../../db/connect.ts'
import { auditHash } from './record.ts'

const batchSize = 1000

/** A place in the log that was kept elsewhere, and its hash then. */
export type KeptPlace = { sequence: number; hash: string }

export type AuditBreak = {
  /** The first place that does not fit. */
  sequence: number
  /**
   * - `changed`: the row is not what was written, or does not follow from the one before
   * - `missing`: rows before the end are not there
   * - `cut_off`: the end is not where the log says
   * - `rewritten`: all fits, but the row at a kept place is another
   */
  kind: 'changed' | 'missing' | 'cut_off' | 'rewritten'
}

export type AuditCheck = { rows: number; head: KeptPlace; found: AuditBreak | null }

/**
 * Reads the whole log, a thousand rows at a time, as it was at one moment: rows may be added meanwhile. `rows` counts those that fit, and
 * `head` is the last of them.
 * @param kept what the row at that place must be; a chain alone cannot show that all of it was written anew
 */
export function verifyAudit(db: Db, kept: KeptPlace | null = null): Promise<AuditCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => readChain(tx, kept))
}

async function readChain(tx: Tx, kept: KeptPlace | null): Promise<AuditCheck> {
  const end = await tx.selectFrom('audit_head').select(['sequence', 'hash']).executeTakeFirstOrThrow()
  let head: KeptPlace = { sequence: 0, hash: '' }
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
      if (kept?.sequence === expected && kept.hash !== row.hash) return broken(expected, 'rewritten')
    }
    if (rows.length < batchSize) break
  }
  if (end.sequence !== head.sequence || end.hash !== head.hash) return broken(Math.min(end.sequence, head.sequence) + 1, 'cut_off')
  if (kept && kept.sequence > head.sequence) return broken(head.sequence + 1, 'cut_off')
  return { rows: head.sequence, head, found: null }
}

/** The sequence of the first row that does not fit, or null when all do. */
export const findAuditBreak = async (db: Db): Promise<number | null> => (await verifyAudit(db)).found?.sequence ?? null
