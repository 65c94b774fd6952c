import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'
import { cx } from './cx.ts'

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }
const FieldContext = createContext<FieldControl | null>(null)

type OwnAttributes = { id?: string | undefined; 'aria-describedby'?: string | undefined; 'aria-invalid'?: unknown }

/** The attributes that tie a control to the field around it. Every control of the design system calls this; so can one of your own. */
export function useFieldControl(own: OwnAttributes) {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': cx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': own['aria-invalid'] === true || own['aria-invalid'] === 'true' || field?.invalid ? true : undefined,
  } as const
}

type FieldProps = {
  label: ReactNode
  /** How to fill it in; stays visible. */
  hint?: ReactNode
  /** What is wrong, in a full phrase ("Location is required"). Its presence marks the control as invalid. */
  error?: ReactNode
  /** Says "Optional" beside the label. Required fields carry no mark. */
  optional?: boolean | undefined
  className?: string | undefined
  /** One control: Input, Textarea, Select, PasswordInput, Combobox. */
  children: ReactNode
}

/** A control with its label, hint and error, tied together for assistive technology. For groups of controls see {@link FieldGroup}. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId()
  const describedBy = cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined
  return (
    <div className={cx('grid gap-1.5', className)}>
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
  /** Set for radio buttons, so that the group itself can be invalid. */
  role?: 'radiogroup' | undefined
  className?: string | undefined
  children: ReactNode
}

/** Several controls under one question: checkboxes, radio cards, a date in parts. */
export function FieldGroup({ legend, hint, error, role, className, children }: FieldGroupProps) {
  const id = useId()
  return (
    <fieldset
      role={role}
      aria-describedby={cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined}
      {...(role && error ? { 'aria-invalid': true } : {})}
      className={cx('grid min-w-0 gap-2', className)}
    >
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      {hint && <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
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
