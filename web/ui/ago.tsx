import { useSyncExternalStore } from 'react'
import { boot } from '../lib/boot.ts'
import { dateFormat } from '../lib/format.ts'
import { relativeTime } from '../lib/relative-time.ts'
import { useTimeZone } from '../lib/use-time-zone.ts'
import { cx } from './cx.ts'

// One clock for all of them, so that a list does not tick in pieces.
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of listeners) each()
    }, 60_000)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

const readNow = () => now
/** On the server, and while the app takes over what it wrote. */
const readPageNow = () => boot.now ?? now

/** The time, as it was at most a minute ago, kept true while it is used. */
export const useNow = (): number => useSyncExternalStore(subscribe, readNow, readPageNow)

/** How long ago a moment was, kept true while it is shown; the whole date is in its title. */
export function Ago({ at, className }: { at: string; className?: string | undefined }) {
  const clock = useNow()
  const timeZone = useTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  return (
    <time dateTime={at} title={exact.format(date)} className={cx('whitespace-nowrap', className)}>
      {/* What came since the last tick is newer than the clock. */}
      {relativeTime(date, new Date(Math.max(clock, date.getTime())), timeZone)}
    </time>
  )
}
