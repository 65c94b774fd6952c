import { type KeyboardEvent, type ReactNode, useSyncExternalStore } from 'react'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const withCommand = (key: string): string => (isApple ? `⌘${key}` : `Ctrl ${key}`)

export const KeyHint = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-tag border border-line bg-surface px-1.5 font-text text-muted text-xs/5 whitespace-nowrap pointer-coarse:hidden">
    {children}
  </kbd>
)

const storageKey = 'slash-key'
const listeners = new Set<() => void>()

/** Single-key shortcuts can be triggered by accident or by speech input, so it can be turned off per device (WCAG 2.1.4). */
export function isSlashKeyOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function setSlashKey(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Without storage the setting doesn't change.
  }
  for (const listener of listeners) listener()
}

export const useSlashKeyOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, isSlashKeyOn)

/** State of the lazily loaded list that the header's field needs for its ARIA attributes. */
export type Suggesting = { isShown: boolean; activeId: string | undefined }
/** The list handles the field's keys first. */
export type FieldKeys = ((event: KeyboardEvent<HTMLInputElement>) => void) | null

export const suggestionListId = 'header-suggestions'
