import fs from 'node:fs'
import path from 'node:path'
import { licenseNumberKey, nameKey } from '#server/kernel/fold-text.ts'
import type { LicenseRow, RowNote } from './license-row.ts'
import type { ListingCounts } from './update-listings.ts'

const maxLinesNamed = 3
/** A file with more refused rows than this is too broken to show which licenses vanished. */
const maxRefusedRemembered = 10_000

export type BatchCounts = { added: number; changed: number; confirmed: number; unchanged: number; older: number }

export type ImportSummary = ReturnType<typeof createSummary>

type Authority = { state: string; authority: string | null; types: Set<LicenseRow['business_type']>; newest: string | null }

export function createSummary() {
  const notes = new Map<RowNote, { count: number; lines: number[] }>()
  const authorities = new Map<string, Authority>()
  return {
    isComplete: false,
    rowsRead: 0,
    rowsRefused: 0,
    added: 0,
    changed: 0,
    /** Unchanged content in a newer file. */
    confirmed: 0,
    unchanged: 0,
    /** The register has newer data. */
    older: 0,
    missing: 0,
    listings: { added: 0, changed: 0, removed: 0 } as ListingCounts,
    refusedFile: null as string | null,
    notes,
    authorities,
    /** Keys of the numbers and names in refused rows; null if there were too many to store. */
    refusedWords: new Set<string>() as Set<string> | null,

    count(batch: BatchCounts): void {
      for (const [name, count] of Object.entries(batch) as [keyof BatchCounts, number][]) this[name] += count
    },
    refuse({ text }: Refused): void {
      this.rowsRefused++
      if (this.rowsRefused > maxRefusedRemembered) this.refusedWords = null
      for (const field of text.split(/[",;\n]/)) {
        this.refusedWords?.add(licenseNumberKey(field))
        this.refusedWords?.add(nameKey(field))
      }
    },
    note(note: RowNote, line: number): void {
      const noted = notes.get(note) ?? { count: 0, lines: [] }
      notes.set(note, noted)
      noted.count++
      if (noted.lines.length < maxLinesNamed) noted.lines.push(line)
    },
    see({ state, authority, business_type: type, source_date: date }: LicenseRow): void {
      const key = `${state} ${authority ?? ''}`
      const known = authorities.get(key)
      if (!known) return void authorities.set(key, { state, authority, types: new Set([type]), newest: date })
      known.types.add(type)
      if (date !== null && (known.newest === null || date > known.newest)) known.newest = date
    },
  }
}

export type Refused = { line: number; reason: string; text: string }

type RefusedRows = {
  add(row: Refused): void
  readonly count: number
  /** Flushes the buffer. Returns the file, or null if nothing was refused. */
  close(): string | null
}

const bufferedBytes = 64 * 1024

/** Logs every refused row to `<dataDir>/imports/<time>-<file>.refused.csv`: the line in the file, the reason, the text. */
export function createRefusedRows(dataDir: string, importedFile: string, now: Date): RefusedRows {
  const time = now.toISOString().slice(0, 23).replace(/[:-]/g, '').replace(/[T.]/g, '-')
  const folder = path.join(dataDir, 'imports')
  const file = path.join(folder, `${time}-${path.basename(importedFile).replace(/\.csv$/i, '')}.refused.csv`)
  let waiting = ''
  let count = 0
  const flush = () => {
    fs.mkdirSync(folder, { recursive: true })
    fs.appendFileSync(file, waiting)
    waiting = ''
  }
  return {
    add({ line, reason, text }) {
      if (count === 0) waiting = 'line,reason,text\n'
      count++
      waiting += `${line},${quoted(reason)},${quoted(text)}\n`
      if (waiting.length > bufferedBytes) flush()
    },
    get count() {
      return count
    },
    close() {
      if (waiting !== '') flush()
      return count > 0 ? file : null
    },
  }
}

export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
