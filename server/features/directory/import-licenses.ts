import { hash } from 'node:crypto'
import path from 'node:path'
import { projectRoot } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { firstUuid, newId } from '#server/kernel/ids.ts'
import { readLicense } from './license-row.ts'
import { type FileRecord, HeaderError, isFilled, readHeader, readRecords, type Unreadable } from './read-records.ts'
import {
  confirmLicenses,
  lockRegister,
  markMissing,
  type NewLicense,
  olderLicenses,
  storedLicenses,
  updateStatistics,
  writeLicenses,
} from './register.queries.ts'
import { type BatchCounts, createRefusedRows, createSummary, type ImportSummary, type Refused } from './summary.ts'
import { countDue, placeLicenses } from './update-listings.ts'

export type ImportTask = {
  file: string
  /** Source recorded for each license; defaults to the file name. */
  source?: string
  /** Directory for the list of refused rows. */
  dataDir: string
  signal?: AbortSignal
  onBytes?: (bytes: number) => void
  onRefused?: (row: Refused) => void
  /** Progress of the last step, in licenses whose listing has been recomputed. */
  onPlaced?: (done: number, total: number) => void
}

const batchSize = 1000

/**
 * Imports a license file. Each batch is its own transaction and every step is idempotent: rerun an import that was
 * stopped or killed to finish it; rerunning a finished one changes nothing.
 *
 * 1. Rows become licenses: new and changed ones are written, the others only compared.
 * 2. Licenses that an older file listed and this newer one lacks are marked as missing.
 * 3. Listings are recomputed at every place where something changed. That comes last, because only the whole file shows
 *    which licenses share a place, and which address is an office given for hundreds of them.
 *
 * @throws HeaderError, and errors of the file system and the database
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
    if (before !== 0) return refuse({ line, reason: `The row repeats the license from line ${before}.`, text })
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

type FileLicense = NewLicense

/**
 * Compares a batch of a file's licenses with the register and writes those that differ. Skips rows older than the stored
 * license, so that importing an old file late does not revert the register.
 */
function writeBatch(db: Db, batch: FileLicense[], context: { source: string; importId: string; now: Date }): Promise<BatchCounts> {
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

/** Oldest first, so that newer records replace older ones. */
const shippedFiles = [
  { file: 'data/licenses-us.csv', source: 'Public license records collected by Cannlytics' },
  { file: 'data/licenses-us-2026.csv', source: 'Public license records of California, New York and Maryland' },
]

/**
 * Loads the license files that ship with the product, each once. If the server is killed midway, its next start catches up.
 * Loads nothing after an operator's own import, because the shipped files may list licenses that the operator's file no longer has.
 */
export async function loadShippedDirectory(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'cache' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const finished = await ctx.db.selectFrom('license_imports').select('source').distinct().where('finished_at', 'is not', null).execute()
  const sources = new Set(finished.map(({ source }) => source))
  const shippedSources = new Set(shippedFiles.map(({ source }) => source))
  if (!sources.isSubsetOf(shippedSources)) return
  let added = 0
  for (const { file, source } of shippedFiles) {
    if (sources.has(source)) continue
    const { listings } = await importLicenses(ctx, {
      file: path.join(projectRoot, file),
      source,
      dataDir: ctx.config.dataDir,
      ...(signal ? { signal } : {}),
    })
    added += listings.added
  }
  if (added === 0) return
  ctx.cache.invalidate('businesses')
  ctx.log.info({ listings: added }, 'the directory was loaded')
}

const vanishedBatchSize = 5000

/**
 * Marks licenses that an older file listed and this one lacks, per authority and business type: only those with rows in this
 * file, because a register of stores doesn't cover farms, and only if the file has a date. Nothing is deleted; a later file
 * that lists the license again clears the mark.
 *
 * A license whose row was refused did not vanish: its number or name is in the refused text. If too many rows were refused to store
 * their text, nothing is marked at all.
 */
async function markVanished(db: Db, seen: SeenLicenses, summary: ImportSummary, now: Date): Promise<number> {
  if (summary.refusedWords === null) return 0
  const refusedWords = summary.refusedWords
  let marked = 0
  for (const { state, authority, types, newest } of summary.authorities.values()) {
    if (newest === null) continue
    let after = firstUuid
    for (;;) {
      const older = await olderLicenses(db, { state, authority, types: [...types], before: newest }, after, vanishedBatchSize)
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
      if (!last || older.length < vanishedBatchSize) break
      after = last.id
    }
  }
  return marked
}

type SeenLicenses = {
  /** Returns the line where the license first appeared. If the license is new, records this line and returns 0. */
  add(registerKey: string, line: number): number
  has(registerKey: string): boolean
  readonly size: number
}

/**
 * Licenses seen so far in a file, at 24 to 48 bytes each: 64 bits of a digest and the line, in a hash table of typed arrays
 * that doubles when half full. With a million licenses, two share the same 64 bits in one file out of 40 million.
 */
export function createSeenLicenses(): SeenLicenses {
  let capacity = 4096
  let table = empty(capacity)
  let size = 0

  const find = ({ highs, lows, lines }: Table, high: number, low: number): number => {
    let slot = low & (capacity - 1)
    while (lines[slot] !== 0 && (highs[slot] !== high || lows[slot] !== low)) slot = (slot + 1) & (capacity - 1)
    return slot
  }
  const put = (into: Table, high: number, low: number, line: number) => {
    const slot = find(into, high, low)
    into.highs[slot] = high
    into.lows[slot] = low
    into.lines[slot] = line
  }
  const grow = () => {
    const old = table
    capacity *= 2
    table = empty(capacity)
    for (let slot = 0; slot < old.lines.length; slot++) {
      if (old.lines[slot] !== 0) put(table, old.highs[slot] as number, old.lows[slot] as number, old.lines[slot] as number)
    }
  }

  return {
    add(registerKey, line) {
      const [high, low] = digest(registerKey)
      const before = table.lines[find(table, high, low)] as number
      if (before !== 0) return before
      if (size * 2 >= capacity) grow()
      put(table, high, low, line)
      size++
      return 0
    },
    has(registerKey) {
      const [high, low] = digest(registerKey)
      return table.lines[find(table, high, low)] !== 0
    },
    get size() {
      return size
    },
  }
}

type Table = { highs: Uint32Array; lows: Uint32Array; lines: Uint32Array }

/** Line 0 marks a free slot: lines count from 1. */
const empty = (capacity: number): Table => ({
  highs: new Uint32Array(capacity),
  lows: new Uint32Array(capacity),
  lines: new Uint32Array(capacity),
})

function digest(text: string): [high: number, low: number] {
  const bytes = hash('sha1', text, 'buffer')
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
}
