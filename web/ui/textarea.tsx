import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'
import { useFieldControl } from './use-field-control.ts'

/** Grows with its text if supported; `rows` is the initial height. */
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
