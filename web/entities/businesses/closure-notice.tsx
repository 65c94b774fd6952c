import { DoorClosed } from 'lucide-react'
import type { Business } from '#contracts/businesses.ts'
import { cx } from '#web/ui/cx.ts'
import { closureSentence, closureTitles } from './closure-words.ts'

type ClosureNoticeProps = { business: Pick<Business, 'closure' | 'timeZone'>; className?: string }

/** Says that a business is closed, since when and according to whom. Renders nothing for an open one. */
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
