import type { Location } from '../../../contracts/locations.ts'
import { useNow } from '../../ui/ago.tsx'
import { comingDays, intervalsWords, specialDayWords, weekLines } from './hours-words.ts'

/** The week's hours, and the days of the next two weeks that are not as usual. */
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
