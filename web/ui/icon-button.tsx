import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

const variants = {
  quiet: 'hover:bg-sunk active:bg-sunk',
  outline: 'border border-line bg-surface hover:border-edge hover:bg-sunk',
  /** On top of a picture. */
  floating: 'bg-surface/90 shadow-lift hover:bg-surface',
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** The accessible name: "Add High Plains Farm to favorites". */
  label: string
  variant?: keyof typeof variants | undefined
  size?: 'sm' | 'md' | undefined
  /** A badge at the corner (unread items). Visual only, so include it in `label`. */
  count?: number | undefined
}

/** A round icon-only button. With `aria-pressed`, the icon is filled when on. */
export function IconButton({ label, variant = 'quiet', size = 'md', count = 0, className, children, type, ...props }: IconButtonProps) {
  return (
    <button
      type={type ?? 'button'}
      aria-label={label}
      className={cx(
        'touch-target inline-grid shrink-0 place-items-center rounded-full text-ink transition-colors disabled:text-muted',
        'aria-pressed:text-clay aria-[pressed=false]:text-ink [&[aria-pressed=true]_svg]:fill-current',
        size === 'sm' ? 'size-8 [&_svg]:size-4.5' : 'size-10 [&_svg]:size-5',
        variants[variant],
        className,
      )}
      {...props}
    >
      {children}
      {count > 0 && (
        <span
          aria-hidden="true"
          data-count={count > 99 ? '99+' : count}
          className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-leaf px-1 text-center text-[0.6875rem]/4.5 font-semibold text-on-leaf tabular-nums ring-2 ring-ground before:content-[attr(data-count)]"
        />
      )}
    </button>
  )
}
