import { useSyncExternalStore } from 'react'

const storageKey = 'slash-key'
const listeners = new Set<() => void>()

/** A single key can be pressed by mistake, and by speech: it can be switched off on this device (WCAG 2.1.4). */
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
    // Without storage it stays as it is.
  }
  for (const listener of listeners) listener()
}

export const useSlashKeyOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, isSlashKeyOn)
