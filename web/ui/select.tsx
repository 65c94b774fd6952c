import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass, useFieldControl } from './input.tsx'

/** A native select, for the phone's own picker and full keyboard and screen reader support. Children are `option`s. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select
        {...props}
        {...useFieldControl(props)}
        className={cx(controlClass, 'min-h-10 appearance-none truncate pr-10 pointer-coarse:min-h-11')}
      >
        {children}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4.5 text-muted" />
    </span>
  )
}
