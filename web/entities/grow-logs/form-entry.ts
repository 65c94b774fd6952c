import type { GrowLog } from '#contracts/grow-logs.ts'
import type { Units } from '#web/lib/units.ts'
import type { SheetTexts } from '#web/ui/sheet/use-sheet-texts.ts'
import { logFields, readField, textOf } from './log-fields.ts'
import type { Texts } from './log-inputs.tsx'
import type { Entry } from './log-writes.ts'

type Said = Omit<Entry, 'loggedOn' | 'plantId'>

/** Parses form values into a log entry without the empty fields, or returns errors by field. */
export function entryOf(texts: Texts, units: Units): { entry: Said } | { errors: Texts } {
  const errors: Texts = {}
  const entry: Record<string, string | number> = {}
  for (const field of logFields) {
    const read = readField(field, texts[field.key] ?? '', units)
    if ('error' in read) errors[field.key] = read.error
    else if (read.value !== null && read.value !== '') entry[field.key] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { entry: entry as Said }
}

/** A week by itself isn't an entry. */
export const hasContent = (entry: Said): boolean => Object.keys(entry).some((key) => key !== 'week')

/** Form values of a log. Leaves out a week derived from dates. */
export const textsOf = (log: GrowLog, units: Units): Texts =>
  Object.fromEntries(
    logFields.map((field) => [
      field.key,
      field.key === 'week' && !log.isWeekStated ? '' : field.key === 'stage' ? (log.stage ?? '') : textOf(field, log, units),
    ]),
  )

/** Changed fields only, so that viewing a value in inches doesn't alter it by rounding. */
export function changeOf(before: Texts, after: Texts, units: Units): { change: Partial<Said> } | { errors: Texts } {
  const errors: Texts = {}
  const change: Record<string, string | number | null> = {}
  for (const field of logFields) {
    const text = after[field.key] ?? ''
    if (text.trim() === (before[field.key] ?? '').trim()) continue
    const read = readField(field, text, units)
    if ('error' in read) errors[field.key] = read.error
    else change[field.key] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { change: change as Partial<Said> }
}

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
