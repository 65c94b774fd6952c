import type { CurrentUser } from '../../../contracts/accounts.ts'
import { changeLook, setViewer } from './kept-answers.ts'
import { lightsAreOff } from './lights.ts'
import { onConfirmed } from './reach.ts'
import { offerUpdates } from './updates.ts'
import type { ToWorker } from './worker/messages.ts'

/** The same file and scope as for pushes: see web/features/notifications/push.ts. */
const workerUrl = '/sw.js'

/** Only where pages can be opened without a network is anything kept for them: on secure origins, in browsers with service workers. */
const isSupported = () => window.isSecureContext && 'serviceWorker' in navigator

/** The page came from the device: who is signed in now, the server has not said. */
export const isFromDevice = (): boolean => document.documentElement.dataset.shell !== undefined

let keepsFor: string | null = null

const started = new Set<() => void>()

/** Whether answers of this account are kept on this device. */
export const isKeeping = (account: string): boolean => keepsFor === account

/** Calls back once answers of this account are kept here: at once, soon, or never. */
export function whenKeeping(account: string, then: () => void): void {
  if (isKeeping(account)) then()
  else if (isSupported()) onStart(account, then)
}

function onStart(account: string, then: () => void): void {
  const listener = () => {
    if (!isKeeping(account)) return
    started.delete(listener)
    then()
  }
  started.add(listener)
}

/**
 * Keeps pages and answers on this device for whoever is signed in, once the server has said who that is. A page that came from the device
 * itself does not know: it begins when the server answers. @returns how to stop waiting for that
 */
export function startKeeping(user: CurrentUser): () => void {
  if (!isSupported() || keepsFor === user.id) return () => {}
  // Pushed out by the browser, or not allowed at all: everything else goes on.
  const start = () => void keepFor(user).catch(() => undefined)
  if (!isFromDevice()) {
    start()
    return () => {}
  }
  return onConfirmed((account) => (account === user.id ? start() : location.reload()))
}

/** What no growing screen shows of its reader does not lie on the device either. */
const notKept = { birthday: null, bio: null, location: null } satisfies Partial<CurrentUser>

/** Nothing is kept before the worker is there that takes it away again at sign-out. */
async function keepFor(user: CurrentUser): Promise<void> {
  const registration = await navigator.serviceWorker.register(workerUrl)
  const { active } = await navigator.serviceWorker.ready
  await setViewer({ user: { ...user, ...notKept }, ...currentLook() })
  keepsFor = user.id
  for (const listener of started) listener()
  active?.postMessage('keep' satisfies ToWorker)
  offerUpdates(registration)
  followLook(user.id)
}

const currentLook = () => ({ theme: document.documentElement.dataset.theme ?? null, isLightsOff: lightsAreOff() })

/** What a page from the device begins with. The theme is chosen at the foot of every page, and the lights on growing screens. */
function followLook(account: string): void {
  const look = new MutationObserver(() => void changeLook(account, currentLook()).catch(() => undefined))
  look.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-lights'] })
}
