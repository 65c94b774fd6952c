import { Clock, ClockAlert } from 'lucide-react'
import type { ModerationCase } from '#contracts/moderation.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { clockOf } from './desk-words.ts'

const looks = { late: 'bg-clay text-on-clay', soon: 'bg-clay-soft text-clay', calm: 'bg-sunk text-ink' }

/** Remaining part of the 48 hours; renders nothing if there is no deadline. Not conveyed by color only. */
export function CaseClock({ item }: { item: Pick<ModerationCase, 'dueAt' | 'status'> }) {
  const clock = clockOf(item, useNow())
  if (!clock) return null
  const Icon = clock.state === 'calm' ? Clock : ClockAlert
  return (
    <span
      className={cx(
        'inline-flex w-fit items-center gap-1.5 rounded-full px-2.25 py-0.5 font-medium text-xs whitespace-nowrap',
        looks[clock.state],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {clock.text}
    </span>
  )
}
