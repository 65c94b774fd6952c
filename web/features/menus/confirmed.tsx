import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { dateFormat } from '../../lib/format.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { useNow } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { confirmedWords, type Freshness } from './confirmed-words.ts'

const looks: Record<Freshness, { Icon: typeof Clock; className: string }> = {
  fresh: { Icon: CircleCheck, className: 'text-leaf' },
  aging: { Icon: Clock, className: 'text-muted' },
  stale: { Icon: TriangleAlert, className: 'text-clay' },
}

/** When somebody of the business last said that price and stock are right: calm, then quiet, then a warning. Kept true while it is shown. */
export function Confirmed({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const date = new Date(at)
  const exact = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  // What was confirmed since the clock's last tick is newer than the clock.
  const { freshness, words } = confirmedWords(date, new Date(Math.max(now, date.getTime())))
  const { Icon, className: look } = looks[freshness]
  return (
    <time dateTime={at} title={exact.format(date)} className={cx('inline-flex items-center gap-1.5 text-xs', look, className)}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {words}
    </time>
  )
}

/** Whether a menu is so old that a shopper should ask first. */
export function useIsStale(at: string | null): boolean {
  const now = useNow()
  return at !== null && confirmedWords(new Date(at), new Date(now)).freshness === 'stale'
}
