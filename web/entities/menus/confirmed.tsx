import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { dateFormat, localTimeZone } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { confirmedWords, type Freshness } from './confirmed-words.ts'

const looks: Record<Freshness, { Icon: typeof Clock; className: string }> = {
  fresh: { Icon: CircleCheck, className: 'text-leaf' },
  aging: { Icon: Clock, className: 'text-muted' },
  stale: { Icon: TriangleAlert, className: 'text-clay' },
}

/** When the business last confirmed price and stock. Turns into a warning with age. Updates over time. */
export function Confirmed({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow()
  const timeZone = localTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  // A confirmation since the clock's last tick is newer than `now`.
  const { freshness, words } = confirmedWords(date, new Date(Math.max(now, date.getTime())))
  const { Icon, className: look } = looks[freshness]
  return (
    <time dateTime={at} title={exact.format(date)} className={cx('inline-flex items-center gap-1.5 text-xs', look, className)}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {words}
    </time>
  )
}

/** Whether the menu is old enough that shoppers should ask first. */
export function useIsStale(at: string | null): boolean {
  const now = useNow()
  return at !== null && confirmedWords(new Date(at), new Date(now)).freshness === 'stale'
}
