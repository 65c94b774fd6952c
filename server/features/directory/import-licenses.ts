import path from 'node:path'
import type { Db } from '../../db/connect.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { HeaderError, readHeader } from './columns.ts'
import { readLicense } from './license-row.ts'
import { markVanished } from './mark-vanished.ts'
import { type FileRecord, isFilled, readRecords, type Unreadable } from './read-records.ts'
import { createRefusedRows, type Refused } from './refused-rows.ts'
import { updateStatistics } from './register.queries.ts'
import { createSeenLicenses } from './seen-licenses.ts'
import { createSummary, type ImportSummary } from './summary.ts'
import { countDue, placeLicenses } from './update-listings.ts'
import { type FileLicense, writeBatch } from './write-batch.ts'

export type ImportTask = {
  file: string
  /** Who is named as the source of each license; the name of the file when not given. */
  source?: string
  /** Where the list of refused rows is kept. */
  dataDir: string
  signal?: AbortSignal
  onBytes?: (bytes: number) => void
  onRefused?: (row: Refused) => void
  /** The second stage, in licenses: how many listings are still to be worked out. */
  onPlaced?: (done: number, total: number) => void
}

const batchSize = 1000

/**
 * Imports a license file. Every batch is a transaction of its own and every step can be repeated: an import that was
 * stopped or killed anywhere is finished by running it again, and running a finished one again changes nothing.
 *
 * 1. Rows become licenses: new and changed ones are written, the others only compared.
 * 2. Licenses that an older file named and this newer one lacks are marked as missing.
 * 3. The listings at all places where something changed are worked out. That comes last, because only the whole file shows
 *    which licenses share a place, and which address is an office that hundreds of them were given as.
 *
 * @throws HeaderError, or what the file system and the database throw
 */
export async function importLicenses({ db, clock }: { db: Db; clock: Clock }, task: ImportTask): Promise<ImportSummary> {
  const source = task.source ?? path.basename(task.file)
  const importId = newId()
  const startedAt = clock.now()
  await db.insertInto('license_imports').values({ id: importId, source, started_at: startedAt }).execute()

  const summary = createSummary()
  const refused = createRefusedRows(task.dataDir, task.file, startedAt)
  const seen = createSeenLicenses()
  const refuse = (row: Refused) => {
    refused.add(row)
    summary.refuse(row)
    task.onRefused?.(row)
  }
  const isStopped = () => task.signal?.aborted ?? false

  let header: ReturnType<typeof readHeader> | null = null
  let batch: FileLicense[] = []
  const writeOut = async () => {
    summary.count(await writeBatch(db, batch, { source, importId, now: clock.now() }))
    batch = []
  }
  const take = (record: FileRecord | Unreadable) => {
    if (!('fields' in record)) return header && refuse(record)
    const { line, fields } = record
    const text = fields.join(',')
    if (!header) {
      if (fields.some(isFilled)) header = readHeader(fields)
      return
    }
    summary.rowsRead++
    if (!fields.some(isFilled)) return refuse({ line, reason: 'The row is empty.', text })
    const width = header.width
    if (fields.length !== width && !(fields.length > width && fields.slice(width).every((field) => !isFilled(field)))) {
      return refuse({ line, reason: `The row has ${fields.length} columns; the header has ${width}.`, text })
    }
    const read = readLicense(header.toRow(fields))
    if ('refused' in read) return refuse({ line, reason: read.refused, text })
    const before = seen.add(read.license.register_key, line)
    if (before !== 0) return refuse({ line, reason: `The row repeats the license of line ${before}.`, text })
    summary.see(read.license)
    for (const note of read.notes) summary.note(note, line)
    if (record.isLatin1) summary.note('read as Windows-1252', line)
    batch.push({ id: newId(), ...read.license })
  }

  try {
    for await (const records of readRecords(task.file, (bytes) => task.onBytes?.(bytes))) {
      for (const record of records) {
        take(record)
        if (batch.length >= batchSize) await writeOut()
        if (isStopped()) break
      }
      if (isStopped()) break
    }
    if (!header && !isStopped()) throw new HeaderError('The file is empty.')
    await writeOut()
    if (!isStopped()) summary.missing = await markVanished(db, seen, summary, clock.now())
    await placeLicenses(db, clock, isStopped, (done, total, counts) => {
      summary.listings = counts
      task.onPlaced?.(done, total)
    })
  } finally {
    summary.refusedFile = refused.close()
  }
  if (summary.added + summary.changed + summary.listings.added > 0) await updateStatistics(db)
  summary.isComplete = !isStopped() && (await countDue(db)) === 0
  await db
    .updateTable('license_imports')
    .set({
      finished_at: summary.isComplete ? clock.now() : null,
      rows_read: summary.rowsRead,
      rows_refused: summary.rowsRefused,
      licenses_added: summary.added,
      licenses_changed: summary.changed,
      licenses_missing: summary.missing,
      listings_added: summary.listings.added,
      listings_changed: summary.listings.changed + summary.listings.removed,
    })
    .where('id', '=', importId)
    .execute()
  return summary
}
