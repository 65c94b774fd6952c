/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

const changed = 'sungrove:theme'

/** The root element is the source of truth, because the server sets the cookie's theme there before the first paint. */
function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Stores a choice for a year, or deletes it. The server reads it for the next page. */
export function setCookie(name: string, value: string, { path = '/', isKept = true } = {}): void {
  const age = isKept ? 365 * 24 * 60 * 60 : 0
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API
  document.cookie = `${name}=${value}; path=${path}; max-age=${age}; samesite=lax${secure}`
}

/** Without the cookie, the theme is `system`. */
function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  setCookie('theme', theme, { isKept: theme !== 'system' })
  document.dispatchEvent(new Event(changed))
}

/**
 * The app passes this as a ref to {@link file://./theme-switch.tsx}; static pages call it once.
 * @returns a function that disconnects the switch
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
  // The person may have chosen a theme before this script loaded.
  const pressed = radios.find((radio) => radio.checked)
  if (pressed) setTheme(pressed.value as Theme)
  show()
  fieldset.addEventListener('change', choose)
  // A screen may have two switches, so also show a theme chosen with the other one.
  document.addEventListener(changed, show)
  return () => {
    fieldset.removeEventListener('change', choose)
    document.removeEventListener(changed, show)
  }
}
