import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

type SliderProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & { value: number; onChange: (value: number) => void }

/** The browser's own, in our color: arrows, Page Up and Home work as everywhere, and a thumb finds it. */
export function Slider({ value, onChange, className, ...props }: SliderProps) {
  return (
    <input
      {...props}
      type="range"
      value={value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      className={cx(
        'block h-9 w-full min-w-0 cursor-pointer rounded-tag accent-leaf focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-2 disabled:cursor-default disabled:opacity-60 pointer-coarse:h-12',
        className,
      )}
    />
  )
}
