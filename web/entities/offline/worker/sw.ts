import {
  cacheShell,
  dropOldShells,
  fetchAsset,
  fetchNetworkFirst,
  isBuildFile,
  isCached,
  isCachedByName,
  isGrowingPage,
  isPage,
  openPage,
} from './pages.ts'

type Note = { title?: unknown; body?: unknown; url?: unknown; tag?: unknown }

function showPushes(worker: WorkerScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, read(event))))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, (event.notification.data as { url: string }).url))
  })
}

/** Lenient, because browsers require a visible notification for every push. */
function read(event: WorkerEvents['push']): Note {
  try {
    return (event.data?.json() as Note | null) ?? {}
  } catch {
    return {}
  }
}

function show(worker: WorkerScope, { title, body, url, tag }: Note): Promise<void> {
  const options = {
    body: text(body),
    tag: text(tag) || 'notifications',
    renotify: true,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { url: pageOf(worker, url) },
  }
  return worker.registration.showNotification(text(title) || 'New notification', options)
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function pageOf({ location }: WorkerScope, url: unknown): string {
  const home = `${location.origin}/notifications`
  if (!URL.canParse(text(url) || home, home)) return home
  const page = new URL(text(url) || home, home)
  return page.origin === location.origin ? page.href : home
}

async function open({ clients }: WorkerScope, url: string): Promise<PageClient | null | undefined> {
  const pages = await clients.matchAll({ type: 'window' })
  const page = pages.find((each) => each.url === url) ?? pages[0]
  if (!page) return clients.openWindow(url)
  await page.focus()
  return page.url === url ? undefined : page.navigate(url)
}

/*
 * Shows push notifications and serves the growing screens offline. Caches the app only after someone opens a growing screen, so people who
 * only want push download nothing. A newer version waits until no page needs the previous one or the person activates it.
 */
const worker = self as unknown as WorkerScope

showPushes(worker)

worker.addEventListener('install', (event) => event.waitUntil(isCached().then((isUsed) => (isUsed ? cacheShell() : undefined))))
// Limits the cleanup, because pages wait until this worker is active, and a file that is still being written can delay a deletion.
const maxCleanupMs = 3_000
worker.addEventListener('activate', (event) => {
  const cleanedUp = Promise.race([dropOldShells(), new Promise((resolve) => setTimeout(resolve, maxCleanupMs))])
  event.waitUntil(Promise.all([cleanedUp, worker.clients.claim()]))
})

worker.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!isToWorker(data)) return
  if (data === 'keep') event.waitUntil(cacheShell())
  else if (data === 'activate') event.waitUntil(worker.skipWaiting())
  else event.waitUntil(handlePageVersion(data.startedBy, ports[0]))
})

/**
 * Reports whether a page has this worker's version. If so, and no other page is open, no page needs the previous version, so this one
 * activates.
 */
async function handlePageVersion(script: string, answer: MessagePort | undefined): Promise<void> {
  const isOurs = isBuildFile(script)
  answer?.postMessage(isOurs)
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (isOurs && pages.length === 1) await worker.skipWaiting()
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(openPage(request, worker.registration.pushManager))
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(fetchAsset(request, () => isFromGrowingPage(event.clientId)))
  } else if (isCachedByName(pathname)) {
    event.respondWith(fetchNetworkFirst(request))
  }
})

async function isFromGrowingPage(clientId: string): Promise<boolean> {
  const page = await worker.clients.get(clientId)
  return page !== undefined && isGrowingPage(new URL(page.url).pathname)
}

/** Types only what we use, because TypeScript's library for service workers can't be combined with the DOM one. */
type WorkerScope = {
  readonly location: { readonly origin: string }
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    get(id: string): Promise<PageClient | undefined>
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<PageClient[]>
    openWindow(url: string): Promise<PageClient | null>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}

type PageClient = { readonly url: string; focus(): Promise<PageClient>; navigate(url: string): Promise<PageClient | null> }

type ExtendableWorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }

type WorkerEvents = {
  install: ExtendableWorkerEvent
  activate: ExtendableWorkerEvent
  message: ExtendableWorkerEvent & { readonly data: unknown; readonly ports: readonly MessagePort[] }
  fetch: ExtendableWorkerEvent & { readonly request: Request; readonly clientId: string; respondWith(response: Promise<Response>): void }
  push: ExtendableWorkerEvent & { readonly data: { json(): unknown } | null }
  notificationclick: ExtendableWorkerEvent & { readonly notification: Notification }
}

/**
 * Messages from pages to the worker. Their versions may differ, so existing messages must not change.
 * - `keep`: cache the growing screens for offline use
 * - `activate`: the person wants the newer version now
 * - `startedBy`: names the page's app script. A waiting worker responds through the port with true if it has the same version
 */
export type ToWorker = 'keep' | 'activate' | { startedBy: string }

const isToWorker = (message: unknown): message is ToWorker =>
  message === 'keep' || message === 'activate' || (typeof message === 'object' && message !== null && 'startedBy' in message)
