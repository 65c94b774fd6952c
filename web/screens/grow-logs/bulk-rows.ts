import { entryOf } from '#web/entities/grow-logs/form-entry.ts'
import type { Entry } from '#web/entities/grow-logs/log-writes.ts'
import type { Units } from '#web/lib/units.ts'
import type { SheetTexts } from '#web/ui/sheet/use-sheet-texts.ts'

/** Nonempty rows of a sheet as logs of a day, or errors by plant and field. */
export function bulkEntries(
  texts: SheetTexts,
  day: string,
  units: Units,
): { entries: Entry[] } | { errors: Record<string, Record<string, string>> } {
  const errors: Record<string, Record<string, string>> = {}
  const entries: Entry[] = []
  for (const [plantId, row] of Object.entries(texts)) {
    if (Object.values(row).every((text) => text.trim() === '')) continue
    const read = entryOf(row, units)
    if ('errors' in read) errors[plantId] = read.errors
    else entries.push({ ...read.entry, plantId, loggedOn: day })
  }
  return Object.keys(errors).length > 0 ? { errors } : { entries }
}
