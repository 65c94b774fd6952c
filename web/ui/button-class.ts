import { cx } from './cx.ts'

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-input border font-medium select-none transition-[background-color,border-color,color] [&_svg]:size-4.5 [&_svg]:shrink-0 disabled:border-line disabled:bg-sunk disabled:text-muted aria-busy:cursor-progress'

const variants = {
  primary: 'border-transparent bg-leaf text-on-leaf hover:bg-leaf-strong active:bg-leaf-strong',
  secondary: 'border-line bg-surface text-ink hover:border-edge hover:bg-sunk active:bg-sunk',
  quiet: 'border-transparent text-ink hover:bg-sunk active:bg-sunk disabled:border-transparent disabled:bg-transparent',
  danger: 'border-transparent bg-clay text-on-clay hover:bg-clay-strong active:bg-clay-strong',
  /** Only for buttons that subscribe or pay. */
  gold: 'border-transparent bg-shine text-on-shine hover:bg-shine-strong active:bg-shine-strong',
  /** Like `gold`, in the payment provider's other color. */
  blue: 'border-transparent bg-pay text-on-pay hover:bg-pay-strong active:bg-pay-strong',
}

const sizes = {
  sm: 'touch-target min-h-8 px-3 py-1 text-sm',
  md: 'min-h-10 px-4 py-2 text-[0.9375rem] pointer-coarse:min-h-11',
  lg: 'min-h-12 px-6 py-2.5 text-base',
}

export type ButtonVariant = keyof typeof variants
export type ButtonSize = keyof typeof sizes

/** In a separate file, so pages that only have links don't load the button's code. */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className?: string): string {
  return cx(base, variants[variant], sizes[size], className)
}
