import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { lockRegister, markMissing, olderLicenses } from './register.queries.ts'
import type { SeenLicenses } from './seen-licenses.ts'
import type { ImportSummary } from './summary.ts'

const batchSize = 5000
/** Before the first UUID. */
const beginning = '00000000-0000-0000-0000-000000000000'

/**
 * Marks licenses that an older file named and this one lacks, authority by authority: only those of which this file has
 * rows, and only when it says when it was read. Nothing is deleted; a later file that names the license again clears it.
 *
 * A license whose row was refused did not vanish. Its number or name stands in the refused text, and where more rows were
 * refused than are remembered, nothing is marked at all.
 */
export async function markVanished(db: Db, seen: SeenLicenses, summary: ImportSummary, now: Date): Promise<number> {
  if (summary.refusedWords === null) return 0
  const refusedWords = summary.refusedWords
  let marked = 0
  for (const { state, authority, newest } of summary.authorities.values()) {
    if (newest === null) continue
    let after = beginning
    for (;;) {
      const older = await olderLicenses(db, { state, authority, before: newest }, after, batchSize)
      const vanished = older.filter(
        (license) =>
          !seen.has(license.register_key) &&
          !refusedWords.has(license.name_key) &&
          !(license.license_number_key && refusedWords.has(license.license_number_key)),
      )
      if (vanished.length > 0) {
        await inTransaction(db, async (tx) => {
          await lockRegister(tx)
          await markMissing(
            tx,
            vanished.map((license) => license.id),
            newest,
            now,
          )
        })
      }
      marked += vanished.length
      const last = older.at(-1)
      if (!last || older.length < batchSize) break
      after = last.id
    }
  }
  return marked
}
