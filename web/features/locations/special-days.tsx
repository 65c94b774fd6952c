import { X } from 'lucide-react'
import type { SpecialDay } from '../../../contracts/locations.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { localMoment, specialDayWords } from './hours-words.ts'
import { IntervalsEditor } from './intervals-editor.tsx'
import { comingHolidays } from './us-holidays.ts'
import { intervalsProblem } from './weekly-hours.ts'

const shownHolidays = 6

type SpecialDaysProps = { days: readonly SpecialDay[]; timeZone: string; onChange: (days: SpecialDay[]) => void }

/** Days that are not as usual: holidays to choose from, and any other day. */
export function SpecialDays({ days, timeZone, onChange }: SpecialDaysProps) {
  const today = localMoment(new Date(), timeZone).day
  const sorted = days.toSorted((a, b) => a.day.localeCompare(b.day))
  const holidays = comingHolidays(today)
    .filter(({ day }) => !days.some((each) => each.day === day))
    .slice(0, shownHolidays)
  const change = (day: string, part: Partial<SpecialDay>) =>
    onChange(sorted.map((each) => (each.day === day ? { ...each, ...part } : each)))
  const add = (day: string, note: string) => onChange([...sorted, { day, note, intervals: [] }])
  const nextFree = () => {
    for (let at = Date.parse(`${today}T00:00:00Z`); ; at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10)
      if (!days.some((each) => each.day === day)) return day
    }
  }
  return (
    <div className="grid gap-3">
      {sorted.length > 0 && (
        <ul className="overflow-clip rounded-input border border-line">
          {sorted.map(({ day, note, intervals }) => (
            <li key={day} className="grid gap-x-2 gap-y-3 border-line px-3 py-3 not-first:border-t grid-cols-[minmax(0,1fr)_auto]">
              <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <Field label="Day">
                  <Input
                    type="date"
                    value={day}
                    min={today}
                    onChange={(event) => {
                      const next = event.target.value
                      if (next && !days.some((each) => each.day === next)) change(day, { day: next })
                    }}
                  />
                </Field>
                <Field label="Why" optional>
                  <Input value={note} maxLength={80} autoComplete="off" onChange={(event) => change(day, { note: event.target.value })} />
                </Field>
                <div className="sm:col-span-2">
                  <IntervalsEditor
                    name={specialDayWords(day)}
                    intervals={intervals}
                    problem={intervalsProblem(intervals)}
                    onChange={(next) => change(day, { intervals: next })}
                  />
                </div>
              </div>
              <IconButton
                label={`Remove ${note || specialDayWords(day)}`}
                size="sm"
                className="justify-self-start"
                onClick={() => onChange(sorted.filter((each) => each.day !== day))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-2 text-muted text-sm">Closed on a holiday? Choose it here; its hours can be set.</legend>
        {holidays.map(({ day, name }) => (
          <Chip key={day} pressed={false} onClick={() => add(day, name)}>
            {name} <span className="text-muted">{specialDayWords(day).slice(5)}</span>
          </Chip>
        ))}
        <Button variant="secondary" size="sm" className="min-h-9! rounded-full!" onClick={() => add(nextFree(), '')}>
          Another day
        </Button>
      </fieldset>
    </div>
  )
}
