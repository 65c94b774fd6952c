import { useSyncExternalStore } from 'react'
import { boot } from '#web/lib/boot.ts'
import { dateFormat } from '#web/lib/format.ts'
import { useTimeZone } from '#web/lib/hydration.ts'
import { relativeTime } from '#web/lib/time-words.ts'
import { cx } from './cx.ts'

// A single timer, so that all entries of a list update together.
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
/** On the server and during hydration. */
const readPageNow = () => boot.now ?? now

/** The current time, updated every minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, readNow, readPageNow)

/** How long ago a moment was, kept up to date, with the full date as its title. */
export function Ago({ at, className }: { at: string; className?: string | undefined }) {
  const clock = useNow()
  const timeZone = useTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  return (
    <time dateTime={at} title={exact.format(date)} className={cx('whitespace-nowrap', className)}>
      {/* Anything since the last tick is newer than the clock. */}
      {relativeTime(date, new Date(Math.max(clock, date.getTime())), timeZone)}
    </time>
  )
}

const format = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** A UTC day, like all days of records, so that server and browser render the same text. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
