import { isToWorker } from './messages.ts'
import { isGrowing, isPage, openPage } from './pages.ts'
import { showPushes } from './push.ts'
import type { WorkerScope } from './scope.ts'
import { asset, dropOldShells, isKept, isKeptByName, keepShell, named } from './shell-cache.ts'

/*
 * Shows pushes, and opens the growing screens where there is no network. It keeps the app only once somebody has opened such a screen;
 * whoever came for pushes alone loads nothing with it. A newer version waits until all pages are closed, or its person wants it now.
 */
const worker = self as unknown as WorkerScope

showPushes(worker)

worker.addEventListener('install', (event) => event.waitUntil(isKept().then((isUsed) => (isUsed ? keepShell() : undefined))))
worker.addEventListener('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), worker.clients.claim()])))

worker.addEventListener('message', (event) => {
  if (!isToWorker(event.data)) return
  event.waitUntil(event.data === 'keep' ? keepShell() : worker.skipWaiting())
})

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
