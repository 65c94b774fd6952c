import type { ComponentProps, MouseEvent } from 'react'
import { AsChild } from './as-child.ts'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'
import { Spinner } from './spinner.tsx'

export type { ButtonSize, ButtonVariant }

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Styles the only child (a link) as a button instead of rendering one. */
  asChild?: boolean | undefined
  /** The action is in progress: the button keeps focus, ignores clicks and shows `pendingText` if given ("Saving..."). */
  pending?: boolean | undefined
  pendingText?: string | undefined
}

/** A button performs an action; for navigation, use a link (`asChild`). Submits forms only with `type="submit"`. */
export function Button({ variant, size, asChild, pending, pendingText, className, children, type, onClick, ...props }: ButtonProps) {
  const look = buttonClass(variant, size, className)
  if (asChild) {
    return (
      <AsChild className={look} onClick={onClick} {...props}>
        {children}
      </AsChild>
    )
  }
  // `disabled` would drop the focus in the middle of the action.
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
