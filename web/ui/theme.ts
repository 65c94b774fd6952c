/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

const changed = 'sungrove:theme'

/** The server sets the cookie's theme on the root element before the first paint, so the element is the source of truth. */
function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme and stores it for a year (cookie `theme`, read by the server; absent means system). */
function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  const age = theme === 'system' ? 0 : 365 * 24 * 60 * 60
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax${secure}`
  document.dispatchEvent(new Event(changed))
}

/**
 * Makes a theme switch work: {@link file://./theme-switch.tsx}. The app passes it as a ref; static pages call it once.
 * @returns a function that disconnects it
 */
export function connectThemeSwitch(fieldset: HTMLElement | null): (() => void) | undefined {
  if (!fieldset) return undefined
  const radios = [...fieldset.querySelectorAll('input')]
  const show = () => {
    const theme = currentTheme()
    for (const radio of radios) radio.checked = radio.value === theme
  }
  const choose = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) setTheme(target.value as Theme)
  }
  // Pressed before this script was loaded.
  const pressed = radios.find((radio) => radio.checked)
  if (pressed) setTheme(pressed.value as Theme)
  show()
  fieldset.addEventListener('change', choose)
  // There may be two switches on a screen.
  document.addEventListener(changed, show)
  return () => {
    fieldset.removeEventListener('change', choose)
    document.removeEventListener(changed, show)
  }
}
