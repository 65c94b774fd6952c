import { useState } from 'react'
import type { NotificationPreferences } from '../../../contracts/notifications.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { fromClock, spanWords, toClock } from './clock-time.ts'
import { usualQuietHours } from './preferences.ts'

type Hours = NotificationPreferences['quietHours']
type QuietHoursProps = {
  value: Hours
  onChange: (hours: Hours) => void
  /** A time is missing: then there is nothing to save. */
  onMissing: (isMissing: boolean) => void
}

export function QuietHours({ value, onChange, onMissing }: QuietHoursProps) {
  return (
    <div className="grid gap-4">
      <Checkbox
        checked={value !== null}
        onChange={(event) => {
          onMissing(false)
          onChange(event.target.checked ? usualQuietHours : null)
        }}
        hint="No email and nothing from the browser in that time. The bell on the site counts on, and what waited is sent afterwards."
      >
        Keep quiet for some hours of the day
      </Checkbox>
      {value && <Span value={value} onChange={onChange} onMissing={onMissing} />}
    </div>
  )
}

function Span({ value, onChange, onMissing }: QuietHoursProps & { value: NonNullable<Hours> }) {
  // As typed: a time field is empty while only its hour is there.
  const [from, setFrom] = useState(() => toClock(value.from))
  const [until, setUntil] = useState(() => toClock(value.until))
  const change = (nextFrom: string, nextUntil: string) => {
    setFrom(nextFrom)
    setUntil(nextUntil)
    const hours = { from: fromClock(nextFrom), until: fromClock(nextUntil) }
    const isWhole = hours.from !== null && hours.until !== null
    onMissing(!isWhole)
    if (isWhole) onChange(hours as NonNullable<Hours>)
  }
  const missing = 'Enter a time'
  return (
    <div>
      <div className="flex flex-wrap gap-4">
        <Field label="From" className="w-36" error={fromClock(from) === null && missing}>
          <Input type="time" value={from} onChange={(event) => change(event.target.value, until)} />
        </Field>
        <Field label="Until" className="w-36" error={fromClock(until) === null && missing}>
          <Input type="time" value={until} onChange={(event) => change(from, event.target.value)} />
        </Field>
      </div>
      <p className="mt-2 text-muted text-sm">{spanWords(value)}</p>
    </div>
  )
}
