import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { FieldContext } from './input.tsx'
import { useStableWhilePressed } from './use-stable-while-pressed.ts'

type FieldProps = {
  label: ReactNode
  /** How to fill it in. Always visible. */
  hint?: ReactNode
  /** What is wrong ("Location is required"). Also marks the control as invalid. */
  error?: ReactNode
  /** Shows "Optional" next to the label. Required fields aren't marked. */
  optional?: boolean | undefined
  className?: string | undefined
  /** A single Input, Textarea, Select, PasswordInput or Combobox. */
  children: ReactNode
}

/** Links a control with its label, hint and error for assistive technology. For several controls, see {@link FieldGroup}. */
export function Field({ label, hint, error: given, optional, className, children }: FieldProps) {
  const id = useId()
  const error = useStableWhilePressed(given)
  const describedBy = cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && <span className="text-muted text-xs">Optional</span>}
      </div>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {hint && <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

type FieldGroupProps = {
  legend: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Set for radio buttons, so the group itself can be invalid. */
  role?: 'radiogroup' | undefined
  className?: string | undefined
  children: ReactNode
}

/** For a question with several controls: checkboxes, radio cards, a date in parts. */
export function FieldGroup({ legend, hint, error: given, role, className, children }: FieldGroupProps) {
  const id = useId()
  const error = useStableWhilePressed(given)
  return (
    <fieldset
      role={role}
      aria-describedby={cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined}
      {...(role && error ? { 'aria-invalid': true } : {})}
      className={cx('grid min-w-0 gap-2', className)}
    >
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      {hint && <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      {/* The error is above the controls, because the first one gets focus and phones may not show all of them. */}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {children}
    </fieldset>
  )
}

function FieldHint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="text-muted text-sm">
      {children}
    </p>
  )
}

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 font-medium text-clay text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

type FormErrorProps = {
  className?: string
  /** A way to resolve the error, such as a button. */
  action?: ReactNode
  children: ReactNode
}

const reveal = (error: HTMLElement | null): void => error?.scrollIntoView({ block: 'nearest' })

/** For a whole form or call. Announced when it appears, and scrolled into view above buttons that stay at the bottom. */
export const FormError = ({ className, action, children }: FormErrorProps) =>
  children ? (
    <div ref={reveal} role="alert" className={cx('scroll-mb-24', className)}>
      <FieldError>{children}</FieldError>
      {action && <div className="mt-3">{action}</div>}
    </div>
  ) : null
