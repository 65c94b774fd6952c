import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

const look =
  'touch-target inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-full border px-3.5 py-1 font-medium text-sm whitespace-nowrap transition-colors [&_svg]:size-4'
const off = 'border-line bg-surface text-ink hover:border-edge hover:bg-sunk'
const on = 'border-ink bg-ink text-ground'

/** Styles other elements as chips, such as a filter's link. */
export function chipClass(pressed: boolean, className?: string): string {
  return cx(look, pressed ? on : off, className)
}

type ChipProps = ComponentProps<'button'> & { pressed: boolean }

export function Chip({ pressed, className, type, ...props }: ChipProps) {
  return <button type={type ?? 'button'} aria-pressed={pressed} className={chipClass(pressed, className)} {...props} />
}
