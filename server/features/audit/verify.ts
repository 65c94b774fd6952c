import type { Db } from '../../db/connect.ts'
import { auditHash } from './record.ts'

const batchSize = 1000

/** Reads the whole log and answers the sequence of the first row that does not fit, or null when all do. */
export async function findAuditBreak(db: Db): Promise<number | null> {
  let previous = ''
  let expected = 1
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('sequence', '>=', expected)
      .orderBy('sequence')
      .limit(batchSize)
      .execute()
    for (const row of rows) {
      const isWhole =
        row.sequence === expected &&
        row.previous_hash === previous &&
        row.hash === auditHash(previous, { ...row, at: row.at.toISOString(), details: row.details as object })
      if (!isWhole) return expected
      previous = row.hash
      expected++
    }
    if (rows.length < batchSize) break
  }
  const head = await db.selectFrom('audit_head').select(['sequence', 'hash']).executeTakeFirstOrThrow()
  return head.hash === previous && head.sequence === expected - 1 ? null : expected
}
