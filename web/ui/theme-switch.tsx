import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { cx } from './cx.ts'
import { connectThemeSwitch, type Theme } from './theme.ts'

const choices: { value: Theme; text: string; Icon: typeof Sun }[] = [
  { value: 'system', text: 'Same as device', Icon: Monitor },
  { value: 'light', text: 'Light', Icon: Sun },
  { value: 'dark', text: 'Dark', Icon: Moon },
]

/** Uncontrolled, because static pages also have it. Hidden without scripts. */
export function ThemeSwitch({ className }: { className?: string | undefined }) {
  const name = useId()
  return (
    <fieldset
      ref={connectThemeSwitch}
      data-theme-switch=""
      className={cx('noscript:hidden inline-flex rounded-full border border-line bg-surface p-0.5', className)}
    >
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
            className="absolute inset-0 appearance-none rounded-full focus-visible:outline-none"
          />
          <Icon aria-hidden="true" className="pointer-events-none size-4.5" />
          <span className="sr-only">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
