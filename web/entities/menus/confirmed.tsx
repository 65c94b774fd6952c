import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import { dateFormat, localTimeZone } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'

const looks: Record<Freshness, { Icon: typeof Clock; className: string }> = {
  fresh: { Icon: CircleCheck, className: 'text-leaf' },
  aging: { Icon: Clock, className: 'text-muted' },
  stale: { Icon: TriangleAlert, className: 'text-clay' },
}

/** Updates while on screen, and becomes a warning with age. */
export function Confirmed({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow()
  const timeZone = localTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  // `now` is the clock's last tick, which may be before the confirmation.
  const { freshness, words } = confirmedWords(date, new Date(Math.max(now, date.getTime())))
  const { Icon, className: look } = looks[freshness]
  return (
    <time
      dateTime={at}
      title={exact.format(date)}
      className={cx('inline-flex items-center gap-1.5 text-xs whitespace-nowrap', look, className)}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {words}
    </time>
  )
}

const ofMenu: Record<Freshness, string> = { fresh: 'Fresh menu', aging: 'Recent menu', stale: 'Old menu' }

export function MenuFreshness({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow()
  const { freshness, words } = confirmedWords(new Date(at), new Date(now))
  const { Icon, className: look } = looks[freshness]
  return (
    <span title={words} className={cx('inline-flex items-center gap-1 text-xs whitespace-nowrap', look, className)}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {ofMenu[freshness]}
    </span>
  )
}

export function useIsStale(at: string | null): boolean {
  const now = useNow()
  return at !== null && confirmedWords(new Date(at), new Date(now)).freshness === 'stale'
}

/** `fresh` is under a day old, `aging` up to a week, and `stale` older. */
type Freshness = 'fresh' | 'aging' | 'stale'

/** "Confirmed 3 h ago"; after a week, a warning: "Not confirmed for 9 days". */
export function confirmedWords(at: Date, now: Date): { freshness: Freshness; words: string } {
  // Clocks differ slightly, so a time in the future counts as now.
  const age = Math.max(0, now.getTime() - at.getTime())
  if (age < minuteMs) return { freshness: 'fresh', words: 'Confirmed just now' }
  if (age < hourMs) return { freshness: 'fresh', words: `Confirmed ${Math.floor(age / minuteMs)} min ago` }
  if (age < dayMs) return { freshness: 'fresh', words: `Confirmed ${Math.floor(age / hourMs)} h ago` }
  const days = Math.floor(age / dayMs)
  if (age <= 7 * dayMs) return { freshness: 'aging', words: `Confirmed ${days} ${days === 1 ? 'day' : 'days'} ago` }
  if (days < 60) return { freshness: 'stale', words: `Not confirmed for ${days} days` }
  return { freshness: 'stale', words: `Not confirmed for ${Math.floor(days / 30)} months` }
}
