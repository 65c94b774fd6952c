/** What is used of a service worker's global scope: the library of types for it and that for pages exclude each other. */
export type WorkerScope = {
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

export type PageClient = { readonly url: string; focus(): Promise<PageClient>; navigate(url: string): Promise<PageClient | null> }

type Lasting = Event & { waitUntil(work: Promise<unknown>): void }

export type WorkerEvents = {
  install: Lasting
  activate: Lasting
  message: Lasting & { readonly data: unknown; readonly ports: readonly MessagePort[] }
  fetch: Lasting & { readonly request: Request; readonly clientId: string; respondWith(response: Promise<Response>): void }
  push: Lasting & { readonly data: { json(): unknown } | null }
  notificationclick: Lasting & { readonly notification: Notification }
}
