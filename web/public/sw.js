// Shows pushes while no page is open. It keeps nothing and answers no requests: pages come from the network as if it were not there.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event)))
})

/** What came, as whatever it is: browsers that promised a visible note must show one for every push. */
function read(event) {
  try {
    return event.data?.json() ?? {}
  } catch {
    return {}
  }
}

function show({ title, body, url, tag }) {
  return self.registration.showNotification(text(title) || 'New notification', {
    body: text(body),
    // A newer note takes the place of the one before it.
    tag: text(tag) || 'notifications',
    renotify: true,
    icon: '/apple-touch-icon.png',
    badge: '/apple-touch-icon.png',
    data: { url: pageOf(url) },
  })
}

const text = (value) => (typeof value === 'string' ? value : '')

/** Only pages of this site are opened. */
function pageOf(url) {
  const home = `${self.location.origin}/notifications`
  if (!URL.canParse(text(url) || home, home)) return home
  const page = new URL(text(url) || home, home)
  return page.origin === self.location.origin ? page.href : home
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find((each) => each.url === url) ?? pages[0]
  if (!page) return self.clients.openWindow(url)
  await page.focus()
  return page.url === url ? undefined : page.navigate(url)
}
