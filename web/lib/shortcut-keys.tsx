import { createListeners, deviceItem, useStore } from './store.ts'

/** True in fields and dialogs, where shortcuts must not handle keys. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
}

/** On by default. Accidents and speech input can trigger single-key shortcuts, so people can turn them off on this device (WCAG 2.1.4). */
export function createDeviceSwitch(storageKey: string) {
  const { notify, subscribe } = createListeners()
  const item = deviceItem(storageKey)
  const isOn = () => item.get() !== 'off'

  return {
    isOn,
    set(on: boolean): void {
      item.set(on ? null : 'off')
      notify()
    },
    useIsOn: (): boolean => useStore({ get: isOn, subscribe }),
  }
}
