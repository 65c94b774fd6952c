import { createListeners, useStore } from './store.ts'

/** Whether key presses here are text input, so that shortcuts must not handle them. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
}

/**
 * A setting of this device that is on until someone turns it off, for single-key shortcuts: they can be triggered by accident or by speech
 * input (WCAG 2.1.4).
 */
export function createDeviceSwitch(storageKey: string) {
  const { notify, subscribe } = createListeners()

  function isOn(): boolean {
    try {
      return localStorage.getItem(storageKey) !== 'off'
    } catch {
      return true
    }
  }

  return {
    isOn,
    set(on: boolean): void {
      try {
        if (on) localStorage.removeItem(storageKey)
        else localStorage.setItem(storageKey, 'off')
      } catch {
        // Without storage the setting doesn't change.
      }
      notify()
    },
    useIsOn: (): boolean => useStore({ get: isOn, subscribe }),
  }
}
