import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { confirmLicenses, lockRegister, type NewLicense, storedLicenses, writeLicenses } from './register.queries.ts'

export type FileLicense = NewLicense

export type BatchCounts = { added: number; changed: number; confirmed: number; unchanged: number; older: number }

/**
 * Compares a batch of a file's licenses with the register and writes those that differ. A row that was read before what is
 * stored is left: an old file that is imported late does not turn the register back.
 */
export function writeBatch(db: Db, batch: FileLicense[], context: { source: string; importId: string; now: Date }): Promise<BatchCounts> {
  return inTransaction(db, async (tx) => {
    const counts: BatchCounts = { added: 0, changed: 0, confirmed: 0, unchanged: 0, older: 0 }
    if (batch.length === 0) return counts
    await lockRegister(tx)
    const keys = batch.map((license) => license.register_key)
    const stored = new Map((await storedLicenses(tx, keys)).map((license) => [license.register_key, license]))
    const written: FileLicense[] = []
    const confirmed: { id: string; source_date: string | null }[] = []
    for (const license of batch) {
      const old = stored.get(license.register_key)
      const knownSince = old && latest(old.source_date, old.missing_since)
      if (!old) {
        counts.added++
        written.push(license)
      } else if (knownSince && license.source_date !== null && license.source_date < knownSince) counts.older++
      else if (old.content_hash !== license.content_hash || old.missing_since !== null) {
        counts.changed++
        written.push({ ...license, id: old.id })
      } else if (license.source_date !== null && license.source_date !== old.source_date) {
        counts.confirmed++
        confirmed.push({ id: old.id, source_date: license.source_date })
      } else counts.unchanged++
    }
    await writeLicenses(tx, written, context)
    await confirmLicenses(tx, confirmed, context.source)
    return counts
  })
}

const latest = (a: string | null, b: string | null): string | null => (a !== null && b !== null ? (a > b ? a : b) : (a ?? b))
