import { createStore, useStore } from './store.ts'

/** TypeScript's library lacks this event, which not every browser supports. */
type InstallOffer = Event & { prompt(): Promise<unknown> }

const offer = createStore<InstallOffer | null>(null)

/** Call at startup. Browsers offer installation once, on any page, but the button is in the settings. */
export const awaitInstallOffer = (): void => window.addEventListener('beforeinstallprompt', (event) => offer.set(event as InstallOffer))

/** Call after using the offer, or if it's for a different app than the one to install now. */
export const dropInstallOffer = (): void => offer.set(null)

export const useInstallOffer = (): InstallOffer | null => useStore(offer)
