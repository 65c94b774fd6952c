// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useSyncExternalStore } from 'react'

/** What the reader chose; `system` follows the device. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server has put the cookie's choice on the root element before the first paint, so the element is the truth. */
function current(): ThemeChoice {
  const theme = document.documentElement.dataset.theme
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a choice now and keeps it for a year (cookie `theme`, read by the server; absent means system). */
export function setTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  const age = choice === 'system' ? 0 : 365 * 24 * 60 * 60
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `theme=${choice}; path=/; max-age=${age}; samesite=lax${secure}`
  for (const listener of listeners) listener()
}

export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, current, () => 'system' as const), setTheme]
}
