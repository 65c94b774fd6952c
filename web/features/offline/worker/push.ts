import type { PageClient, WorkerEvents, WorkerScope } from './scope.ts'

type Note = { title?: unknown; body?: unknown; url?: unknown; tag?: unknown }

/** Shows pushes while no page is open, and opens what they are about. */
export function showPushes(worker: WorkerScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, read(event))))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, (event.notification.data as { url: string }).url))
  })
}

/** What came, as whatever it is: browsers that promised a visible note must show one for every push. */
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
    // A newer note takes the place of the one before it.
    tag: text(tag) || 'notifications',
    renotify: true,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { url: pageOf(worker, url) },
  }
  return worker.registration.showNotification(text(title) || 'New notification', options)
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Only pages of this site are opened. */
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
