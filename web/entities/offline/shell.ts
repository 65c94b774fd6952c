import type { CurrentUser } from '#contracts/accounts.ts'
import { createListeners } from '#web/lib/store.ts'
import { toast } from '#web/ui/toast-store.ts'
import { changeLook, setViewer } from './cached-answers.ts'
import { lightsAreOff } from './lights.ts'
import { accountConfirmed } from './reach.ts'
import type { ToWorker } from './worker/sw.ts'

/** Must match the file and scope for push; see web/screens/notifications/preferences-screen.tsx. */
const workerUrl = '/sw.js'

/** Pages can only open offline on secure origins, in browsers with service workers. Elsewhere, storing data is pointless. */
const isSupported = () => window.isSecureContext && 'serviceWorker' in navigator

/** True if the service worker served the page, so the current account is unconfirmed. */
export const isServedFromCache = (): boolean => document.documentElement.dataset.shell !== undefined

let cachedAccountId: string | null = null

const started = createListeners()

export const isCachingFor = (account: string): boolean => cachedAccountId === account

/** Runs `then` once this device stores the account's responses: immediately if it already does, and never if it can't. */
export function whenCaching(account: string, then: () => void): void {
  if (isCachingFor(account)) then()
  else if (isSupported()) onStart(account, then)
}

function onStart(account: string, then: () => void): void {
  const stop = started.subscribe(() => {
    if (!isCachingFor(account)) return
    stop()
    then()
  })
}

/**
 * Stores pages and responses on this device once the server has confirmed the account. A page served by the service worker waits for the
 * server's first response.
 * @returns a function that stops waiting
 */
export function startCaching(user: CurrentUser): () => void {
  if (!isSupported() || cachedAccountId === user.id) return () => {}
  // The browser may have evicted or blocked storage; everything else works.
  const start = () => void cacheShellFor(user).catch(() => undefined)
  if (!isServedFromCache()) {
    start()
    return () => {}
  }
  return accountConfirmed.subscribe((account) => (account === user.id ? start() : location.reload()))
}

/** No growing screen shows these, so they aren't stored. */
const privateFields = { birthday: null, bio: null, location: null } satisfies Partial<CurrentUser>

/** Waits for the service worker, because it deletes the stored data at sign-out. */
async function cacheShellFor(user: CurrentUser): Promise<void> {
  const registration = await navigator.serviceWorker.register(workerUrl)
  const { active } = await navigator.serviceWorker.ready
  await setViewer({ user: { ...user, ...privateFields }, ...currentLook() })
  cachedAccountId = user.id
  started.notify()
  active?.postMessage('keep' satisfies ToWorker)
  offerUpdates(registration)
  followLook(user.id)
}

const currentLook = () => ({ theme: document.documentElement.dataset.theme ?? null, isLightsOff: lightsAreOff() })

/** Stores the theme for the service worker whenever it changes. People can change it in footers and on growing screens. */
function followLook(account: string): void {
  const look = new MutationObserver(() => void changeLook(account, currentLook()).catch(() => undefined))
  look.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-lights'] })
}

/** In milliseconds. Older workers don't handle `startedBy`, so they never respond. */
const answerMs = 1_000
const lookAgainMs = 500
/** In milliseconds. Repeats the request, because Chromium can miss the moment at which the previous worker is done. */
const askAgainMs = 250
/**
 * In milliseconds. After this time, reloads even if the previous worker is still busy. The limit is generous because a reload never
 * finishes if that worker ends in the meantime.
 */
const takeOverMs = 10_000

let watched: ServiceWorkerRegistration | null = null
let met: ServiceWorker | null = null

/**
 * Offers a newer version of the app without interrupting. The page reloads only after someone presses the offer, which disappears if they
 * reload the page themselves. Idempotent.
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
  await nothingUnsaved()
  if (registration.waiting !== waiting) return
  toast({
    title: 'A new version is available',
    description: 'You won’t lose any unsaved text.',
    action: { label: 'Reload to update', onClick: () => take(waiting) },
  })
}

/** A reload would lose picked photos (`data-unsaved`) and the contents of dialogs, which don't save drafts. */
async function nothingUnsaved(): Promise<void> {
  while (document.querySelector('[data-scroll-lock], [data-unsaved]')) await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
}

function isOfThisPage(waiting: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(resolve, answerMs, false)
    waiting.postMessage({ startedBy: appScript() } satisfies ToWorker, [port2])
  })
}

/** The path of the app's script, which differs by version. */
function appScript(): string {
  const first = document.querySelector<HTMLScriptElement>('script[type="module"]')
  return first ? new URL(first.src).pathname : ''
}

function take(waiting: ServiceWorker): void {
  // Another page has already activated the waiting worker.
  if (waiting.state !== 'installed') {
    location.reload()
    return
  }
  const waitingEnds = new AbortController()
  // Either the timer or the state change can come first. A second reload would abort the first one.
  const reload = () => {
    clearTimeout(timer)
    clearInterval(asking)
    waitingEnds.abort()
    location.reload()
  }
  const ask = () => waiting.postMessage('activate' satisfies ToWorker)
  const onStateChange = () => {
    if (waiting.state !== 'activating') reload()
  }
  const timer = setTimeout(reload, takeOverMs)
  const asking = setInterval(ask, askAgainMs)
  waiting.addEventListener('statechange', onStateChange, { signal: waitingEnds.signal })
  ask()
}
