import { createStore, useStore } from './store.ts'

/** The install prompt event of browsers that support it; missing in the standard types. */
type InstallOffer = Event & { prompt(): Promise<unknown> }

const offer = createStore<InstallOffer | null>(null)

/** Call at startup: browsers offer installation once, on any page, and the button is in the settings. */
export const awaitInstallOffer = (): void => window.addEventListener('beforeinstallprompt', (event) => offer.set(event as InstallOffer))

/** The offer was used, or is for a different app than the one to install now. */
export const dropInstallOffer = (): void => offer.set(null)

export const useInstallOffer = (): InstallOffer | null => useStore(offer)
