import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToastStore } from '#web/ui/toast-store.ts'
import { createRemovals, onLeavingPage } from './pending-removals.ts'

let toasts: ReturnType<typeof createToastStore>
let leave: () => void
let removals: ReturnType<typeof createRemovals>
const commit = vi.fn<() => Promise<unknown>>()
const onFailed = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  commit.mockResolvedValue(undefined)
  toasts = createToastStore()
  removals = createRemovals(toasts, (listener) => {
    leave = listener
  })
})
afterEach(() => vi.unstubAllGlobals())

const remove = (id = 'a') => removals.remove({ id, title: 'Post deleted', commit, onFailed })
const toast = () => toasts.get()[0]!

test('hides a post immediately and deletes it when the toast closes', async () => {
  remove()
  expect(removals.hidden.get().has('a')).toBe(true)
  expect(commit).not.toHaveBeenCalled()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect(removals.hidden.get().has('a')).toBe(true)
})

test('restores the post on Undo without deleting it', () => {
  remove()
  toast().action?.onClick()
  toasts.dismiss(toast().id)
  expect(removals.hidden.get().has('a')).toBe(false)
  expect(commit).not.toHaveBeenCalled()
})

test('commits the first removal when another toast replaces it', async () => {
  remove('a')
  remove('b')
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect([...removals.hidden.get()]).toEqual(['a', 'b'])
})

test('shows the post again if the server fails to delete it', async () => {
  commit.mockRejectedValue(new Error('no'))
  remove()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(removals.hidden.get().has('a')).toBe(false)
})

test('deletes the post immediately, and only once, when the page is closed', () => {
  remove()
  leave()
  expect(commit).toHaveBeenCalledOnce()
  leave()
  toasts.dismiss(toast().id)
  expect(commit).toHaveBeenCalledOnce()
})

test('closes the toast on leaving, because Undo is no longer possible', () => {
  remove()
  leave()
  expect(toast().open).toBe(false)
  toast().action?.onClick()
  expect(removals.hidden.get().has('a')).toBe(true)
})

test('shows the post again if the deletion on leaving fails', async () => {
  commit.mockRejectedValue(new Error('no'))
  remove()
  leave()
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(removals.hidden.get().has('a')).toBe(false)
})

class Link extends EventTarget {
  readonly href = '/api/logout'
  readonly closest: (selector: string) => Link | null
  constructor(selector: string) {
    super()
    this.closest = (asked) => (asked === selector ? this : null)
  }
}

test('counts closing the page, hiding it, and pressing a link that signs out as leaving', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', page)
  vi.stubGlobal('Element', Link)
  const listener = vi.fn()
  onLeavingPage(listener)
  const press = (selector: string) => page.dispatchEvent(Object.defineProperty(new Event('click'), 'target', { value: new Link(selector) }))
  page.dispatchEvent(new Event('visibilitychange'))
  press('a[href="/"]')
  expect(listener).not.toHaveBeenCalled()
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(1)
  window.dispatchEvent(new Event('pagehide'))
  expect(listener).toHaveBeenCalledTimes(2)
  press('a[href^="/api/logout"]')
  expect(listener).toHaveBeenCalledTimes(3)
})

test('doesn’t sign out until the post is deleted', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const assign = vi.fn()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', page)
  vi.stubGlobal('Element', Link)
  vi.stubGlobal('location', { assign })
  const { promise, resolve } = Promise.withResolvers<void>()
  commit.mockReturnValue(promise)
  removals = createRemovals(toasts, onLeavingPage)
  const signOut = () => {
    const event = Object.defineProperty(new Event('click', { cancelable: true }), 'target', { value: new Link('a[href^="/api/logout"]') })
    page.dispatchEvent(event)
    return event
  }
  expect(signOut().defaultPrevented).toBe(false)
  remove()
  expect(signOut().defaultPrevented).toBe(true)
  expect(commit).toHaveBeenCalledOnce()
  expect(assign).not.toHaveBeenCalled()
  resolve()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/api/logout'))
  expect(signOut().defaultPrevented).toBe(false)
})
