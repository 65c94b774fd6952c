import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const variants = {
  neutral: 'border-transparent bg-sunk text-muted',
  outline: 'border-line text-muted',
  /** A positive, current state: Active, Open, Paid. */
  leaf: 'border-transparent bg-leaf-soft text-leaf',
  /** Something wrong or over: Expired, Out of Stock, Rejected. */
  clay: 'border-transparent bg-clay-soft text-clay',
  /** Only for a verified license or community. */
  verified: 'border-transparent bg-shine-soft text-shine-ink',
}

type BadgeProps = { variant?: keyof typeof variants | undefined; className?: string | undefined; children: ReactNode }

/** Don't rely on the color: the text must be enough on its own. */
export function Badge({ variant = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full border px-2.25 py-0.5 font-medium text-xs whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0',
        variants[variant],
        className,
      )}
    >
      {variant === 'verified' && <Check aria-hidden="true" strokeWidth={2.5} />}
      {children}
    </span>
  )
}
