import { dateFormat, localTimeZone } from '#web/lib/format.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { localDay, relativeTime } from '#web/lib/time-words.ts'
import { cx } from './cx.ts'

// One timer, so all entries of a list update together.
const clock = createStore(Date.now(), () => {
  const tick = () => clock.set(Date.now())
  tick()
  const timer = setInterval(tick, 60_000)
  return () => clearInterval(timer)
})

export const useNow = (): number => useStore(clock)

/** `2026-11-02`, in the device's time zone. Changes at midnight, unlike `localDay()`, which the React compiler calls only once. */
export const useToday = (): string => localDay(new Date(useNow()))

/** Only for rendering on the server. */
export const setNow = (now: number): void => clock.set(now)

/** Updates while on screen. The title has the full date. */
export function Ago({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow()
  const timeZone = localTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  return (
    <time dateTime={at} title={exact.format(date)} className={cx('whitespace-nowrap', className)}>
      {/* `now` is the clock's last tick, which may be before `at`. */}
      {relativeTime(date, new Date(Math.max(now, date.getTime())), timeZone)}
    </time>
  )
}

const format = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** In UTC, like all days of records. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
