import { type ComponentProps, createContext, type ReactNode, use, useState } from 'react'
import { cx } from './cx.ts'

/** For inputs, text areas and selects. Text must be at least 16 px, because phones zoom in on smaller text. */
export const controlClass =
  'block w-full min-w-0 rounded-input border border-edge bg-surface px-3 py-2 text-base text-ink transition-colors hover:border-ink/60 focus-visible:border-focus focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus aria-invalid:border-clay aria-invalid:outline-clay disabled:border-line disabled:bg-sunk disabled:text-muted [&[readonly]]:bg-sunk'

type InputProps = ComponentProps<'input'> & {
  start?: ReactNode
  end?: ReactNode
}

export function Input({ start, end, className, type, ...props }: InputProps) {
  const control = (
    <input
      type={type ?? 'text'}
      {...props}
      {...useFieldControl(props)}
      className={cx(
        controlClass,
        'min-h-10 pointer-coarse:min-h-11',
        start ? 'pl-10' : null,
        end ? 'pr-12' : null,
        !(start || end) && className,
      )}
    />
  )
  if (!(start || end)) return control
  return (
    <span className={cx('relative block', className)}>
      {start && (
        <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted [&_svg]:size-4.5">{start}</span>
      )}
      {control}
      {end && <span className="absolute inset-y-0 right-1 grid place-items-center text-muted">{end}</span>}
    </span>
  )
}

type DayInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'onBlur'> & {
  value: string
  onDayChange: (day: string) => void
}

/** For a required date. While a typed date is incomplete, the input's value is empty, and setting it would discard what was typed. */
export function DayInput({ value, onDayChange, ...props }: DayInputProps) {
  const [isIncomplete, setIncomplete] = useState(false)
  return (
    <Input
      {...props}
      type="date"
      value={isIncomplete ? '' : value}
      onChange={({ target }) => {
        setIncomplete(target.value === '')
        if (target.value !== '') onDayChange(target.value)
      }}
      onBlur={() => setIncomplete(false)}
    />
  )
}

/** Grows with its text in browsers that support it. `rows` is the height in others. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...props}
      {...useFieldControl(props)}
      className={cx(controlClass, 'field-sizing-content max-h-96 min-h-24 resize-y', className)}
    />
  )
}

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }
/** Declared here, so controls without a surrounding `Field`, such as the header's search, don't load the code of `Field`. */
export const FieldContext = createContext<FieldControl | null>(null)

type OwnAttributes = { id?: string | undefined; 'aria-describedby'?: string | undefined; 'aria-invalid'?: unknown }

/** Links a control to the `Field` around it, if any. */
export function useFieldControl(own: OwnAttributes) {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': cx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': own['aria-invalid'] === true || own['aria-invalid'] === 'true' || field?.invalid ? true : undefined,
  } as const
}
