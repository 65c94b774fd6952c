import { useSyncExternalStore } from 'react'

/** The install prompt event of browsers that support it; missing in the standard types. */
type InstallOffer = Event & { prompt(): Promise<unknown> }

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

function store(event: Event | null): void {
  offer = event as InstallOffer | null
  for (const listener of listeners) listener()
}

/** Call at startup: browsers offer installation once, on any page, and the button is in the settings. */
export const awaitInstallOffer = (): void => window.addEventListener('beforeinstallprompt', store)

/** The offer was used, or is for a different app than the one to install now. */
export const dropInstallOffer = (): void => store(null)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useInstallOffer = (): InstallOffer | null => useSyncExternalStore(subscribe, () => offer)
