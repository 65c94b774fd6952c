import { isToWorker } from './messages.ts'
import { asset, cacheShell, dropOldShells, isCached, isCachedByName, isGrowing, isOfBuild, isPage, named, openPage } from './pages.ts'

type Note = { title?: unknown; body?: unknown; url?: unknown; tag?: unknown }

/** Shows push notifications while no page is open, and opens their target. */
function showPushes(worker: WorkerScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, read(event))))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, (event.notification.data as { url: string }).url))
  })
}

/** Parses a payload leniently: browsers require a visible notification for every push. */
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
    // A newer notification replaces the previous one.
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
 * Shows push notifications and serves the growing screens offline. Caches the app only after a growing screen has been opened, so that
 * push-only users download nothing. A newer version waits until all pages are closed or the person activates it.
 */
const worker = self as unknown as WorkerScope

showPushes(worker)

worker.addEventListener('install', (event) => event.waitUntil(isCached().then((isUsed) => (isUsed ? cacheShell() : undefined))))
worker.addEventListener('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), worker.clients.claim()])))

worker.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!isToWorker(data)) return
  if (data === 'keep') event.waitUntil(cacheShell())
  else if (data === 'activate') event.waitUntil(worker.skipWaiting())
  else event.waitUntil(meet(data.startedBy, ports[0]))
})

/**
 * Tells a page whether it already has this version. If it is the only page, nothing depends on the previous version's files anymore, so
 * activate.
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
  } else if (isCachedByName(pathname)) {
    event.respondWith(named(request))
  }
})

async function isAskedByGrowing(clientId: string): Promise<boolean> {
  const page = await worker.clients.get(clientId)
  return page !== undefined && isGrowing(new URL(page.url).pathname)
}

/** The parts of a service worker's global scope in use: its TypeScript library can't be combined with the DOM one. */
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

type Lasting = Event & { waitUntil(work: Promise<unknown>): void }

type WorkerEvents = {
  install: Lasting
  activate: Lasting
  message: Lasting & { readonly data: unknown; readonly ports: readonly MessagePort[] }
  fetch: Lasting & { readonly request: Request; readonly clientId: string; respondWith(response: Promise<Response>): void }
  push: Lasting & { readonly data: { json(): unknown } | null }
  notificationclick: Lasting & { readonly notification: Notification }
}
