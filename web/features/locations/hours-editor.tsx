import type { WeeklyHours } from '../../../contracts/locations.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { weekdays } from './hours-words.ts'
import { IntervalsEditor } from './intervals-editor.tsx'
import { copiedToAll, weekProblems } from './weekly-hours.ts'

/** The hours of a week, day by day. */
export function HoursEditor({ hours, onChange }: { hours: WeeklyHours; onChange: (hours: WeeklyHours) => void }) {
  const problems = weekProblems(hours)
  return (
    <ul className="overflow-clip rounded-input border border-line">
      {weekdays.map((day, index) => (
        <li
          key={day}
          className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 border-line px-3 py-2 not-first:border-t sm:grid-cols-[6.5rem_minmax(0,1fr)]"
        >
          <span className="pt-2.5 font-medium text-sm max-sm:pt-0">{day}</span>
          <IntervalsEditor
            name={day}
            intervals={hours[index] ?? []}
            problem={problems[index] ?? null}
            onChange={(intervals) => onChange(hours.with(index, intervals))}
          >
            <Button
              variant="quiet"
              size="sm"
              aria-label={`Copy to all days from ${day}`}
              onClick={() => {
                onChange(copiedToAll(hours, index))
                toast({ title: `${day}’s hours are on all days`, action: { label: 'Undo', onClick: () => onChange(hours) } })
              }}
            >
              Copy to all
            </Button>
          </IntervalsEditor>
        </li>
      ))}
    </ul>
  )
}
