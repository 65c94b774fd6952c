import { toast } from '#web/ui/toast-store.ts'
import type { ToWorker } from './worker/messages.ts'

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
    // Also one that was waiting before this page listened.
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
  // Another page activated it already.
  if (waiting.state !== 'installed') {
    location.reload()
    return
  }
  const reload = () => {
    clearTimeout(timer)
    location.reload()
  }
  const timer = setTimeout(reload, takeOverMs)
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  waiting.postMessage('activate' satisfies ToWorker)
}
