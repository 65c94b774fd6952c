// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { type ThemeChoice, useTheme } from '../lib/use-theme.ts'
import { cx } from './cx.ts'

const choices: { value: ThemeChoice; text: string; Icon: typeof Sun }[] = [
  { value: 'system', text: 'Same as the device', Icon: Monitor },
  { value: 'light', text: 'Light', Icon: Sun },
  { value: 'dark', text: 'Dark', Icon: Moon },
]

/** Light, dark, or as the device says. */
export function ThemeSwitch({ className }: { className?: string | undefined }) {
  const name = useId()
  const [theme, setTheme] = useTheme()
  return (
    <fieldset className={cx('inline-flex rounded-full border border-line bg-surface p-0.5', className)}>
      <legend className="sr-only">Theme</legend>
      {choices.map(({ value, text, Icon }) => (
        <label
          key={value}
          title={text}
          className="touch-target grid size-8 place-items-center rounded-full text-muted transition-colors hover:text-ink has-checked:bg-leaf-soft has-checked:text-leaf has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="absolute inset-0 appearance-none rounded-full focus-visible:outline-none"
          />
          <Icon aria-hidden="true" className="pointer-events-none size-4.5" />
          <span className="sr-only">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
