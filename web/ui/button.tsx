import { Slot } from 'radix-ui/slot'
import type { ComponentProps, MouseEvent } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-input border font-medium select-none transition-[background-color,border-color,color] [&_svg]:size-4.5 [&_svg]:shrink-0 disabled:border-line disabled:bg-sunk disabled:text-muted aria-busy:cursor-progress'

const variants = {
  primary: 'border-transparent bg-leaf text-on-leaf hover:bg-leaf-strong active:bg-leaf-strong',
  secondary: 'border-line bg-surface text-ink hover:border-edge hover:bg-sunk active:bg-sunk',
  quiet: 'border-transparent text-ink hover:bg-sunk active:bg-sunk disabled:border-transparent disabled:bg-transparent',
  danger: 'border-transparent bg-clay text-on-clay hover:bg-clay-strong active:bg-clay-strong',
  /** For the one thing on a screen that shines: the primary plan. */
  gold: 'border-transparent bg-shine text-on-shine hover:bg-shine-strong active:bg-shine-strong',
}

const sizes = {
  sm: 'touch-target min-h-8 px-3 py-1 text-sm',
  md: 'min-h-10 px-4 py-2 text-[0.9375rem] pointer-coarse:min-h-11',
  lg: 'min-h-12 px-6 py-2.5 text-base',
}

export type ButtonVariant = keyof typeof variants
export type ButtonSize = keyof typeof sizes

export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className?: string): string {
  return cx(base, variants[variant], sizes[size], className)
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Dresses the only child (a link) as a button instead of rendering one. */
  asChild?: boolean | undefined
  /** The action is under way: the button keeps its focus, refuses clicks and shows `pendingText` if there is one ("Saving..."). */
  pending?: boolean | undefined
  pendingText?: string | undefined
}

/** A button does something; a link goes somewhere (`asChild`). It submits a form only with `type="submit"`. */
export function Button({ variant, size, asChild, pending, pendingText, className, children, type, onClick, ...props }: ButtonProps) {
  const look = buttonClass(variant, size, className)
  if (asChild) {
    return (
      <Slot className={look} onClick={onClick} {...props}>
        {children}
      </Slot>
    )
  }
  // `disabled` would throw the focus away in the middle of the action.
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
