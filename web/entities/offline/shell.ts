import type { CurrentUser } from '#contracts/accounts.ts'
import { createListeners } from '#web/lib/store.ts'
import { changeLook, setViewer } from './cached-answers.ts'
import { lightsAreOff } from './lights.ts'
import { confirmed } from './reach.ts'
import { offerUpdates } from './updates.ts'
import type { ToWorker } from './worker/messages.ts'

/** Same file and scope as for push: see web/screens/notifications/push.ts. */
const workerUrl = '/sw.js'

/** Data is only stored if pages can open offline: on secure origins, in browsers with service workers. */
const isSupported = () => window.isSecureContext && 'serviceWorker' in navigator

/** The page was served by the service worker, so the current account is unconfirmed. */
export const isFromDevice = (): boolean => document.documentElement.dataset.shell !== undefined

let keepsFor: string | null = null

const started = createListeners()

export const isKeeping = (account: string): boolean => keepsFor === account

/** Calls back once responses of this account are stored here: now, later or never. */
export function whenKeeping(account: string, then: () => void): void {
  if (isKeeping(account)) then()
  else if (isSupported()) onStart(account, then)
}

function onStart(account: string, then: () => void): void {
  const stop = started.subscribe(() => {
    if (!isKeeping(account)) return
    stop()
    then()
  })
}

/**
 * Stores pages and responses on this device once the server has confirmed the account. A page served by the service worker waits for the
 * server's first response. @returns stops waiting
 */
export function startKeeping(user: CurrentUser): () => void {
  if (!isSupported() || keepsFor === user.id) return () => {}
  // Storage was evicted or isn't allowed; everything else works.
  const start = () => void cacheShellFor(user).catch(() => undefined)
  if (!isFromDevice()) {
    start()
    return () => {}
  }
  return confirmed.subscribe((account) => (account === user.id ? start() : location.reload()))
}

/** Fields that no growing screen shows aren't stored on the device. */
const privateFields = { birthday: null, bio: null, location: null } satisfies Partial<CurrentUser>

/** Stores nothing until the service worker is active, which deletes everything at sign-out. */
async function cacheShellFor(user: CurrentUser): Promise<void> {
  const registration = await navigator.serviceWorker.register(workerUrl)
  const { active } = await navigator.serviceWorker.ready
  await setViewer({ user: { ...user, ...privateFields }, ...currentLook() })
  keepsFor = user.id
  started.notify()
  active?.postMessage('keep' satisfies ToWorker)
  offerUpdates(registration)
  followLook(user.id)
}

const currentLook = () => ({ theme: document.documentElement.dataset.theme ?? null, isLightsOff: lightsAreOff() })

/** Stores the theme for pages served by the service worker. It can change in any footer, and the dim theme on growing screens. */
function followLook(account: string): void {
  const look = new MutationObserver(() => void changeLook(account, currentLook()).catch(() => undefined))
  look.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-lights'] })
}
