import { toast } from '../../ui/toast-store.ts'
import type { ToWorker } from './worker/messages.ts'

/** How long a worker may take to say whether the page is of its version. An older one has no answer. */
const answerMs = 1_000
const lookAgainMs = 500
/** How long a press waits for the worker before, which may be busy. The page comes from the network, so that it is the newer one either way. */
const takeOverMs = 2_000

let watched: ServiceWorkerRegistration | null = null
/** The last one that was offered, or need not be. */
let met: ServiceWorker | null = null

/**
 * A newer version of the app waits until it is wanted: whoever is typing is not interrupted. The page is loaded anew only by that press, or
 * when its person does so by themselves; then there is nothing to offer any more. Safe to call again.
 */
export function offerUpdates(registration: ServiceWorkerRegistration): void {
  if (watched === registration) return
  watched = registration
  const look = () => {
    registration.installing?.addEventListener('statechange', () => void offer(registration), { once: true })
    // One that was there before this page listened, or heard of it.
    void offer(registration)
  }
  registration.addEventListener('updatefound', look)
  look()
}

async function offer(registration: ServiceWorkerRegistration): Promise<void> {
  const { waiting } = registration
  // Without a page that an older version serves, there is nothing to reload.
  if (!waiting || waiting === met || !navigator.serviceWorker.controller) return
  met = waiting
  if (await isOfThisPage(waiting)) return
  await dialogsClosed()
  if (registration.waiting !== waiting) return
  toast({
    title: 'A newer version is here',
    description: 'What you have typed is kept.',
    action: { label: 'Reload to update', onClick: () => take(waiting) },
  })
}

/** What is typed in a dialog is kept nowhere: whoever is in one hears of it afterwards. */
async function dialogsClosed(): Promise<void> {
  while (document.querySelector('[data-scroll-lock]')) await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
}

/** Whether the page has been loaded since that version came. */
function isOfThisPage(waiting: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(resolve, answerMs, false)
    waiting.postMessage({ startedBy: appScript() } satisfies ToWorker, [port2])
  })
}

/** The address of the app itself, which is another one in each version; a page that came as HTML names it beside what it begins with. */
function appScript(): string {
  const first = document.querySelector<HTMLScriptElement>('script[type="module"]')
  return first ? (first.dataset.app ?? new URL(first.src).pathname) : ''
}

function take(waiting: ServiceWorker): void {
  // It is in its place already where another page wanted it.
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
