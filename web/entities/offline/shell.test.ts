import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const page = { unsaved: '', reload: vi.fn() }
const container = Object.assign(new EventTarget(), { controller: {} })
vi.stubGlobal('navigator', { serviceWorker: container })
vi.stubGlobal('location', { reload: page.reload })
vi.stubGlobal('document', {
  querySelector: (what: string) => {
    if (what.includes('[data-scroll-lock]')) return what.split(', ').includes(page.unsaved) ? {} : null
    return { dataset: {}, src: 'http://localhost/assets/index-1.js' }
  },
})

const { offerUpdates } = await import('./shell.ts')
const { toastStore } = await import('#web/ui/toast-store.ts')

/** A null `script` is a worker that predates `startedBy`. */
function workerOf(script: string | null) {
  const messages: unknown[] = []
  const worker = Object.assign(new EventTarget(), {
    state: 'installing',
    messages,
    postMessage(message: unknown, ports: MessagePort[] = []) {
      messages.push(message)
      if (script !== null && typeof message === 'object') ports[0]?.postMessage((message as { startedBy: string }).startedBy === script)
    },
  })
  return worker
}
type FakeWorker = ReturnType<typeof workerOf>

function registrationOf(installing: FakeWorker | null, waiting: FakeWorker | null) {
  return Object.assign(new EventTarget(), { installing, waiting })
}
type FakeRegistration = ReturnType<typeof registrationOf>

function install(registration: FakeRegistration): void {
  const worker = registration.installing as FakeWorker
  Object.assign(registration, { installing: null, waiting: worker })
  worker.state = 'installed'
  worker.dispatchEvent(new Event('statechange'))
}

function takeOver(worker: FakeWorker): void {
  for (const state of ['activating', 'activated']) {
    worker.state = state
    worker.dispatchEvent(new Event('statechange'))
  }
}

const watch = (registration: FakeRegistration) => offerUpdates(registration as unknown as ServiceWorkerRegistration)
const waitingOf = (script: string | null) => Object.assign(workerOf(script), { state: 'installed' })
const shown = vi.fn()
toastStore.subscribe(() => shown(toastStore.get()[0]?.title))
const press = () => toastStore.get()[0]?.action?.onClick()
const isOffered = () => vi.waitFor(() => expect(shown).toHaveBeenCalledWith('A new version is available'))
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50))

afterEach(() => {
  vi.useRealTimers()
})

beforeEach(() => {
  page.unsaved = ''
  page.reload.mockReset()
  shown.mockReset()
})

describe('a newer version', () => {
  test('is offered once, no matter how many screens listen', async () => {
    const registration = registrationOf(null, null)
    watch(registration)
    watch(registration)
    registration.installing = workerOf('/assets/index-2.js')
    registration.dispatchEvent(new Event('updatefound'))
    install(registration)
    await isOffered()
    await aMoment()
    expect(shown).toHaveBeenCalledTimes(1)
  })

  test('is offered even if it was found before the page listened', async () => {
    const registration = registrationOf(workerOf('/assets/index-2.js'), null)
    watch(registration)
    install(registration)
    await isOffered()
  })

  test('is offered even if it was already waiting when a busy page got the event', async () => {
    const registration = registrationOf(null, null)
    watch(registration)
    registration.waiting = waitingOf('/assets/index-2.js')
    registration.dispatchEvent(new Event('updatefound'))
    await isOffered()
  })

  test('isn’t offered to a page that already has it', async () => {
    const waiting = waitingOf('/assets/index-1.js')
    watch(registrationOf(null, waiting))
    await aMoment()
    expect(waiting.messages).toEqual([{ startedBy: '/assets/index-1.js' }])
    expect(shown).not.toHaveBeenCalled()
  })

  test('is offered after a wait if the worker doesn’t respond', async () => {
    watch(registrationOf(null, waitingOf(null)))
    await aMoment()
    expect(shown).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(shown).toHaveBeenCalledTimes(1), { timeout: 3000 })
  })

  test.each([
    ['every dialog is closed', '[data-scroll-lock]'],
    ['picked photos are saved', '[data-unsaved]'],
  ])('is offered only after %s', async (_when, unsaved) => {
    page.unsaved = unsaved
    watch(registrationOf(null, waitingOf('/assets/index-2.js')))
    await aMoment()
    expect(shown).not.toHaveBeenCalled()
    page.unsaved = ''
    await isOffered()
  })
})

describe('"Reload to update"', () => {
  test('reloads the page once the newer version is active', async () => {
    const waiting = waitingOf('/assets/index-2.js')
    watch(registrationOf(null, waiting))
    await isOffered()
    press()
    expect(waiting.messages.at(-1)).toBe('activate')
    expect(page.reload).not.toHaveBeenCalled()
    takeOver(waiting)
    expect(page.reload).toHaveBeenCalledTimes(1)
  })

  test('repeats the request until the newer version takes over, but not afterward', async () => {
    const waiting = waitingOf('/assets/index-2.js')
    watch(registrationOf(null, waiting))
    await isOffered()
    vi.useFakeTimers()
    press()
    vi.advanceTimersByTime(1_000)
    const asked = waiting.messages.filter((message) => message === 'activate').length
    expect(asked).toBeGreaterThan(2)
    expect(page.reload).not.toHaveBeenCalled()
    takeOver(waiting)
    vi.advanceTimersByTime(60_000)
    expect(waiting.messages.filter((message) => message === 'activate')).toHaveLength(asked)
    expect(page.reload).toHaveBeenCalledTimes(1)
  })

  test('doesn’t wait forever for a busy old worker, and reloads only once even if that worker finishes later', async () => {
    const waiting = waitingOf('/assets/index-2.js')
    watch(registrationOf(null, waiting))
    await isOffered()
    vi.useFakeTimers()
    press()
    vi.advanceTimersByTime(5_000)
    expect(page.reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(page.reload).toHaveBeenCalledTimes(1)
    takeOver(waiting)
    expect(page.reload).toHaveBeenCalledTimes(1)
  })

  test('reloads immediately if another page already requested it', async () => {
    const waiting = waitingOf('/assets/index-2.js')
    watch(registrationOf(null, waiting))
    await isOffered()
    waiting.state = 'activated'
    press()
    expect(page.reload).toHaveBeenCalledTimes(1)
  })
})
