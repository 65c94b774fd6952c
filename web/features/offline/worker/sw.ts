import { isToWorker } from './messages.ts'
import { isGrowing, isPage, openPage } from './pages.ts'
import { showPushes } from './push.ts'
import type { WorkerScope } from './scope.ts'
import { asset, dropOldShells, isKept, isKeptByName, isOfBuild, keepShell, named } from './shell-cache.ts'

/*
 * Shows pushes, and opens the growing screens where there is no network. It keeps the app only once somebody has opened such a screen;
 * whoever came for pushes alone loads nothing with it. A newer version waits until all pages are closed, or its person wants it now.
 */
const worker = self as unknown as WorkerScope

showPushes(worker)

worker.addEventListener('install', (event) => event.waitUntil(isKept().then((isUsed) => (isUsed ? keepShell() : undefined))))
worker.addEventListener('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), worker.clients.claim()])))

worker.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!isToWorker(data)) return
  if (data === 'keep') event.waitUntil(keepShell())
  else if (data === 'activate') event.waitUntil(worker.skipWaiting())
  else event.waitUntil(meet(data.startedBy, ports[0]))
})

/**
 * A page that was loaded since this version came has it already: it need not hear of it. Without other pages, which may live on the files
 * of the version before, that one is of no use to anybody.
 */
async function meet(script: string, answer: MessagePort | undefined): Promise<void> {
  const isOurs = isOfBuild(script)
  answer?.postMessage(isOurs)
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (isOurs && pages.length === 1) await worker.skipWaiting()
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(openPage(request))
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(asset(request, () => isAskedByGrowing(event.clientId)))
  } else if (isKeptByName(pathname)) {
    event.respondWith(named(request))
  }
})

async function isAskedByGrowing(clientId: string): Promise<boolean> {
  const page = await worker.clients.get(clientId)
  return page !== undefined && isGrowing(new URL(page.url).pathname)
}
