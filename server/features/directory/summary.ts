import { licenseNumberKey, nameKey } from '../../kernel/license-keys.ts'
import type { LicenseRow, RowNote } from './license-row.ts'
import type { Refused } from './refused-rows.ts'
import type { ListingCounts } from './update-listings.ts'
import type { BatchCounts } from './write-batch.ts'

const maxLinesNamed = 3
/** Above this, a file is too broken to say what has vanished from it. */
const maxRefusedRemembered = 10_000

/** What an import did, and what it needs to know of the file at its end. */
export type ImportSummary = ReturnType<typeof createSummary>

type Authority = { state: string; authority: string | null; newest: string | null }

export function createSummary() {
  const notes = new Map<RowNote, { count: number; lines: number[] }>()
  const authorities = new Map<string, Authority>()
  return {
    isComplete: false,
    rowsRead: 0,
    rowsRefused: 0,
    added: 0,
    changed: 0,
    /** The same as before, by a newer file. */
    confirmed: 0,
    unchanged: 0,
    /** The register knows something newer. */
    older: 0,
    missing: 0,
    listings: { added: 0, changed: 0, removed: 0 } as ListingCounts,
    refusedFile: null as string | null,
    notes,
    authorities,
    /** Keys of the numbers and names in refused rows; null when there were too many to remember. */
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
    see({ state, authority, source_date: date }: LicenseRow): void {
      const key = `${state} ${authority ?? ''}`
      const known = authorities.get(key)
      if (!known) authorities.set(key, { state, authority, newest: date })
      else if (date !== null && (known.newest === null || date > known.newest)) known.newest = date
    },
  }
}
