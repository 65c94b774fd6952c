import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { OpenInterval, WeeklyHours } from '#contracts/locations.ts'
import { fromClock, toClock } from '#web/lib/time-words.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldError } from '#web/ui/field.tsx'
import { controlClass } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { clockWords, isWholeDay, weekdays } from './hours-words.ts'

export function HoursEditor({ hours, onChange }: { hours: WeeklyHours; onChange: (hours: WeeklyHours) => void }) {
  const problems = weekProblems(hours)
  const latest = useRef(hours)
  useEffect(() => {
    latest.current = hours
  })

  function copyToAll(index: number, day: string) {
    const copied = copiedToAll(hours, index)
    onChange(copied)
    const undo = () => onChange(withoutCopy(latest.current, copied, hours))
    toast({ title: `${day}’s hours copied to all days`, action: { label: 'Undo', onClick: undo } })
  }

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
            <Button variant="quiet" size="sm" aria-label={`Copy to all days from ${day}`} onClick={() => copyToAll(index, day)}>
              Copy to all
            </Button>
          </IntervalsEditor>
        </li>
      ))}
    </ul>
  )
}

type IntervalsEditorProps = {
  name: string
  intervals: readonly OpenInterval[]
  problem: string | null
  onChange: (intervals: OpenInterval[]) => void
  children?: ReactNode
}

/** A closing time at or before the opening time is on the next day. */
export function IntervalsEditor({ name, intervals, problem, onChange, children }: IntervalsEditorProps) {
  const more = nextInterval(intervals)
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
      <div className="grid min-w-0 max-w-full grid-cols-[minmax(0,1fr)] gap-2">
        {intervals.length === 0 && (
          <div className="flex min-h-10 items-center gap-3">
            <span className="text-muted text-sm">Closed</span>
            <Button variant="quiet" size="sm" aria-label={`Set hours for ${name}`} onClick={() => more && onChange([more])}>
              Set hours
            </Button>
          </div>
        )}
        {intervals.map((interval, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an interval has no ID
          <div key={index} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <div className="flex items-center gap-1.5">
              <TimeInput
                label={`${name} opens`}
                minutes={interval.opens}
                isWrong={problem !== null}
                onChange={(opens) => onChange(intervals.map((each, at) => (at === index ? { ...each, opens } : each)))}
              />
              <span className="text-muted text-sm">to</span>
              <TimeInput
                label={`${name} closes`}
                minutes={interval.closes % 1440}
                isWrong={problem !== null}
                // Midnight as a closing time is the end of the day.
                onChange={(minutes) => onChange(intervals.map((each, at) => (at === index ? { ...each, closes: minutes || 1440 } : each)))}
              />
              <IconButton
                label={`Remove ${clockWords(interval.opens)} to ${clockWords(interval.closes)} from ${name}`}
                size="sm"
                onClick={() => onChange(intervals.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </div>
            {isWholeDay(interval) ? (
              <p className="text-muted text-sm">Open 24 hours</p>
            ) : (
              interval.closes <= interval.opens && <p className="text-muted text-sm">Until {clockWords(interval.closes)} the next day</p>
            )}
          </div>
        ))}
        {problem && <FieldError>{problem}</FieldError>}
      </div>
      <div className="flex items-center not-empty:min-h-10 max-sm:-ml-3">
        {intervals.length > 0 && more && (
          <Button variant="quiet" size="sm" aria-label={`Add hours to ${name}`} onClick={() => onChange([...intervals, more])}>
            <Plus aria-hidden="true" />
            Add hours
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

type TimeInputProps = { label: string; minutes: number; isWrong: boolean; onChange: (minutes: number) => void }

function TimeInput({ label, minutes, isWrong, onChange }: TimeInputProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current && fromClock(field.current.value) !== minutes) field.current.value = toClock(minutes)
  }, [minutes])
  const takeOver = (input: HTMLInputElement) => {
    const next = fromClock(input.value)
    if (next === null) input.value = toClock(minutes)
    else if (next !== minutes) onChange(next)
  }
  return (
    <input
      type="time"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      ref={field}
      // Uncontrolled, because the value is invalid while typing.
      defaultValue={toClock(minutes)}
      onBlur={(event) => takeOver(event.target)}
      // Enter submits the form without a blur.
      onKeyDown={(event) => event.key === 'Enter' && takeOver(event.currentTarget)}
      // Hides the clock icon. Two icons leave no room for the remove button on phones, where pressing the field opens the picker anyway.
      className={cx(
        controlClass,
        'min-h-10 min-w-0 max-w-33 flex-1 px-2! tabular-nums max-sm:[&::-webkit-calendar-picker-indicator]:hidden',
      )}
    />
  )
}

const usualInterval: OpenInterval = { opens: 9 * 60, closes: 21 * 60 }
const maxIntervals = 4

export const usualWeek = (): WeeklyHours => Array.from({ length: 7 }, () => [{ ...usualInterval }])

export const copiedToAll = (hours: WeeklyHours, day: number): WeeklyHours =>
  hours.map(() => (hours[day] ?? []).map((interval) => ({ ...interval })))

/** Restores the days that haven't changed since the copy, and keeps later edits. */
export const withoutCopy = (hours: WeeklyHours, copied: WeeklyHours, before: WeeklyHours): WeeklyHours =>
  hours.map((intervals, day) => (JSON.stringify(intervals) === JSON.stringify(copied[day]) ? (before[day] ?? []) : intervals))

/** Suggests up to two hours, starting an hour after the last interval, or usual hours for a closed day. Null if nothing more fits. */
export function nextInterval(intervals: readonly OpenInterval[]): OpenInterval | null {
  const last = intervals.at(-1)
  if (!last) return { ...usualInterval }
  if (intervals.length >= maxIntervals || endOf(last) + 120 > 1440) return null
  const opens = endOf(last) + 60
  return { opens, closes: Math.min(1440, opens + 120) }
}

/** Minutes from the start of its day, over 1440 if the interval ends on the next day. */
const endOf = ({ opens, closes }: OpenInterval): number => (closes <= opens ? closes + 1440 : closes)

export function intervalsProblem(intervals: readonly OpenInterval[]): string | null {
  const inOrder = [...intervals].sort((a, b) => a.opens - b.opens)
  const overlaps = inOrder.some((interval, index) => {
    const next = inOrder[index + 1]
    return next !== undefined && endOf(interval) > next.opens
  })
  return overlaps ? 'These times overlap.' : null
}

export function weekProblems(hours: WeeklyHours): (string | null)[] {
  return hours.map((intervals, day) => {
    const own = intervalsProblem(intervals)
    if (own) return own
    const latest = Math.max(0, ...intervals.map(endOf)) - 1440
    const first = Math.min(...(hours[(day + 1) % 7] ?? []).map(({ opens }) => opens))
    return latest > first ? 'These hours overlap with the next day’s.' : null
  })
}
