import type { ComponentProps, MouseEvent } from 'react'
import { AsChild } from './as-child.ts'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'
import { cx } from './cx.ts'

export type { ButtonSize, ButtonVariant }

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Styles the only child (a link) as a button instead of rendering one. */
  asChild?: boolean | undefined
  /** While the action runs, the button keeps focus, ignores clicks and shows `pendingText`, if any ("Saving..."). */
  pending?: boolean | undefined
  pendingText?: string | undefined
}

/** For actions. To navigate, use a link (`asChild`). Submits forms only with `type="submit"`. */
export function Button({ variant, size, asChild, pending, pendingText, className, children, type, onClick, ...props }: ButtonProps) {
  const look = buttonClass(variant, size, className)
  if (asChild) {
    return (
      <AsChild className={look} onClick={onClick} {...props}>
        {children}
      </AsChild>
    )
  }
  // Not `disabled`, which would make the button lose focus in the middle of the action.
  const refuse = (event: MouseEvent) => event.preventDefault()
  return (
    <button
      type={type ?? 'button'}
      className={look}
      {...(pending && { 'aria-busy': true, 'aria-disabled': true })}
      onClick={pending ? refuse : onClick}
      {...props}
    >
      {pending && <Spinner />}
      {pending && pendingText ? pendingText : children}
    </button>
  )
}

/** Decorative: the button's text describes the action in progress. */
export function Spinner() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className="size-4.5 shrink-0 animate-spin motion-reduce:animate-none">
      <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" strokeWidth="2.25" opacity="0.28" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" fill="none" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  )
}

const variants = {
  quiet: 'hover:bg-sunk active:bg-sunk',
  outline: 'border border-line bg-surface hover:border-edge hover:bg-sunk',
  /** Works on top of a picture. */
  floating: 'bg-surface/90 shadow-lift hover:bg-surface',
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** The accessible name: "Add High Plains Farm to favorites". */
  label: string
  variant?: keyof typeof variants | undefined
  size?: 'sm' | 'md' | undefined
  /** Shows unread items at the corner. Screen readers don't see the badge, so `label` must include it. */
  count?: number | undefined
}

/** With `aria-pressed`, a pressed button fills the icon. */
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
