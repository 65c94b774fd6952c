import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import type { Change } from './figure-words.ts'

const icons = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight }

/** How a figure moved. Down is a fact, not a fault: it has no color of its own. */
export function FigureChange({ change, className }: { change: Change | null; className?: string }) {
  if (!change) return null
  const Icon = icons[change.direction]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 text-sm tabular-nums',
        change.direction === 'up' ? 'text-leaf' : 'text-muted',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span aria-hidden="true">{change.text}</span>
      <span className="sr-only">{change.spoken}</span>
    </span>
  )
}
