import type { CurrentUser } from '#contracts/accounts.ts'
import { createListeners } from '#web/lib/store.ts'
import { toast } from '#web/ui/toast-store.ts'
import { changeLook, setViewer } from './cached-answers.ts'
import { lightsAreOff } from './lights.ts'
import { confirmed } from './reach.ts'
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

/** How long a worker may take to say whether the page has its version. Older ones never respond. */
const answerMs = 1_000
const lookAgainMs = 500
/** How long to wait for a busy previous worker. The page is then reloaded from the network, so it is up to date either way. */
const takeOverMs = 2_000

let watched: ServiceWorkerRegistration | null = null
/** The last version offered, or known not to need an offer. */
let met: ServiceWorker | null = null

/**
 * Offers a newer version of the app without interrupting. Only pressing the offer reloads the page; if the person reloads by themselves,
 * the offer is dropped. Idempotent.
 */
export function offerUpdates(registration: ServiceWorkerRegistration): void {
  if (watched === registration) return
  watched = registration
  const look = () => {
    registration.installing?.addEventListener('statechange', () => void offer(registration), { once: true })
    // Also offer a worker that was waiting before this page listened.
    void offer(registration)
  }
  registration.addEventListener('updatefound', look)
  look()
}

async function offer(registration: ServiceWorkerRegistration): Promise<void> {
  const { waiting } = registration
  // Reloading only matters if an older version serves this page.
  if (!waiting || waiting === met || !navigator.serviceWorker.controller) return
  met = waiting
  if (await isOfThisPage(waiting)) return
  await dialogsClosed()
  if (registration.waiting !== waiting) return
  toast({
    title: 'A new version is available',
    description: 'Your unsaved text is kept.',
    action: { label: 'Reload to update', onClick: () => take(waiting) },
  })
}

/** Dialogs don't save drafts, so wait until they are closed. */
async function dialogsClosed(): Promise<void> {
  while (document.querySelector('[data-scroll-lock]')) await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
}

function isOfThisPage(waiting: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(resolve, answerMs, false)
    waiting.postMessage({ startedBy: appScript() } satisfies ToWorker, [port2])
  })
}

/** URL of the app's script, which differs by version. Server-rendered pages name it beside the entry script. */
function appScript(): string {
  const first = document.querySelector<HTMLScriptElement>('script[type="module"]')
  return first ? (first.dataset.app ?? new URL(first.src).pathname) : ''
}

function take(waiting: ServiceWorker): void {
  // Another page has already activated it.
  if (waiting.state !== 'installed') {
    location.reload()
    return
  }
  const waitingEnds = new AbortController()
  // Both may happen before the page is gone, and reloading again would abort the first reload.
  const reload = () => {
    clearTimeout(timer)
    waitingEnds.abort()
    location.reload()
  }
  const timer = setTimeout(reload, takeOverMs)
  navigator.serviceWorker.addEventListener('controllerchange', reload, { signal: waitingEnds.signal })
  waiting.postMessage('activate' satisfies ToWorker)
}
