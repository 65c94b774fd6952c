// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { createListeners, useStore } from '#web/lib/store.ts'
import { cx } from './cx.ts'

const choices: { value: ThemeChoice; text: string; Icon: typeof Sun }[] = [
  { value: 'system', text: 'Same as device', Icon: Monitor },
  { value: 'light', text: 'Light', Icon: Sun },
  { value: 'dark', text: 'Dark', Icon: Moon },
]

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

// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.

/** `system` follows the device. */
type ThemeChoice = 'system' | 'light' | 'dark'

const { notify, subscribe } = createListeners()

/** The server sets the cookie's choice on the root element before the first paint, so the element is the source of truth. */
function current(): ThemeChoice {
  const theme = document.documentElement.dataset.theme
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme and stores it for a year (cookie `theme`, read by the server; absent means system). */
function setTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  const age = choice === 'system' ? 0 : 365 * 24 * 60 * 60
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `theme=${choice}; path=/; max-age=${age}; samesite=lax${secure}`
  notify()
}

function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useStore({ get: current, subscribe }, () => 'system' as const), setTheme]
}
