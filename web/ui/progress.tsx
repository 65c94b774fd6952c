import { cx } from './cx.ts'

type ProgressProps = {
  label: string
  /** Omit if unknown. */
  value?: number | undefined
  max?: number | undefined
  className?: string | undefined
}

export function Progress({ label, value, max = 100, className }: ProgressProps) {
  const share = value === undefined || max <= 0 ? undefined : Math.min(1, Math.max(0, value / max))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={share === undefined ? undefined : Math.round(share * max)}
      className={cx('h-2 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cx('h-full rounded-full bg-leaf transition-[width]', share === undefined && 'w-1/3 animate-shimmer')}
        style={share === undefined ? undefined : { width: `${share * 100}%` }}
      />
    </div>
  )
}
