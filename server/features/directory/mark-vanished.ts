import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockRegister, markMissing, olderLicenses } from './register.queries.ts'
import type { SeenLicenses } from './seen-licenses.ts'
import type { ImportSummary } from './summary.ts'

const batchSize = 5000
/** Sorts before every UUID. */
const beginning = '00000000-0000-0000-0000-000000000000'

/**
 * Marks licenses that an older file listed and this one lacks, per authority: only authorities that have rows in this
 * file, and only if the file has a date. Nothing is deleted; a later file that lists the license again clears the mark.
 *
 * A license whose row was refused did not vanish: its number or name is in the refused text. If more rows were refused
 * than the import remembers, nothing is marked at all.
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
