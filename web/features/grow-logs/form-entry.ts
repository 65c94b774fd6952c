import type { GrowLog } from '../../../contracts/grow-logs.ts'
import type { Units } from '../../lib/units.ts'
import type { Texts } from './expert-fields.tsx'
import { logFields, readField, textOf } from './log-fields.ts'
import type { Entry } from './log-writes.ts'

type Said = Omit<Entry, 'loggedOn' | 'plantId'>

/** What was typed, as a log says it; a field that was left empty is not in it. Or what is wrong, by field. */
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

/** A week alone says nothing of a plant. */
export const hasContent = (entry: Said): boolean => Object.keys(entry).some((key) => key !== 'week')

/** A log as one types it. A week that follows from its dates is not typed. */
export const textsOf = (log: GrowLog, units: Units): Texts =>
  Object.fromEntries(
    logFields.map((field) => [
      field.key,
      field.key === 'week' && !log.isWeekStated ? '' : field.key === 'stage' ? (log.stage ?? '') : textOf(field, log, units),
    ]),
  )

/** What was changed, field by field: what was left alone is not in it, so that a figure in inches does not change by being looked at. */
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
