import { Truck } from 'lucide-react'
import type { Business } from '#contracts/businesses.ts'
import { dateFormat } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import { wholeAddress } from './directions.ts'

type Moving = Pick<Business, 'move' | 'address' | 'location' | 'zip'>

/** "December 1, 2026": a date without a time is the same day everywhere. */
export const moveDay = (day: string): string =>
  dateFormat({ timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' }).format(new Date(`${day}T00:00:00Z`))

export const moveTarget = ({ address, location }: NonNullable<Business['move']>): string =>
  wholeAddress({ address, location, zip: null }) ?? location

/** Says on a business's page when it moves and where to, and where it is until then. Renders nothing without a planned move. */
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
