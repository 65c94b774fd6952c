import { DoorClosed, Truck } from 'lucide-react'
import type { Business, Closure } from '#contracts/businesses.ts'
import { dateFormat } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import { wholeAddress } from './directions.ts'

type ClosureNoticeProps = { business: Pick<Business, 'closure' | 'timeZone'>; className?: string }

export function ClosureNotice({ business: { closure, timeZone }, className }: ClosureNoticeProps) {
  if (!closure) return null
  return (
    <p className={cx('flex gap-2.5 rounded-input bg-clay-soft px-3.5 py-2.5 text-[0.9375rem]', className)}>
      <DoorClosed aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-clay" />
      <span>
        <strong className="font-semibold">{closureTitles[closure.kind]}.</strong> {closureSentence(closure, timeZone)}
      </span>
    </p>
  )
}

export const closureTitles: Record<Closure['kind'], string> = { temporary: 'Temporarily closed', permanent: 'Permanently closed' }

const sources: Record<Closure['by'], (day: string) => string> = {
  owner: (day) => `The owner closed it on ${day}.`,
  members: (day) => `Reported closed by two members on ${day}.`,
  moderators: (day) => `Our moderators confirmed the closure on ${day}.`,
}

const dayFormat = (timeZone: string) => dateFormat({ timeZone, year: 'numeric', month: 'long', day: 'numeric' })

export function closureSentence({ since, by, reopensOn }: Closure, timeZone: string | null): string {
  const said = sources[by](dayFormat(timeZone ?? 'UTC').format(new Date(since)))
  return reopensOn ? `${said} It plans to reopen on ${dayFormat('UTC').format(new Date(`${reopensOn}T00:00:00Z`))}.` : said
}

type Moving = Pick<Business, 'move' | 'address' | 'location' | 'zip'>

/** "December 1, 2026". A date without a time is the same day everywhere. */
export const moveDay = (day: string): string =>
  dateFormat({ timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' }).format(new Date(`${day}T00:00:00Z`))

export const moveTarget = ({ address, location }: NonNullable<Business['move']>): string =>
  wholeAddress({ address, location, zip: null }) ?? location

export function MoveNotice({ business, className }: { business: Moving; className?: string }) {
  const { move } = business
  if (!move) return null
  const current = wholeAddress(business) ?? business.location
  return (
    <p className={cx('flex gap-2.5 rounded-input bg-sunk px-3.5 py-2.5 text-[0.9375rem]', className)}>
      <Truck aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-semibold">Moving on {moveDay(move.movesOn)}</strong> to {moveTarget(move)}.
        {current && ` Until then, it’s at ${current}.`}
      </span>
    </p>
  )
}
