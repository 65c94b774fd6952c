import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isTyping } from '../layout/is-typing.ts'

const storageKey = 'desk-shortcuts'
const listeners = new Set<() => void>()

/** Single keys can be pressed by mistake, and by speech: they can be switched off on this device (WCAG 2.1.4). */
function areOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function setShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Without storage they stay as they are.
  }
  for (const listener of listeners) listener()
}

export const useShortcutsOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, areOn)

/** Keys and what they do, while nobody types, no dialog is open and no modifier is held. Letters are given in lower case. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const isOn = useShortcutsOn()
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
      const act = current.current[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

/** What the keys do, as it is told. */
export const shortcutWords = [
  { keys: ['J', 'K'], does: 'Next and previous case' },
  { keys: ['T'], does: 'Take the case, or give it back' },
  { keys: ['1', '–', '8'], does: 'Choose an action, as numbered' },
  { keys: ['E'], does: 'Write the explanation' },
  { keys: ['O'], does: 'Open it where it stands, in a new tab' },
  { keys: ['?'], does: 'Show these keys' },
] as const
