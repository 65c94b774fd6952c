import type { GrowLog, GrowLogVersion } from '../../../contracts/grow-logs.ts'
import { dateFormat } from '../../lib/format.ts'
import type { Units } from '../../lib/units.ts'
import { logFields, textOf, unitOf } from './log-fields.ts'

const dayOf = dateFormat({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** "Mar 2, 2026": a day of the calendar, the same in every zone. */
export const dayWords = (day: string): string => dayOf.format(new Date(`${day}T00:00:00Z`))

type Said = Omit<GrowLogVersion, 'version' | 'changedBy' | 'changedAt'>

const saidByLog = (log: GrowLog): Said => ({
  ...log,
  week: log.isWeekStated ? log.week : null,
  plantId: log.plant?.id ?? null,
  photosCount: log.photos.length,
})

export type Difference = { label: string; before: string; after: string }

/** What a version said that the one after it does not say any more. `nameOf` gives a plant its name. */
export function differences(before: Said, after: Said | GrowLog, units: Units, nameOf: (plantId: string) => string): Difference[] {
  const next = 'author' in after ? saidByLog(after) : after
  const all = [
    { label: 'Day', before: dayWords(before.loggedOn), after: dayWords(next.loggedOn) },
    { label: 'Plant', before: plantWords(before.plantId, nameOf), after: plantWords(next.plantId, nameOf) },
    ...logFields.map((field) => {
      const unit = unitOf(field, units)
      const words = (said: Said) => {
        const text = textOf(field, said, units)
        return text === '' ? 'nothing' : unit === '' ? text : `${text} ${unit}`
      }
      return { label: field.label, before: words(before), after: words(next) }
    }),
    { label: 'Photos', before: String(before.photosCount), after: String(next.photosCount) },
  ]
  return all.filter((each) => each.before !== each.after)
}

const plantWords = (plantId: string | null, nameOf: (plantId: string) => string) => (plantId === null ? 'whole hunt' : nameOf(plantId))
