import { useSyncExternalStore } from 'react'

/** What browsers that offer to install hand to the page; not in the standard's types. */
type InstallOffer = Event & { prompt(): Promise<unknown> }

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

function keep(event: Event | null): void {
  offer = event as InstallOffer | null
  for (const listener of listeners) listener()
}

/** From the first moment on: a browser offers once, on whichever page that is, and the button stands in the settings. */
export const awaitInstallOffer = (): void => window.addEventListener('beforeinstallprompt', keep)

/** It was taken, or is not for what would be installed now. */
export const dropInstallOffer = (): void => keep(null)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useInstallOffer = (): InstallOffer | null => useSyncExternalStore(subscribe, () => offer)
