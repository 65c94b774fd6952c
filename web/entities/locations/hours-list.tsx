import type { Location } from '#contracts/locations.ts'
import { useNow } from '#web/ui/ago.tsx'
import { comingDays, intervalsWords, openWords, specialDayWords, weekLines } from './hours-words.ts'

export function HoursList({ location }: { location: Pick<Location, 'hours' | 'specialDays' | 'timeZone'> }) {
  const now = useNow()
  const special = comingDays(location.specialDays, location.timeZone, new Date(now))
  return (
    <>
      {location.hours && (
        <dl className="grid gap-1 text-sm tabular-nums">
          {weekLines(location.hours).map(({ days, words }) => (
            <div key={days} className="flex flex-wrap justify-between gap-x-4">
              <dt className="font-normal text-muted">{days}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
      {special.length > 0 && (
        <ul className="mt-2 grid gap-1 rounded-input bg-sunk px-3 py-2 text-sm tabular-nums">
          {special.map(({ day, note, intervals }) => (
            <li key={day} className="flex flex-wrap justify-between gap-x-4">
              <span>
                {specialDayWords(day)}
                {note && `, ${note}`}
              </span>
              <span className="font-medium">{intervalsWords(intervals)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function OpenLine({ location }: { location: Pick<Location, 'openNow' | 'timeZone'> }) {
  const words = openWords(location, new Date(useNow()))
  if (!words) return null
  const note = location.openNow?.note
  return (
    <span className="tabular-nums">
      <span className={words.isOpen ? 'font-semibold text-leaf' : 'font-semibold text-clay'}>{words.state}</span>
      {words.change && <span> · {words.change}</span>}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  )
}
